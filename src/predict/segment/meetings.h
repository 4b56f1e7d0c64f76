/* SPDX-License-Identifier: MIT */
/*
 * meetings.h - small parts of the run in which a block and another thread interfere.
 *
 * Where reads may change, little is ordered, and the exact segment of a block (tas.h) is most
 * of the run. Violations are mostly found in far less. A meeting is a block, narrowed to its
 * accesses that conflict with a few events of another thread, and these events. Its segment
 * begins where both are about to start: all that must happen before one of them by the order
 * of the model avp, and after neither, has happened. It ends with what both need.
 *
 * Searching only there is sound for violations, but does not prove their absence.
 */
#ifndef SER_PREDICT_MEETINGS_H
#define SER_PREDICT_MEETINGS_H

#include "order/index.h"
#include "order/order.h"
#include "predict/segment/segment.h"

enum { SER_MOST_MEETINGS = 6 };

/* Where meetings are looked for. */
typedef struct ser_meeting_place {
    const ser_order *order;   /* of the model avp */
    const ser_order *loosest; /* of the model in which every read may change */
    const ser_index *index;
} ser_meeting_place;

typedef struct ser_meeting {
    uint32_t block;
    uint32_t upper, lower; /* the first and last access of the block that conflicts */
    uint32_t first, last;  /* events of the other thread */
} ser_meeting;

/* Of a block with accesses, the nearest in the observed run first; how many there are.
 * O(accesses of the block * log events). */
size_t ser_meetings_find(const ser_meeting_place *place, uint32_t block,
                         ser_meeting meetings[SER_MOST_MEETINGS], ser_meter *meter);

/* With `sources`, the reads of the segment can have the writes that they had. NULL if it is of
 * more than `most` events, or the meter was over. */
ser_segment *ser_meeting_segment(const ser_meeting_place *place, const ser_meeting *meeting,
                                 bool sources, uint64_t most, ser_meter *meter);

#endif
