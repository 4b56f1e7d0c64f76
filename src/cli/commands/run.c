/* SPDX-License-Identifier: MIT */
/*
 * seriatim run: the main job. Records the program, under one or several schedules,
 * checks and predicts from each run, and tells the distinct bugs.
 */
#include "cli/command.h"
#include "cli/commands/run_command.h"
#include "cli/shared_options.h"

static ser_status do_it(ser_run_job *job, const ser_arguments *arguments, ser_error *error)
{
    return ser_run_schedules(job, ser_arguments_number(arguments, "schedules"), error);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    return ser_run_command("run", arguments, do_it, error);
}

static const ser_option options[] = {
    {.name = "schedules",
     .letter = 'n',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "1",
     .least = 1,
     .most = 1000000,
     .help = "run the program this many times; from the second time on threads are scheduled at "
             "random, each time with another seed"},
    SER_OPTIONS_RUN,
    SER_OPTIONS_REPORT SER_OPTIONS_RECORDING,
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
    {SER_VIOLATION, "a block was, or can be, violated; or the program deadlocked"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, a recorded trace was refused, or something could "
                "not be written"},
    {SER_UNDECIDED, "no violation was found, and something stayed undecided or was not done"},
    {SER_INTERNAL, "a bug in seriatim"},
    {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},
    {(ser_status)SER_PROGRAM_NOT_FOUND, "the program was not found"},
    {0, NULL},
};

const ser_command ser_command_run = {
    .name = "run",
    .summary = "record a program, check it, predict from it: the main job",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, which must have been built with seriatim cc or seriatim c++ (also as "
        "CC=seriatim-cc, CXX=seriatim-c++), records what its threads do, and decides for each "
        "atomic block whether it was violated, or can be in another interleaving of the same "
        "run. Each distinct bug is reported once, with the source lines of both sides, most "
        "certain "
        "first: blocks that are marked as atomic, then those under a lock, then functions.\n"
        "\n"
        "A bug's id, in brackets, stays the same from run to run and when unrelated code changes. "
        "Traces, result.json and schedules are left in the output folder.",
    .options = options,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
