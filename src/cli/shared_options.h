/* SPDX-License-Identifier: MIT */
/*
 * shared_options.h - options that several commands have; translate.h turns them into the options of
 * src/session.
 */
#ifndef SER_CLI_SHARED_OPTIONS_H
#define SER_CLI_SHARED_OPTIONS_H

#include "cli/command.h"

/* How much work prediction may do, with the standard time for a block. */
#define SER_OPTIONS_EFFORT(SECONDS)                                                                \
    {.name = "timeout",                                                                            \
     .letter = 't',                                                                                \
     .kind = SER_OPTION_SECONDS,                                                                   \
     .argument = "SECONDS",                                                                        \
     .standard = SECONDS,                                                                          \
     .help = "give up on a block after this time; it stays unknown"},                              \
        {.name = "model",                                                                          \
         .kind = SER_OPTION_CHOICE,                                                                \
         .argument = "NAME",                                                                       \
         .standard = "auto",                                                                       \
         .choices = "auto|avp|data|guards",                                                        \
         .help = "when a thread may go on after a read of a different write. avp: never, it "      \
                 "stops there; data: if the recorded value is the same, or is only stored, which " \
                 "finds more and takes longer; guards: also if every branch that depends on the "  \
                 "value goes the same way; auto: avp, then guards within a small budget. All are " \
                 "certain: what is found is possible"},                                            \
        {.name = "memory",                                                                         \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "MB",                                                                         \
         .least = 1,                                                                               \
         .most = UINT64_C(1) << 30,                                                                \
         .help = "memory for the search of one block, in megabytes; all jobs together, and the "   \
                 "survey of the trace before them, may use the sum; if not given, half of the "    \
                 "machine's divided by the number of jobs"},                                       \
    {                                                                                              \
        .name = "jobs", .letter = 'j', .kind = SER_OPTION_NUMBER, .argument = "N", .least = 1,     \
        .most = 1024,                                                                              \
        .help = "blocks to work on at the same time; if not given, as many as there are cores"     \
    }

/* How a program is forced through an interleaving. */
#define SER_OPTIONS_REPLAYING                                                                      \
    {.name = "attempts",                                                                           \
     .kind = SER_OPTION_NUMBER,                                                                    \
     .argument = "N",                                                                              \
     .standard = "3",                                                                              \
     .least = 1,                                                                                   \
     .most = 1000000,                                                                              \
     .help = "replay up to N times if the program diverges from the schedule"},                    \
    {                                                                                              \
        .name = "grace", .kind = SER_OPTION_SECONDS, .argument = "SECONDS", .standard = "10",      \
        .help = "how long the program may continue after a replayed schedule"                      \
    }

/* How the program is run, and what of it is recorded. UNLIMITED: how long it may take without
 * --run-limit. */
#define SER_OPTIONS_RUNNING(UNLIMITED)                                                             \
    {.name = "mode",                                                                               \
     .kind = SER_OPTION_CHOICE,                                                                    \
     .argument = "MODE",                                                                           \
     .standard = "serial",                                                                         \
     .choices = "serial|parallel",                                                                 \
     .help = "serial: one thread runs at a time, and the same seed gives the same run; parallel: " \
             "threads run at once, for programs that need their cores"},                           \
        {.name = "scheduler",                                                                      \
         .kind = SER_OPTION_CHOICE,                                                                \
         .argument = "NAME",                                                                       \
         .choices = "round-robin|random|pct",                                                      \
         .help = "how the next thread is chosen in serial mode; if not given, round-robin"},       \
        {.name = "seed",                                                                           \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .most = UINT64_MAX,                                                                       \
         .help = "what the random decisions of the scheduler depend on; if not given, 1"},         \
        {.name = "quantum",                                                                        \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = UINT32_MAX,                                                                       \
         .help = "events until the next thread's turn, on average; if not given, 4000"},           \
        {.name = "depth",                                                                          \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = 64,                                                                               \
         .help = "for pct: how many ordering decisions a bug may need; if not given, 3"},          \
        {.name = "length",                                                                         \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = UINT64_MAX,                                                                       \
         .help = "for pct: how many events the run is expected to have; if not given, 100000"},    \
        {.name = "no-calls", .help = "do not record calls of functions and returns"},              \
        {.name = "runtime",                                                                        \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "A=1:B=2",                                                                    \
         .help =                                                                                   \
             "further settings, as in the environment variable SERIATIM_OPTIONS; help=1 lists "    \
             "them"},                                                                              \
        {.name = "run-limit",                                                                      \
         .kind = SER_OPTION_SECONDS,                                                               \
         .argument = "SECONDS",                                                                    \
         .help = "end the program after this time, and go on with what was recorded" UNLIMITED},   \
        {.name = "include",                                                                        \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "PATTERNS",                                                                   \
         .help = "Java: also record classes of its library that match one of these patterns, "     \
                 "separated by commas, such as java.text.*"},                                      \
        {.name = "exclude",                                                                        \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "PATTERNS",                                                                   \
         .help = "Java: do not record what classes access that match one of these patterns"},      \
    {                                                                                              \
        .name = "dump-classes", .kind = SER_OPTION_TEXT, .argument = "DIR",                        \
        .help = "Java: write rewritten classes into this folder, for debugging"                    \
    }

#define SER_LIMIT_OF_LATER_RUNS                                                                    \
    ". Without it: the first run takes as long as it takes, later ones and replays ten times as "  \
    "long as it or 10 seconds, whichever is more"

/* The same, with what goes for recordings that have an end. */
#define SER_OPTIONS_RECORDING(UNLIMITED)                                                           \
    SER_OPTIONS_RUNNING(UNLIMITED),                                                                \
        {.name = "exact",                                                                          \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "N",                                                                          \
         .help = "operations after which accesses of memory that threads do not share are "        \
                 "elided: a number, or all to record everything; if not given, 1000000"},          \
        {.name = "inputs",                                                                         \
         .help = "record times, random numbers and process numbers, and give them back in "        \
                 "replays; the default, unless the setting inputs=0 is given"},                    \
        {.name = "no-inputs", .help = "neither record nor replay nondeterministic inputs"},        \
        {.name = "limit",                                                                          \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "N",                                                                          \
         .help =                                                                                   \
             "record no more than this many events (10M), bytes (2Gbytes) or seconds (30s), or "   \
             "several of these with commas; the program goes on. Without it: as many events as "   \
             "an analysis can hold in half of the memory"},                                        \
    {                                                                                              \
        .name = "verify",                                                                          \
        .help = "compare every value read with the value written last, and say where they differ"  \
    }

/* What is not to be reported; suppressing.h acts on them. */
#define SER_OPTIONS_SUPPRESS                                                                       \
    {.name = "suppress",                                                                           \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "FILE",                                                                           \
     .help = "do not report findings that match a rule in this file (docs/reports.md); warns of "  \
             "rules that match nothing"},                                                          \
        {.name = "baseline",                                                                       \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "SARIF",                                                                      \
         .help = "do not report findings of this earlier report: only new ones"},                  \
    {                                                                                              \
        .name = "gen-suppressions", .kind = SER_OPTION_TEXT, .argument = "FILE",                   \
        .help = "write a rule for --suppress for each finding"                                     \
    }

/* What the program finds at the start of each run; ser_surroundings_of acts on them. */
#define SER_OPTIONS_SURROUNDINGS(FIRST)                                                            \
    {.name = "scratch",                                                                            \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "DIR",                                                                            \
     .help = "start each run in a copy of this folder of its own, which is removed afterwards "    \
             "unless something was found in that run"},                                            \
    {                                                                                              \
        .name = "reset", .kind = SER_OPTION_TEXT, .argument = "COMMAND",                           \
        .help = "a command for the shell that restores what runs change, executed before every "   \
                "run" FIRST                                                                        \
    }

#define SER_OPTION_REDACT                                                                          \
    {                                                                                              \
        .name = "redact",                                                                          \
        .help = "leave no values of variables, no inputs and no output of the program in files; "  \
                "fewer violations are certain without values"                                      \
    }

/* Where an id is looked up. */
#define SER_OPTION_FOLDER                                                                          \
    {                                                                                              \
        .name = "folder", .letter = 'f', .kind = SER_OPTION_TEXT, .argument = "DIR",               \
        .standard = "seriatim.out",                                                                \
        .help = "the output folder of run or explore in which an ID is looked up"                  \
    }

/* What run and explore have in common. */
#define SER_OPTIONS_RUN                                                                            \
    {.name = "output",                                                                             \
     .letter = 'o',                                                                                \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "DIR",                                                                            \
     .standard = "seriatim.out",                                                                   \
     .help = "folder for results: traces, result.json, a schedule for each violation"},            \
        {.name = "atomic",                                                                         \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "MODE|FILE",                                                                  \
         .standard = "auto",                                                                       \
         .help = SER_HELP_ATOMIC("annotations")},                                                  \
        {.name = "verbose",                                                                        \
         .help = "also show what is otherwise only counted: violations that are no bugs, such as " \
                 "loops "                                                                          \
                 "that wait for another thread, and those that the program has refuted"},          \
        {.name = "report",                                                                         \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "DIR|FILE",                                                                   \
         .help = "write a report as well, as `seriatim report -o` does: a folder gets all "        \
                 "formats; the name of a file selects its format"},                                \
        {.name = "ci",                                                                             \
         .help = "for CI servers: one line per finding, and report.sarif, junit.xml and "          \
                 "index.html in "                                                                  \
                 "the output folder"},                                                             \
        {.name = "fail-on",                                                                        \
         .kind = SER_OPTION_CHOICE,                                                                \
         .argument = "WHAT",                                                                       \
         .standard = "confirmed",                                                                  \
         .choices = "confirmed|predicted|none",                                                    \
         .help = "which findings make the exit status 1: those that were seen in the program, or " \
                 "also those that are only predicted (the default with --no-replay), or none"},    \
        SER_OPTIONS_SUPPRESS, SER_OPTIONS_EFFORT("10"),                                            \
        {.name = "no-replay", .help = "do not replay predicted violations in the program"},        \
        {.name = "candidates",                                                                     \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .standard = "3",                                                                          \
         .most = 1000,                                                                             \
         .help = "for code without a certain violation, replay up to this many interleavings "     \
                 "that are possible only if threads take the same paths after reads of different " \
                 "writes, and report those that happen in the program; 0: none"},                  \
        SER_OPTIONS_REPLAYING, SER_OPTIONS_SURROUNDINGS(" but the first"), SER_OPTION_REDACT,      \
        {.name = "disk",                                                                           \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "MB",                                                                         \
         .standard = "10000",                                                                      \
         .least = 1,                                                                               \
         .most = UINT64_C(1) << 40,                                                                \
         .help = "megabytes that the output folder may have; above it, traces in which nothing "   \
                 "was found are removed, oldest first, and then no new run is made"},              \
        {.name = "lenient",                                                                        \
         .help = "drop events that break a rule of well-formed traces, instead of refusing the "   \
                 "trace"},                                                                         \
    {                                                                                              \
        .name = "program-status",                                                                  \
        .help = "exit with the program's own status instead of the verdict"                        \
    }

#endif
