/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"

static void print_lines(const ser_finish_result *result)
{
    for (size_t at = 0; at < result->messages.count;) {
        const char *line = result->messages.items + at;
        size_t length = strcspn(line, "\n");
        ser_complain("%.*s", (int)length, line);
        at += length + 1;
    }
}

void ser_recording_tell_trace(const char *path, const ser_finish_result *result)
{
    print_lines(result);
    if (result->lost > 0)
        ser_warning("%" PRIu64 " events could not be recorded; see seriatim info %s", result->lost,
                    path);
    if (result->stolen > 0)
        ser_message("threads were preempted %" PRIu64 " times in code that is not instrumented",
                    result->stolen);
    if (result->elided > 0)
        ser_message("%" PRIu64 " operations on memory that threads did not share were elided",
                    result->elided);
    ser_message("wrote %s: %" PRIu64 " event%s", path, result->events,
                result->events == 1 ? "" : "s");
}

static ser_status explain_not_instrumented(const char *program, ser_error *error)
{
    return ser_fail(error, SER_INPUT,
                    "%s is not instrumented, so nothing was recorded; build it with CC=seriatim-cc "
                    "CXX=seriatim-c++ (or seriatim cc, seriatim c++) and record it again",
                    program);
}

static bool is_interruption(int signal_number)
{
    return signal_number == SIGINT || signal_number == SIGTERM || signal_number == SIGHUP ||
           signal_number == SIGQUIT || signal_number == SIGKILL;
}

/* Why there is no trace. */
static ser_status explain_no_trace(const ser_recording *recording, ser_error *error)
{
    const ser_record_outcome *outcome = &recording->outcome;
    const char *program = recording->options.command[0];
    if (outcome->out_of_time)
        return ser_fail(error, SER_UNDECIDED, "the budget was used up before %s recorded anything",
                        program);
    if (is_interruption(outcome->signal))
        return ser_fail(error, SER_UNDECIDED,
                        "interrupted by signal %d (%s) before %s recorded anything; if that took "
                        "long, it is not instrumented (build it with CC=seriatim-cc "
                        "CXX=seriatim-c++)",
                        outcome->signal, strsignal(outcome->signal), program);
    if (outcome->signal)
        return ser_fail(error, SER_INPUT,
                        "signal %d (%s) ended %s before it recorded anything: it crashed at its "
                        "start, or it is not instrumented (build it with CC=seriatim-cc "
                        "CXX=seriatim-c++)",
                        outcome->signal, strsignal(outcome->signal), program);
    if (outcome->is_java)
        return ser_fail(
            error, SER_INPUT,
            "%s recorded nothing: it ended at once, or it is no virtual machine that can "
            "be recorded (OpenJDK with HotSpot, 17 or later); try %s -version",
            program, program);
    return explain_not_instrumented(program, error);
}

static ser_status prepare(ser_recording *recording, const ser_recording_options *options,
                          ser_error *error)
{
    for (char *const *word = options->command; *word; word++)
        ser_vector_push(&recording->command, *word);
    ser_vector_push(&recording->command, NULL);
    recording->options = (ser_record_options){
        .command = recording->command.items,
        .parallel = options->parallel,
        .limit = ser_limit_standard(),
        .verify = options->verify,
    };
    return options->limit ? ser_limit_read(&recording->options.limit, options->limit, error)
                          : SER_OK;
}

ser_status ser_recording_init(ser_recording *recording, const ser_recording_options *options,
                              bool *help, ser_error *error)
{
    *recording =
        (ser_recording){.input = lseek(STDIN_FILENO, 0, SEEK_CUR), .run_limit = options->run_limit};
    ser_surroundings_init(&recording->around);
    ser_settings_add_text(&recording->settings, options->settings);
    ser_status status = ser_settings_check(&recording->settings, help, error);
    if (status == SER_OK && !*help)
        status = ser_class_choice_hand_over(&options->classes, error);
    if (status == SER_OK && !*help && !options->command[0])
        status = ser_fail(error, SER_USAGE, "the program to run is missing: put it after --");
    return status == SER_OK ? prepare(recording, options, error) : status;
}

void ser_recording_own(ser_recording *recording)
{
    recording->options.owned = true;
    recording->options.interruptible = true;
}

void ser_recording_fini(ser_recording *recording)
{
    ser_surroundings_fini(&recording->around);
    ser_vector_free(&recording->outcome.trace.messages);
    ser_vector_free(&recording->command);
    ser_vector_free(&recording->settings);
}

static void print_result(const ser_recording *recording)
{
    const char *name = recording->options.command[0];
    const ser_record_outcome *outcome = &recording->outcome;
    if (outcome->signal && outcome->instrumented && !outcome->deadlock && !outcome->out_of_time &&
        !outcome->overran)
        ser_message("%s was ended by signal %d (%s)", name, outcome->signal,
                    strsignal(outcome->signal));
    if (!outcome->instrumented || (outcome->interrupted && recording->options.owned))
        return;
    if (*outcome->stopped)
        ser_warning("recording stopped before %s ended: %s", name, outcome->stopped);
    ser_recording_tell_trace(recording->options.trace, &outcome->trace);
    if (outcome->deadlock)
        ser_complain("%s deadlocked and was ended", name);
    else if (outcome->out_of_time)
        ser_warning("the budget was used up, and %s was ended", name);
    else if (outcome->overran)
        ser_warning("%s ran for %.1f seconds, longer than the limit, and was ended", name,
                    outcome->seconds);
}

/* The limit for one run, or that of all of them. */
static double deadline_of(const ser_recording *recording)
{
    double now = ser_clock_now();
    double deadline = recording->run_limit > 0 ? now + recording->run_limit : 0;
    if (recording->until > 0 && (deadline == 0 || recording->until < deadline))
        deadline = recording->until;
    return deadline;
}

/* A program that is owned is instrumented: there was a run before this one. If that was recorded
 * here it is certain, however this one ended. */
static bool says_nothing(const ser_recording *recording)
{
    const ser_record_outcome *outcome = &recording->outcome;
    return outcome->interrupted || recording->has_recorded ||
           (recording->options.owned && (outcome->overran || outcome->out_of_time));
}

static ser_status record(ser_recording *recording, const char *trace, bool quietly,
                         ser_error *error)
{
    ser_vector_free(&recording->outcome.trace.messages);
    recording->outcome = (ser_record_outcome){0};
    recording->options.trace = trace;
    if (recording->input >= 0)
        lseek(STDIN_FILENO, recording->input, SEEK_SET);
    recording->options.runtime = ser_settings_text(&recording->settings);
    recording->options.deadline = deadline_of(recording);
    ser_status status = ser_surroundings_enter(&recording->around, &recording->options, error);
    if (status == SER_OK)
        status = ser_record_program(&recording->options, &recording->outcome, error);
    ser_surroundings_leave(&recording->around);
    if (status != SER_OK)
        return status;
    if (!quietly)
        print_result(recording);
    if (recording->outcome.instrumented) {
        recording->has_recorded = true;
        return SER_OK;
    }
    if (says_nothing(recording))
        return SER_UNDECIDED; /* too soon to decide; the caller's report says so */
    return explain_no_trace(recording, error);
}

ser_status ser_recording_run(ser_recording *recording, const char *trace, ser_error *error)
{
    return record(recording, trace, false, error);
}

ser_status ser_recording_run_quietly(ser_recording *recording, const char *trace, ser_error *error)
{
    return record(recording, trace, true, error);
}
