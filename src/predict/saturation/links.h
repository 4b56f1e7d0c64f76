/* SPDX-License-Identifier: MIT */
/*
 * links.h - how a path may get from one thread to another.
 *
 * A path that has reached an access, the front, goes on along its thread and leaves it by a
 * conflict, the link, for another thread. To get to an access, the target, it comes by a link to
 * the target or to an access before it in its thread. Links that ask for more than another one are
 * dropped: from the front's thread the first access that conflicts is enough, and in the target's
 * thread the last one.
 */
#ifndef SER_PREDICT_SATURATION_LINKS_H
#define SER_PREDICT_SATURATION_LINKS_H

#include "predict/saturation/candidates.h"

typedef struct ser_link {
    uint32_t from, to;
} ser_link;

typedef SER_VECTOR(ser_link) ser_link_list;

/* The part of a path that is still open: from the front to the target, by threads that
 * are not used. Their own are, and so is the block's. */
typedef struct ser_path_gap {
    uint32_t front, target; /* SER_TASK_NONE as the target: any */
    bool can_go_on;         /* the front's thread may go on: it is not broken */
    bool *used;             /* by thread */
} ser_path_gap;

/* Into links: those from the front's thread to the target's or to unused ones; and those
 * from the front's or from unused ones to the target's. One of either list is on each path
 * that closes the gap. O(accesses of the thread * threads). */
void ser_links_forwards(const ser_path_candidates *candidates, const ser_path_gap *gap,
                        ser_link_list *links);
void ser_links_backwards(const ser_path_candidates *candidates, const ser_path_gap *gap,
                         ser_link_list *links);

#endif
