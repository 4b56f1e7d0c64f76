/* SPDX-License-Identifier: MIT */
#include "session/surroundings/redact.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/vector.h"
#include "trace/trace.h"
#include "trace/writer.h"

/* The writer passes on nothing but names and events: inputs are gone. */
static ser_status copy_events(ser_trace *trace, ser_writer *writer, ser_error *error)
{
    SER_VECTOR(ser_event) events = {0};
    ser_batch batch = {.count = 1};
    ser_status status = SER_OK;
    while (status == SER_OK && batch.count > 0) {
        status = ser_trace_next(trace, &batch, error);
        events.count = 0;
        for (size_t i = 0; status == SER_OK && i < batch.count; i++) {
            ser_vector_push(&events, batch.events[i]);
            ser_event_redact(&events.items[i]);
        }
        if (status == SER_OK)
            status = ser_writer_put(writer, events.items, events.count, error);
    }
    ser_vector_free(&events);
    return status;
}

/* Not by a ser_source: an interrupt must not leave a trace as it is. */
ser_status ser_redact_trace(const char *path, ser_error *error)
{
    const ser_trace_options options = {.lenient = true};
    ser_trace *trace = NULL;
    ser_writer *writer = NULL;
    ser_status status = ser_trace_open(&trace, path, &options, error);
    if (status == SER_OK)
        status = ser_writer_open(&writer, path, SER_WRITE_NATIVE, ser_trace_symbols(trace), error);
    if (status == SER_OK)
        status = copy_events(trace, writer, error);
    if (status == SER_OK)
        status = ser_writer_finish(writer, error);
    ser_writer_close(writer);
    ser_trace_close(trace);
    return status;
}

ser_status ser_redact_folder(const char *folder, ser_error *error)
{
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    ser_status status =
        entries ? SER_OK : ser_fail(error, SER_INPUT, "%s: %s", folder, strerror(errno));
    for (struct dirent *entry; status == SER_OK && (entry = readdir(entries));) {
        const char *name = entry->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (fnmatch("*.srt", name, 0) == 0)
            status = ser_redact_trace(path, error);
        else if (strcmp(name, "run.input") == 0 || fnmatch("*.out", name, 0) == 0)
            unlink(path);
    }
    if (entries)
        closedir(entries);
    return status;
}
