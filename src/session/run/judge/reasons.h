/* SPDX-License-Identifier: MIT */
/*
 * reasons.h - why a violation is one by the definition, but nobody has to fix it: the questions
 * that are put to what was predicted and to what the monitor alone has seen.
 */
#ifndef SER_SESSION_RUN_JUDGE_REASONS_H
#define SER_SESSION_RUN_JUDGE_REASONS_H

#include "order/run.h"
#include "witness/checker.h"

typedef struct ser_judging {
    const ser_run *run;
    const ser_run *first; /* the first run of the program; NULL: this is it, or it is gone */
    bool guessed;         /* nobody said what is atomic */
    bool **owned;         /* where ser_last_owners_find of the run is kept, once it was asked; the
                             caller frees it. NULL: it is not kept */
} ser_judging;

/* NULL: it is a bug. The block is one of the run, violated by the path of the facts. O(events). */
const char *ser_why_no_bug(const ser_judging *judging, uint32_t block,
                           const ser_witness_facts *facts);

#endif
