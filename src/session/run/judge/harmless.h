/* SPDX-License-Identifier: MIT */
/*
 * harmless.h - violations of blocks that nobody has said are atomic, which seem to do no harm.
 *
 * A function that looks a key up in one critical section, and adds it in another that looks once
 * more, is not atomic, and mostly right. So are algorithms on atomic variables, and a critical
 * section that uses the data of another lock, which it takes each time. A violation of such a
 * section, of a function, or of a round of a loop, counts as harmless if there is no data race on
 * what shows it, the block never overwrites what it has read before and others may have changed
 * since, and the program did the same when it was interrupted there. One of a whole thread function
 * is harmless if the program did the same: nothing else speaks for it.
 */
#ifndef SER_SESSION_RUN_JUDGE_HARMLESS_H
#define SER_SESSION_RUN_JUDGE_HARMLESS_H

#include "report/dossier/plain_names.h"
#include "report/run_report.h"
#include "session/run/survey/uses.h"

/* What is asked of a run: made when it is asked first. */
typedef struct ser_care {
    const ser_run *run;
    bool guessed;                /* nobody said what is atomic */
    const ser_run *first;        /* of the program; NULL: this is it, or it is gone */
    const ser_event_list *order; /* of all events, in the violation that is asked about; NULL: that
                                    of the run */
    ser_uses uses;
    bool *racy;             /* NULL: not known yet */
    bool *spun;             /* by variable: it synchronises threads (survey/spun.h) */
    bool *own;              /* by variable: the C++ library's own; found with the races */
    ser_plain_names *names; /* for pictures: to make them takes a look at all events */
} ser_care;

void ser_care_fini(ser_care *care);

/* Is a block, by its index, such a section, a function or a round? Is there no race on what the
 * events access, and does the block not overwrite what others may have changed since it was read?
 */
bool ser_care_is_taken(ser_care *care, uint32_t block, const uint32_t *events, size_t count);

/* The bug was found once more, in that block: was care taken in all of them, and did nobody mean
 * any of them (judge/meant.h)? */
void ser_care_note(ser_care *care, ser_bug *bug, bool is_new, uint32_t block,
                   const uint32_t *events, size_t count);

/* The bug is to be shown by another run: what is known of all its blocks stays. */
void ser_care_carry_over(ser_bug *better, const ser_bug *bug);

/* Notes why a violation by the definition is not a bug, unless that is known. */
void ser_bug_note_minor(ser_bug *bug, const char *why);

/* Did --atomic, or nothing, leave it to us which blocks are atomic? */
bool ser_blocks_are_guessed(const char *atomic);

/* Makes bugs that are harmless, and happened, minor ones, if their blocks were guessed; and those
 * that are not certain and did not happen, in any case; where there were replays, also those that
 * look harmless and that none has shown. */
void ser_run_mark_harmless(ser_run_report *report, bool replays);

#endif
