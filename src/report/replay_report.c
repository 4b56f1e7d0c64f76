/* SPDX-License-Identifier: MIT */
#include "report/replay_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"

static void print_ending(const ser_replay_result *result, FILE *file)
{
    if (result->deadlock)
        ser_print(file, "The program deadlocked and was ended.\n");
    else if (result->out_of_grace)
        ser_print(file, "The program went on after the schedule, and was ended (--grace).\n");
    else if (result->signal)
        ser_print(file, "The program was ended by signal %d (%s).\n", result->signal,
                  strsignal(result->signal));
    else
        ser_print(file, "The program ended with status %d.\n", result->status);
}

const char *ser_replay_outcome_name(ser_replay_outcome outcome)
{
    static const char *const names[] = {"untested", "confirmed", "refuted"};
    return names[outcome];
}

static void print_shown(const ser_replay_report *report, FILE *file)
{
    if (report->result->misuses_memory)
        ser_print(file, "The program used memory that was freed.\n");
    if (!report->block) {
        ser_print(file, "shown: the recorded run happened again\n");
        return;
    }
    const ser_symbols *symbols = report->run->symbols;
    const ser_event *first = &report->run->events[report->block];
    const char *location = ser_symbols_shown_location(symbols, first->site);
    ser_print(file, "shown: block %" PRIu32 " of %s%s%s%s was violated in the real program\n",
              report->block, ser_symbols_shown_name(symbols, SER_SPACE_THREAD, first->thread),
              *location ? " (" : "", location, *location ? ")" : "");
}

void ser_replay_report_text(const ser_replay_report *report, FILE *file)
{
    const ser_replay_result *result = report->result;
    if (result->other_build)
        ser_print(file, "The program is a different build from the one that was recorded.\n");
    if (result->missing_inputs)
        ser_print(file,
                  "%" PRIu64
                  " call%s for the time, random numbers or process numbers had not been recorded "
                  "and returned new values.\n",
                  result->missing_inputs, result->missing_inputs == 1 ? "" : "s");
    if (result->verdict != SER_REPLAY_DIVERGED)
        print_ending(result, file);
    if (result->outcome == SER_REPLAY_REFUTED)
        ser_print(file, "Refuted: a thread that read a different write left its recorded path, and "
                        "the block was not violated.\n");
    if (result->verdict == SER_REPLAY_DIVERGED && result->event)
        ser_print(file, "diverged at event %" PRIu32 ": %s (%u attempt%s)\n", result->event,
                  result->reason, result->attempts, result->attempts == 1 ? "" : "s");
    else if (result->verdict == SER_REPLAY_DIVERGED)
        ser_print(file, "diverged: %s (%u attempt%s)\n", result->reason, result->attempts,
                  result->attempts == 1 ? "" : "s");
    else if (result->verdict == SER_REPLAY_SHOWN)
        print_shown(report, file);
    else
        ser_print(file, "not shown: %s\n", result->reason);
}

void ser_replay_report_json(const ser_replay_report *report, ser_json *json)
{
    static const char *const verdicts[] = {"shown", "not shown", "diverged"};
    const ser_replay_result *result = report->result;
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "replay");
    ser_json_text_at(json, "verdict", verdicts[result->verdict]);
    ser_json_text_at(json, "outcome", ser_replay_outcome_name(result->outcome));
    ser_json_bool_at(json, "byPlace", result->by_place);
    ser_json_key(json, "block");
    if (report->block)
        ser_json_number(json, report->block);
    else
        ser_json_null(json);
    ser_json_number_at(json, "attempts", result->attempts);
    ser_json_key(json, "divergedAt");
    if (result->verdict == SER_REPLAY_DIVERGED && result->event)
        ser_json_number(json, result->event);
    else
        ser_json_null(json);
    ser_json_text_at(json, "reason", result->reason);
    ser_json_bool_at(json, "otherBuild", result->other_build);
    ser_json_number_at(json, "missingInputs", result->missing_inputs);
    ser_json_number_at(json, "exit", (uint64_t)result->status);
    ser_json_number_at(json, "signal", (uint64_t)result->signal);
    ser_json_close_object(json);
}
