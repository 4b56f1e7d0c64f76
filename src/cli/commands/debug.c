/* SPDX-License-Identifier: MIT */
/*
 * seriatim debug: prints spools and rings of a recording, for developers of seriatim. It is not in
 * the list of commands; CONTRIBUTING.md describes it.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "record/dump/dump.h"

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    if (ser_arguments_operand_count(arguments) < 2)
        return ser_fail(error, SER_USAGE,
                        "an argument is missing: spool or ring; see seriatim debug --help");
    const char *what = ser_arguments_operand(arguments, 0);
    const char *where = ser_arguments_operand(arguments, 1);
    if (strcmp(what, "spool") == 0)
        return ser_dump_spool(where, stdout, error);
    if (strcmp(what, "ring") == 0)
        return ser_dump_channel(where, ser_arguments_number(arguments, "last"), stdout, error);
    return ser_fail(error, SER_USAGE, "debug shows a spool or a ring, not \"%s\"", what);
}

static const ser_option options[] = {
    {.name = "last",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "20",
     .most = SER_RING_RECORDS,
     .help = "ring: print at most N records of each ring, the last ones"},
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim debug spool run.srt.part", "the records of a recording whose recorder was killed"},
    {"seriatim debug ring $(pidof seriatim)", "what the recorded program did last"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "all of it was printed"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "it cannot be read, or is damaged; what could be read was printed"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_debug = {
    .name = "debug",
    .summary = "print the raw records of a recording",
    .usage = "[options] spool FILE | ring PID|FILE",
    .description = "For developers of seriatim; what is printed may change at any time.\n"
                   "\n"
                   "spool FILE prints the records of a spool, TRACE.part, which is there while a "
                   "program is recorded and stays if the recorder dies. Faults are marked by ! and "
                   "do not end it.\n"
                   "\n"
                   "ring PID prints the state of a recording that is under way: PID is the process "
                   "of seriatim. ring FILE does so with a copy of the shared memory.",
    .most_operands = 2,
    SER_COMMAND_PARTS,
};
