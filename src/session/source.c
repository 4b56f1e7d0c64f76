/* SPDX-License-Identifier: MIT */
#include "session/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/output/log.h"
#include "base/output/progress.h"

/* "check big.srt": the last part of the path is enough to know it by. */
static char *make_label(const char *verb, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    char label[80];
    snprintf(label, sizeof label, "%s %.50s", verb, name);
    return ser_copy_text(label, strlen(label));
}

static bool stat_operand(const char *path, int standard_fd, struct stat *about)
{
    return (strcmp(path, "-") == 0 ? fstat(standard_fd, about) : stat(path, about)) == 0;
}

/* Also under another name, and for `<` and `>` of the shell. */
static bool are_same_file(const char *input, const char *output)
{
    struct stat in, out;
    return stat_operand(input, STDIN_FILENO, &in) && stat_operand(output, STDOUT_FILENO, &out) &&
           S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

ser_status ser_source_refuse_output(const char *input, const char *output, ser_error *error)
{
    if (output && are_same_file(input, output))
        return ser_fail(error, SER_USAGE, "%s is both input and output", output);
    return SER_OK;
}

ser_status ser_source_open(ser_source *source, const ser_source_settings *settings,
                           ser_error *error)
{
    *source = (ser_source){.path = settings->path};
    const ser_trace_options options = {
        .atomic = settings->reading.atomic,
        .lenient = settings->reading.lenient,
        .skip_sites = settings->skip_sites,
        .keep = settings->keep,
    };
    source->label = make_label(settings->verb, ser_source_name(source));
    ser_progress_start(source->label);
    ser_status status = ser_trace_open(&source->trace, source->path, &options, error);
    /* A signal may have interrupted the wait for the first bytes of a pipe. */
    if (status != SER_OK && ser_should_stop())
        return ser_fail(error, SER_UNDECIDED, "%s: %s before the first event",
                        ser_source_name(source), ser_stop_reason());
    return status;
}

void ser_source_open_run(ser_source *source, const ser_source *read, const ser_run *run)
{
    *source = (ser_source){.trace = read->trace, .run = run, .path = read->path};
}

static ser_status stop(ser_source *source)
{
    ser_progress_erase();
    source->stopped = ser_stop_reason();
    return SER_OK;
}

static void show_progress(const ser_source *source)
{
    uint64_t done, total;
    if (source->run)
        return; /* it takes a moment */
    ser_reader_progress(ser_trace_reader(source->trace), &done, &total);
    ser_progress_update(source->events, done, total);
}

/* In pieces as large as those of a file, so that a request to stop is obeyed as soon. */
static void take_from_memory(const ser_source *source, ser_batch *batch)
{
    uint64_t left = source->run->count - source->events;
    batch->events = source->run->events + source->events + 1;
    batch->count = left < SER_BATCH ? (size_t)left : SER_BATCH;
    batch->first = source->events + 1;
}

static ser_status read_batch(ser_source *source, ser_batch *batch, ser_error *error)
{
    if (!source->run)
        return ser_trace_next(source->trace, batch, error);
    take_from_memory(source, batch);
    return SER_OK;
}

ser_status ser_source_next(ser_source *source, ser_batch *batch, ser_error *error)
{
    *batch = (ser_batch){0};
    if (ser_should_stop())
        return stop(source);
    if (source->limit && source->events >= source->limit) {
        ser_progress_erase();
        return SER_OK;
    }
    ser_error problem = {.status = SER_OK};
    ser_status status = read_batch(source, batch, &problem);
    if (status != SER_OK) {
        *batch = (ser_batch){0};
        if (ser_should_stop()) /* a signal interrupted the read: not an error of the input */
            return stop(source);
        *error = problem;
        return status;
    }
    if (source->limit && batch->count > source->limit - source->events)
        batch->count = (size_t)(source->limit - source->events);
    source->events += batch->count;
    if (batch->count)
        show_progress(source);
    else
        ser_progress_erase(); /* results are next */
    return SER_OK;
}

ser_status ser_source_rewind(ser_source *source, bool skip_sites, ser_error *error)
{
    const double moment = 1.5; /* seconds */
    if (source->stopped && ser_interrupted()) {
        source->limit = source->events;
        ser_interrupt_defer(moment);
    }
    source->events = 0;
    source->stopped = NULL;
    return source->run ? SER_OK : ser_trace_rewind(source->trace, skip_sites, error);
}

ser_status ser_source_seek(ser_source *source, uint64_t most, bool *went, ser_past_events *past,
                           ser_error *error)
{
    *went = false;
    if (source->run || source->stopped || source->limit || most <= source->events)
        return SER_OK;
    ser_status status = ser_trace_seek(source->trace, source->events, most, went, past, error);
    if (*went)
        source->events = ser_reader_events(ser_trace_reader(source->trace));
    return status;
}

void ser_source_warn(const ser_source *source)
{
    const char *note = ser_reader_note(ser_trace_reader(source->trace));
    if (note)
        ser_warning("%s: %s", ser_source_name(source), note);
    uint64_t dropped = ser_trace_dropped(source->trace);
    if (dropped)
        ser_warning("%s: %" PRIu64 " event%s dropped; the first: %s", ser_source_name(source),
                    dropped, dropped == 1 ? " was" : "s were",
                    ser_trace_first_complaint(source->trace));
    bool is_by_deadline = source->run && !ser_interrupted() && !ser_budget_exhausted();
    if (source->stopped && !is_by_deadline) /* whose report says so */
        ser_message("%s: %s before the end of the trace", ser_source_name(source), source->stopped);
}

void ser_source_close(ser_source *source)
{
    ser_progress_stop();
    if (!source->run)
        ser_trace_close(source->trace);
    free(source->label);
    *source = (ser_source){0};
}

const char *ser_source_name(const ser_source *source)
{
    return strcmp(source->path, "-") == 0 ? "standard input" : source->path;
}
