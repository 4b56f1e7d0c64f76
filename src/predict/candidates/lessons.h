/* SPDX-License-Identifier: MIT */
/*
 * lessons.h - limits of reads, learnt from refuted candidates.
 *
 * A replay in which a read changed and its thread left the recorded path at an event has shown
 * that this event is a limit of the read (trace/reads.h). Another run of the same code is taken to
 * be alike: a read at the same place has the same limit, counted in events of its thread, if all
 * events up to there are of the same operations and places.
 */
#ifndef SER_PREDICT_LESSONS_H
#define SER_PREDICT_LESSONS_H

#include "order/run.h"

typedef struct ser_lesson {
    uint32_t read;
    uint32_t events; /* of its thread from the read to the limit; 0: it stops at once */
} ser_lesson;

typedef struct ser_lessons {
    SER_VECTOR(ser_lesson) all;
} ser_lessons;

/* The limit: a later event of the read's thread, or SER_LIMIT_NEXT. */
void ser_lessons_add(ser_lessons *lessons, const ser_run *run, uint32_t read, uint32_t limit);

/* The limit of a read: an event, SER_LIMIT_NEXT, or SER_LIMIT_NONE if none was learnt. */
uint32_t ser_lessons_limit(const ser_lessons *lessons, const ser_run *run, uint32_t read);

#endif
