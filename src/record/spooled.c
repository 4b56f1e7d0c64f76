/* SPDX-License-Identifier: MIT */
#include "record/spooled.h"

#include <stdio.h>
#include <unistd.h>

#include "record/capture/capture.h"

/* The sentences are valid until the next call. */
static const char **make_notes(const ser_record_outcome *outcome)
{
    static char stopped[1200], ended[128];
    static const char *notes[3];
    size_t count = 0;
    if (*outcome->stopped) {
        snprintf(stopped, sizeof stopped, "recording stopped before the program ended: %s",
                 outcome->stopped);
        notes[count++] = stopped;
    }
    if (outcome->signal) {
        snprintf(ended, sizeof ended, SER_RECORD_SIGNAL_NOTE " (%s)", outcome->signal,
                 strsignal(outcome->signal));
        notes[count++] = ended;
    }
    notes[count] = NULL;
    return notes;
}

/* The survey serves once; NULL makes a new one. */
static ser_status finish_to(const ser_spooled *run, const char *path, ser_record_survey *survey,
                            ser_error *error)
{
    ser_finish_options options = {
        .spool = run->spool,
        .trace = path,
        .verify = run->options->verify,
        .shared = run->options->shared,
        .redact = run->options->redact,
        .lost = run->lost,
        .notes = make_notes(run->outcome),
    };
    ser_vector_free(&run->outcome->trace.messages);
    return ser_finish(&options, survey, &run->outcome->trace, error);
}

/* The spool has filled the disk: the trace, which is smaller, is made in memory and then
 * replaces it. */
static ser_status make_trace_in_memory(const ser_spooled *run, ser_error *error)
{
    char scratch[] = SER_SCRATCH_PATTERN;
    ser_error other;
    ser_status status = SER_INPUT;
    if (!ser_scratch_open(scratch))
        return status;
    if (finish_to(run, scratch, NULL, &other) != SER_OK) {
        unlink(scratch);
        return status;
    }
    unlink(run->spool);
    status = ser_scratch_copy(scratch, run->options->trace, error);
    if (status == SER_OK)
        unlink(scratch);
    else
        ser_error_append(error, "; the trace is in %s", scratch);
    return status;
}

static void mention_spool(const ser_spooled *run, ser_error *error)
{
    if (access(run->spool, F_OK) == 0)
        ser_error_append(error,
                         "; what was recorded is in %s, of which seriatim record --finish makes "
                         "the trace",
                         run->spool);
}

static ser_status make_trace(const ser_spooled *run, ser_error *error)
{
    ser_status status = finish_to(run, run->options->trace, run->survey, error);
    if (status == SER_OK || !run->is_disk_full)
        return status;
    ser_error second = {.status = SER_OK};
    if (make_trace_in_memory(run, &second) == SER_OK || second.text[0])
        *error = second;
    return error->status;
}

ser_status ser_spooled_make_trace(const ser_spooled *run, ser_error *error)
{
    ser_status status = make_trace(run, error);
    if (status == SER_OK)
        unlink(run->spool);
    else
        mention_spool(run, error);
    return status;
}
