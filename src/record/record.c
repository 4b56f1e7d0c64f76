/* SPDX-License-Identifier: MIT */
/*
 * ser_record_program: start, drain until the program has ended, finish. Records are surveyed
 * (survey.h) and spooled as they come. Once recording has stopped, because of a limit or a full
 * disk, they are drained and dropped: so the cut is at one point of the run, although the threads
 * of the program stop recording at different times.
 */
#include "record/record.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/topics.h"
#include "record/capture/capture.h"
#include "record/spooled.h"

/* Seconds between SIGTERM and SIGKILL; owned programs have nothing to save. */
static const double grace_of_own = 0.3, grace_of_others = 1;
/* Seconds for what remains to be done with the records after a signal. */
static const double grace_of_analysis = 1;

enum {
    /* The program wakes us when a ring fills up; draining a few records before that would only
     * take time from it. */
    FEW_RECORDS = SER_RING_RECORDS / 8,
};

typedef struct recording {
    const ser_record_options *options;
    ser_record_outcome *outcome;
    ser_program program;
    ser_record_survey *survey;
    ser_spool *spool;
    char *spool_path;
    bool stopped, full; /* full: since the spool could not be written */
    double start, idle_since;
    double done_since;   /* when `look` had seen what it waited for; 0: not yet */
    double ending_since; /* when the program was asked to end; 0: it was not */
} recording;

char *ser_record_spool_path(const char *trace)
{
    size_t length = strlen(trace) + sizeof ".part";
    char *path = ser_alloc(length, 1);
    snprintf(path, length, "%s.part", trace);
    return path;
}

/* --- taking records ------------------------------------------------------- */

static void stop_recording(recording *session, const char *why)
{
    if (session->stopped)
        return;
    session->stopped = true;
    ser_log_info(RECORD, "recording stops: %s", why);
    snprintf(session->outcome->stopped, sizeof session->outcome->stopped, "%s", why);
    __atomic_store_n(&session->program.channel->stop, 1, __ATOMIC_SEQ_CST);
}

static void stop_for_lack_of_room(recording *session, const ser_error *error)
{
    session->full = true;
    stop_recording(session, error->text);
}

static void check_limits(recording *session)
{
    const ser_limit *limit = &session->options->limit;
    char why[128];
    if (session->survey->events >= limit->events) {
        snprintf(why, sizeof why, "the limit of %" PRIu64 " events was reached", limit->events);
        stop_recording(session, why);
    } else if (session->spool && ser_spool_bytes(session->spool) >= limit->bytes) {
        snprintf(why, sizeof why, "the limit of %" PRIu64 " bytes was reached", limit->bytes);
        stop_recording(session, why);
    } else if (limit->seconds > 0 && ser_clock_now() - session->start >= limit->seconds) {
        snprintf(why, sizeof why, "the limit of %g seconds was reached", limit->seconds);
        stop_recording(session, why);
    } else if (session->survey->thread_limit > 0) {
        snprintf(why, sizeof why, "more than %" PRIu64 " threads %s cannot be recorded",
                 session->survey->thread_limit,
                 session->survey->thread_limit < SER_THREADS ? "at once, in parallel mode,"
                                                             : "in all");
        stop_recording(session, why);
    }
}

/* What must be known of records that are not kept. */
static void look_for_ends(ser_record_survey *survey, const ser_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        survey->deadlock |= records[i].op == SER_RAW_DEADLOCK;
        if (records[i].op == SER_RAW_THREAD_LIMIT)
            survey->thread_limit = records[i].value;
    }
}

static void keep(recording *session, const ser_record *records, size_t count)
{
    ser_error error;
    if (!session->spool) {
        look_for_ends(session->survey, records, count);
        return;
    }
    ser_record_survey_add(session->survey, records, count);
    if (ser_spool_put(session->spool, records, count, &error) != SER_OK)
        stop_for_lack_of_room(session, &error);
}

/* Not more at once than the limit still allows, were each record an event. */
static void take(void *context, const ser_record *records, size_t count)
{
    enum { LARGEST_STEP = 4096 };
    recording *session = context;
    const ser_record_options *options = session->options;
    if (options->look && !session->outcome->dismissed)
        session->outcome->dismissed =
            !options->look(options->context, &session->program, records, count);
    while (count > 0 && !session->stopped) {
        uint64_t room = session->options->limit.events - session->survey->events;
        size_t step = count < LARGEST_STEP ? count : LARGEST_STEP;
        step = step < room ? step : (size_t)room;
        keep(session, records, step);
        check_limits(session);
        records += step;
        count -= step;
    }
}

/* Records that have been pending for a while are written, in case the recorder is killed. */
static void flush_if_idle(recording *session, bool busy)
{
    double now = ser_clock_now();
    ser_error error;
    if (busy || !session->spool) {
        session->idle_since = 0;
    } else if (session->idle_since == 0) {
        session->idle_since = now;
    } else if (now - session->idle_since > 0.5 && !session->stopped) {
        if (ser_spool_flush(session->spool, &error) != SER_OK)
            stop_for_lack_of_room(session, &error);
        session->idle_since = now;
    }
}

/* --- the program's end ---------------------------------------------------- */

/* First asks the program to end (SIGTERM), later kills it. A signal to us also reached the
 * program: it has been asked already, and processes that it leaves behind go on as they would
 * without us. */
static void end_program(recording *session, bool was_asked)
{
    double now = ser_clock_now();
    double grace = session->options->owned ? grace_of_own : grace_of_others;
    if (session->ending_since == 0) {
        session->ending_since = now;
        if (was_asked)
            return;
        ser_program_adopt_offspring(&session->program);
        ser_program_signal(&session->program, SIGTERM);
    } else if (now - session->ending_since > grace) {
        ser_program_adopt_offspring(&session->program);
        ser_program_signal(&session->program, SIGKILL);
    }
}

static bool is_grace_over(recording *session)
{
    const ser_record_options *options = session->options;
    if (!options->is_done || !options->is_done(options->context))
        return false;
    if (session->done_since == 0)
        session->done_since = ser_clock_now();
    return ser_clock_now() - session->done_since > options->grace;
}

static bool is_time_over(const recording *session)
{
    double deadline = session->options->deadline;
    return deadline > 0 && ser_clock_now() >= deadline;
}

static void end_if_needed(recording *session)
{
    ser_record_outcome *outcome = session->outcome;
    bool was_asked = false;
    outcome->dismissed |= is_grace_over(session);
    if (session->survey->deadlock)
        outcome->deadlock = true;
    else if (session->options->interruptible && ser_was_interrupted())
        was_asked = outcome->interrupted = true;
    else if (ser_budget_exhausted())
        outcome->out_of_time = true;
    else if (is_time_over(session))
        outcome->overran = true;
    else if (!outcome->dismissed)
        return;
    end_program(session, was_asked && !session->options->owned);
}

/* The one who looks at the records may want the program to be left alone. */
static bool goes_on(recording *session)
{
    const ser_record_options *options = session->options;
    session->outcome->left = options->tend && !options->tend(options->context, &session->program);
    if (session->outcome->left)
        ser_program_leave(&session->program);
    return !session->outcome->left;
}

static void watch(recording *session)
{
    while (!session->program.ended && goes_on(session)) {
        uint32_t seen = ser_program_look(&session->program);
        ser_program_check(&session->program);
        if (session->program.ended)
            break;
        uint64_t taken = ser_drain(session->program.channel, false, take, session);
        ser_program_print_log(&session->program);
        if (taken > 0)
            ser_log_debug(RECORD, "%" PRIu64 " records taken, %" PRIu64 " events in all", taken,
                          session->survey->events);
        if (!session->stopped)
            check_limits(session);
        end_if_needed(session);
        flush_if_idle(session, taken > 0);
        if (taken < FEW_RECORDS)
            ser_program_wait(&session->program, seen);
    }
    ser_program_let_go(&session->program);
    while (!session->outcome->left && ser_drain(session->program.channel, true, take, session) > 0)
        ;
    ser_program_print_log(&session->program);
}

static void describe_end(recording *session)
{
    ser_record_outcome *outcome = session->outcome;
    int status = session->program.wait_status;
    outcome->instrumented = session->program.channel->owner != 0;
    outcome->is_java = session->program.is_java;
    outcome->status = ser_program_status(&session->program);
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome->interrupted |= session->options->interruptible && ser_was_interrupted();
    outcome->seconds = ser_clock_now() - session->start;
    ser_log_info(RECORD, "%" PRIu64 " events after %.3f s, status %d, %" PRIu64 " lost",
                 session->survey->events, outcome->seconds, outcome->status,
                 session->program.channel->lost);
}

/* --- the trace ------------------------------------------------------------ */

/* It exceeded its limit while it followed a schedule: it has shown nothing, and to make a trace of
 * a hundred million records may take minutes. */
static bool is_in_vain(const recording *session)
{
    const ser_record_options *options = session->options;
    return session->outcome->overran && options->is_all_or_nothing &&
           !options->is_done(options->context);
}

static ser_status conclude(recording *session, ser_error *error)
{
    ser_error full;
    if (session->spool && ser_spool_flush(session->spool, &full) != SER_OK)
        stop_for_lack_of_room(session, &full); /* unless that is why it has stopped */
    ser_spool_close(session->spool);           /* so that its room is free once it is removed */
    session->spool = NULL;
    if (!session->options->interruptible)
        ser_interrupt_forget(); /* the signal was for the program */
    else if (ser_was_interrupted())
        ser_interrupt_defer(grace_of_analysis);
    session->outcome->instrumented &= !is_in_vain(session);
    const ser_spooled spooled = {.options = session->options,
                                 .outcome = session->outcome,
                                 .spool = session->spool_path,
                                 .survey = session->survey,
                                 .lost = session->program.channel->lost,
                                 .is_disk_full = session->full};
    if (session->outcome->instrumented && !session->options->only_look)
        return ser_spooled_make_trace(&spooled, error);
    unlink(session->spool_path);
    return SER_OK;
}

/* --- the whole ------------------------------------------------------------ */

static ser_status run(recording *session, ser_error *error)
{
    const ser_record_options *options = session->options;
    if (options->replaces)
        ser_spool_remove_dead(session->spool_path);
    ser_status status =
        options->only_look ? SER_OK : ser_spool_create(&session->spool, session->spool_path, error);
    if (status != SER_OK)
        return status;
    const ser_program_start_options start = {.command = options->command,
                                             .parallel = options->parallel,
                                             .settings = options->runtime,
                                             .turns = options->turns,
                                             .turn_count = options->turn_count,
                                             .elides = options->elides,
                                             .gaps = options->gaps,
                                             .gap_count = options->gap_count,
                                             .inputs = options->inputs,
                                             .input_count = options->input_count,
                                             .output = options->output,
                                             .folder = options->folder,
                                             .input = options->input,
                                             .step_limit = options->step_limit,
                                             .owned = options->owned,
                                             .interruptible = options->interruptible};
    status = ser_program_start(&session->program, &start, error);
    if (status != SER_OK) {
        unlink(session->spool_path);
        return status;
    }
    session->start = ser_clock_now();
    watch(session);
    describe_end(session);
    status = conclude(session, error);
    ser_program_fini(&session->program);
    return status;
}

ser_status ser_record_program(const ser_record_options *options, ser_record_outcome *outcome,
                              ser_error *error)
{
    *outcome = (ser_record_outcome){0};
    recording session = {
        .options = options,
        .outcome = outcome,
        .survey = ser_record_survey_create(),
        .spool_path = ser_record_spool_path(options->trace),
        .program = {.channel_fd = -1},
    };
    if (options->shared)
        ser_record_survey_watch_sharing(session.survey);
    ser_status status = run(&session, error);
    ser_spool_close(session.spool);
    ser_record_survey_destroy(session.survey);
    free(session.spool_path);
    return status;
}
