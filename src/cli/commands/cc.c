/* SPDX-License-Identifier: MIT */
/*
 * seriatim cc, seriatim c++: clang with instrumentation. Their arguments are
 * clang's, except for what comes first.
 */
#include <stdio.h>

#include "cli/command.h"
#include "driver/driver.h"

static ser_status run_cc(int argc, char **argv, ser_error *error)
{
    return ser_driver_run(false, argc, argv, error);
}

static ser_status run_cxx(int argc, char **argv, ser_error *error)
{
    return ser_driver_run(true, argc, argv, error);
}

static const ser_option options[] = {
    {.name = "tsan-abi",
     .help = "as first argument: insert the calls of the thread sanitizer instead of ours, "
             "and link with our runtime, not the sanitizer's"},
    {.name = "no-copies",
     .help = "as first argument: make no copies of functions for runs without a recorder: smaller "
             "objects, compiled in two thirds of the time, that run slowly without one"},
    {.name = "help", .letter = 'h', .help = "as only argument: print this text"},
    {.name = NULL},
};

static const char description[] =
    "Compiles and links like clang, and takes all its options. Objects compiled this way call the "
    "recorder for every access of memory that threads may share, and for every call of a function; "
    "programs and shared libraries are linked with the runtime libseriatim-rt.so. Without a "
    "recorder they run as always: each function has a copy that is not instrumented.\n"
    "\n"
    "Debug information is asked for (-g), since names of variables and lines of the source "
    "come from it; an option such as -g0 in the command line overrides that. The macro "
    "__SERIATIM__ is defined, and <seriatim/annotate.h> is found.\n"
    "\n"
    "seriatim-cc and seriatim-c++ are the same commands under one name, for CC= and CXX=. "
    "SERIATIM_CLANG names another clang of the same LLVM version, SERIATIM_RUNTIME "
    "another runtime library.";

static const ser_exit_code exit_codes[] = {
    {SER_OK, "clang succeeded"},
    {SER_VIOLATION, "clang reported an error"},
    {SER_INPUT, "clang or a part of seriatim is missing"},
    {0, NULL},
};

static const ser_example cc_examples[] = {
    {"seriatim cc -O2 -pthread bank.c -o bank", "build a program"},
    {"make CC=seriatim-cc", "build a project"},
    {NULL, NULL},
};

static const ser_example cxx_examples[] = {
    {"seriatim c++ -std=c++17 -O2 -pthread bank.cc -o bank", "build a program"},
    {"cmake -DCMAKE_C_COMPILER=seriatim-cc -DCMAKE_CXX_COMPILER=seriatim-c++ ..",
     "build a project"},
    {NULL, NULL},
};

const ser_command ser_command_cc = {
    .name = "cc",
    .summary = "compile C so that runs of the program can be recorded",
    .usage = "[--tsan-abi] [--no-copies] ARGUMENTS-OF-CLANG",
    .description = description,
    .options = options,
    .examples = cc_examples,
    .exit_codes = exit_codes,
    .run_as_is = run_cc,
};

const ser_command ser_command_cxx = {
    .name = "c++",
    .summary = "the same for C++",
    .usage = "[--tsan-abi] [--no-copies] ARGUMENTS-OF-CLANG",
    .description = description,
    .options = options,
    .examples = cxx_examples,
    .exit_codes = exit_codes,
    .run_as_is = run_cxx,
};
