/* SPDX-License-Identifier: MIT */
/*
 * evidence.h - which run shows a bug, and what the program printed in it.
 *
 * A violation that seems to do no harm (judge/harmless.h) is judged by what the program prints. So
 * a run that prints what no earlier run did is better evidence than one that prints the usual: the
 * same two functions may do no harm in one order of their threads, and harm in the other. What
 * runs print in which no block was interrupted is right, whatever it is. How a run ends, where it
 * is not as the first one did, counts as a part of what it prints.
 */
#ifndef SER_SESSION_RUN_EVIDENCE_EVIDENCE_H
#define SER_SESSION_RUN_EVIDENCE_EVIDENCE_H

#include "order/run.h"
#include "report/run_report.h"

/* Notes what the last run of the report has printed, and whether an earlier one did the same. The
 * file is kept under another name if it is the first of its kind, of a few, or removed. */
void ser_note_printed(ser_run_report *report, const char *output);

/* Removes the files that were kept. */
void ser_remove_printed(ser_run_report *report);

/* Did the last run print something new, unlike the one that shows the bug now? Only of functions
 * and rounds that seem to do no harm: critical sections are meant to be atomic. */
bool ser_is_better_evidence(const ser_run_report *report, const ser_bug *bug);

/* Did the last run end by a signal or with another status than the first, and its last step belong
 * to the block? Then the program failed in the middle of what others had interrupted, and cannot be
 * said to have done the same. `run` is what was recorded of it. */
bool ser_fails_within(const ser_run_report *report, const ser_run *run, uint32_t block);

/* Is it not known what that run of the report has printed, or did a run print the same in which no
 * block was interrupted? */
bool ser_is_usual_run(const ser_run_report *report, size_t run);

/* Did a run print these lines in which no block was interrupted? */
bool ser_is_usual_output(const ser_run_report *report, const char *output);

/* Does what a replay printed differ from what the first run did only in what is different in each
 * run in which no block was interrupted? If there are three of these; of a program that looks at
 * the clock, in each run. */
bool ser_is_unsteady_difference(const ser_run_report *report, bool is_timed, const char *before,
                                const char *after);

/* A violation is felt, too, if the very run that shows it printed what no run did in which no block
 * was interrupted: the monitor's are not replayed, and a replay of others shows only the shortest
 * way to them. Not in programs that print this or that in any case. To be asked when all runs are
 * there. What was printed is reported, unless that is to stay secret. */
void ser_note_felt_in_runs(ser_run_report *report, bool redact);

/* Notes the last line that the program printed before it ended itself by SIGABRT: an assertion says
 * there what failed. */
void ser_note_last_words(ser_run_report *report);

#endif
