/* SPDX-License-Identifier: MIT */
/*
 * seriatim explore: many runs, where prediction from one is not enough (session/run/explorer.h).
 */
#include "cli/command.h"
#include "cli/commands/run_command.h"
#include "cli/shared_options.h"
#include "session/run/explorer.h"

static ser_status do_it(ser_run_job *job, const ser_arguments *arguments, ser_error *error)
{
    const ser_exploration limits = {.seconds = ser_arguments_seconds(arguments, "seconds"),
                                    .runs = ser_arguments_number(arguments, "schedules")};
    return ser_explore_program(job, &limits, error);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    return ser_run_command("explore", arguments, do_it, error);
}

static const ser_option options[] = {
    {.name = "seconds",
     .letter = 's',
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "30",
     .help =
         "how long to go on with new runs; what was found is confirmed and reported after that"},
    {.name = "schedules",
     .letter = 'n',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 1000000,
     .help = "at most this many runs"},
    SER_OPTIONS_RUN,
    SER_OPTIONS_REPORT SER_OPTIONS_RECORDING(SER_LIMIT_OF_LATER_RUNS),
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim explore -- ./bank", "half a minute of different runs"},
    {"seriatim explore --seconds 600 --seed 7 -- ./server --selftest", "ten minutes of them"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no run, and no interleaving of one, violates a block"},
    SER_EXIT_RUN,
};

const ser_command ser_command_explore = {
    .name = "explore",
    .summary = "run a program under many schedules, and predict from each",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Does what run does, again and again: each run of PROGRAM is scheduled differently: at "
        "random, by PCT (few changes of priority), or so that two conflicting places of the "
        "program come in an order that was not seen before. The program's output is shown for "
        "the first run only.\n"
        "\n"
        "Each bug is reported once, with the trace and the schedule that show it. result.json has "
        "the scheduler and seed of every run. Traces in which nothing new was found are removed.",
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
