/* SPDX-License-Identifier: MIT */
/*
 * candidates.h - the ways in which a path could leave the block and come back.
 *
 * A violation path s -> v1 -> ... -> vn -> t may be taken such that it enters each
 * thread at most once. So either v1 and vn are of one thread, and nothing else need
 * lie between them; or they are of two, and there is a chain of conflicts and program
 * order from one to the other. A candidate is (s, v1, vn, t), with s the first access of
 * the block that may conflict with v1: whenever any s that conflicts comes before v1,
 * the first one does. Within a move paths lead both ways: v1 may also be a later step of the
 * move of vn.
 *
 * Every violation has a candidate in the list. Accesses made under a lock which the block holds
 * from its first access to its last lie on no path, and program order carries no path over a
 * section of such a lock. Of candidates with equal vn and t, and v1 of the same thread, a later v1
 * with no later s asks for less: the others are dropped, since a run that satisfies them satisfies
 * that one.
 *
 * If the task asks for one of N parts of the paths, only candidates of that part are listed: each
 * is in one part.
 */
#ifndef SER_PREDICT_SATURATION_CANDIDATES_H
#define SER_PREDICT_SATURATION_CANDIDATES_H

#include "predict/saturation/sections.h"
#include "predict/search.h"
#include "predict/task/lanes.h"

typedef struct ser_path_candidate {
    uint32_t from;        /* s */
    uint32_t first, last; /* v1, vn */
    uint32_t to;          /* t */
    uint32_t distance;    /* how far apart they were observed */
} ser_path_candidate;

/* What the block does with a variable. */
typedef struct ser_block_accesses {
    ser_range all, writes;
} ser_block_accesses;

typedef struct ser_path_candidates {
    const ser_task *task;
    const ser_lanes *lanes;
    const ser_must *must;
    const ser_search_options *options;
    SER_VECTOR(ser_path_candidate) list; /* those with equal t stand together */
    bool is_complete;                    /* there are no others of their kind */
    ser_block_accesses *of_block;        /* by variable */
    bool *kept_out;                      /* by step: on no path, and no path goes over it */
    uint32_t *exit;                      /* by step: s, if it can be v1; else SER_TASK_NONE */
} ser_path_candidates;

/* With an empty list. The options are for their limits. O(steps * threads). */
void ser_path_candidates_init(ser_path_candidates *candidates, const ser_lanes *lanes,
                              const ser_must *must, const ser_sections *sections,
                              const ser_search_options *options);
void ser_path_candidates_fini(ser_path_candidates *candidates);

/*
 * Makes the list anew: those with v1 and vn of one thread, where t and they were observed close
 * together first; or those of two threads. It is not complete if there are too many, or the
 * time is over. O(candidates + steps * log), and O(steps * threads) for each v1.
 */
void ser_path_candidates_list_near(ser_path_candidates *candidates);
void ser_path_candidates_list_far(ser_path_candidates *candidates);

/* Can the thread of v1 go on after it, or is it a broken read? */
bool ser_path_candidates_can_go_on(const ser_path_candidates *candidates, uint32_t first);

#endif
