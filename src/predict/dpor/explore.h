/* SPDX-License-Identifier: MIT */
/* explore.h - the search itself: all runs of a task, up to equivalence. */
#ifndef SER_PREDICT_DPOR_EXPLORE_H
#define SER_PREDICT_DPOR_EXPLORE_H

#include "predict/search.h"

typedef enum ser_dpor_result {
    SER_EXPLORED_ALL,     /* no run violates the block */
    SER_EXPLORED_BOUNDED, /* none with so few switches; others were left out */
    SER_EXPLORED_FOUND,   /* answer->order is one that does */
    SER_EXPLORED_STOPPED, /* answer->reason says why */
} ser_dpor_result;

/* Looks at the runs with at most `switches` insignificant context switches (all runs if
 * it is UINT32_MAX), for violations by the criterion, which may differ from that in the
 * options. Adds to answer->explored the number of runs looked at. */
ser_dpor_result ser_explore(const ser_task *task, ser_criterion criterion,
                            const ser_search_options *options, uint32_t switches,
                            ser_answer *answer);

/* The memory it takes, in bytes. */
size_t ser_explore_bytes(const ser_task *task);

#endif
