/* SPDX-License-Identifier: MIT */
/*
 * seriatim run: the main job. Records the program, checks and predicts from that run, goes on with
 * other schedules as far as --effort says, and reports the distinct bugs.
 */
#include <string.h>

#include "cli/command.h"
#include "cli/commands/run_command.h"
#include "cli/shared_options.h"
#include "session/run/explorer.h"

/* What --effort means: a person waits for `normal`. */
static const struct {
    const char *name;
    ser_exploration limits;
    ser_haste haste;
} efforts[] = {
    {"quick", {.runs = 1}, {.times = 2.3, .least = 10, .all = true}},
    {"normal",
     {.seconds = 1, .times = 3, .least = 64, .patience = 100},
     {.times = 10, .least = 30}},
    {"thorough", {.seconds = 30, .times = 30}, {.times = 0}},
};

static ser_status do_it(ser_run_job *job, const ser_arguments *arguments, ser_error *error)
{
    const char *effort = ser_arguments_text(arguments, "effort");
    size_t i = 0;
    while (strcmp(efforts[i].name, effort) != 0)
        i++;
    if (ser_arguments_given(arguments, "schedules"))
        return ser_run_schedules(job, ser_arguments_number(arguments, "schedules"), error);
    if (!ser_arguments_given(arguments, "budget"))
        job->options.haste = efforts[i].haste;
    if (efforts[i].limits.runs == 1)
        return ser_run_schedules(job, 1, error);
    return ser_explore_program(job, &efforts[i].limits, error);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    return ser_run_command("run", arguments, do_it, error);
}

static const ser_option options[] = {
    {.name = "effort",
     .kind = SER_OPTION_CHOICE,
     .argument = "HOW",
     .standard = "normal",
     .choices = "quick|normal|thorough",
     .help = "how long to go on with other schedules after the first run. quick: not at all, and "
             "prediction and replays take at most four times as long as the recording, or ten "
             "seconds where that is short; normal: a second or two, or three times as long as the "
             "first run took, or until "
             "nothing new comes, and up to twenty seconds for eight runs of a program that takes "
             "long, if nothing was found; thorough: half a minute, or thirty times as long"},
    {.name = "schedules",
     .letter = 'n',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 1000000,
     .help = "instead of --effort: run the program this many times; from the second time on "
             "threads are scheduled at random, each time with another seed"},
    SER_OPTIONS_RUN,
    SER_OPTIONS_REPORT SER_OPTIONS_RECORDING(SER_LIMIT_OF_LATER_RUNS),
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim run -- ./bank", "is ./bank atomic where it is meant to be?"},
    {"seriatim run --schedules 20 --seed 7 -- ./bank 100", "twenty different runs of it"},
    {"seriatim run --atomic locks -- ./server --selftest", "are critical sections large enough?"},
    {"seriatim run --json - -- ./bank | jq '.violations[].function'", "for scripts"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no interleaving of what was recorded violates a block"},
    SER_EXIT_RUN,
};

const ser_command ser_command_run = {
    .name = "run",
    .summary = "the main command: record a program, find violations, confirm them",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, which must have been built with seriatim cc or seriatim c++ (also as "
        "CC=seriatim-cc, CXX=seriatim-c++) or be a java command, records what its threads do, and "
        "decides for each "
        "atomic block whether it was violated, or can be in another interleaving of the same "
        "run. Then runs it again under other schedules, as explore does, without its output: a "
        "signal, another exit status or a deadlock there is reported as well. Each distinct bug is "
        "reported once, with the source lines of both sides, most certain first: blocks that are "
        "marked as atomic, then critical sections, then functions.\n"
        "\n"
        "Then predicted violations are replayed in the program, to confirm them. Where no "
        "violation "
        "is certain, candidates are replayed: interleavings that are possible only if threads take "
        "the same paths after reads of different writes. Those that happen in the program are "
        "reported (--candidates). With --no-replay nothing is replayed.\n"
        "\n"
        "A bug's id, in brackets, stays the same from run to run and when unrelated code changes. "
        "Traces, result.json and schedules are left in the output folder.",
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
