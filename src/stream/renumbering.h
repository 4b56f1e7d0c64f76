/* SPDX-License-Identifier: MIT */
/*
 * renumbering.h - inside of excerpt: small numbers for the threads and objects of a window.
 */
#ifndef SER_STREAM_RENUMBERING_H
#define SER_STREAM_RENUMBERING_H

#include "base/vector.h"
#include "trace/event.h"

typedef struct ser_new_number {
    uint32_t stamp, number; /* valid if the stamp is that of the window */
} ser_new_number;

typedef struct ser_new_numbers {
    SER_VECTOR(ser_new_number) of; /* by old number */
    uint32_t count;
} ser_new_numbers;

typedef struct ser_renumbering {
    uint32_t stamp;
    ser_new_numbers spaces[SER_SPACE_COUNT];
    SER_VECTOR(uint32_t)
    threads; /* old numbers of the window's threads, by new; UINT32_MAX: none */
} ser_renumbering;

/* For the next window. */
void ser_renumbering_restart(ser_renumbering *all);

bool ser_renumbering_has(const ser_renumbering *all, ser_space space, uint32_t old);

/* The new number; the next one if it has none yet. */
uint32_t ser_renumbering_of(ser_renumbering *all, ser_space space, uint32_t old);

/* Of its thread, and of its object where that has an effect. */
ser_event ser_renumbering_event(ser_renumbering *all, const ser_event *event);

/* The next number, for a thread that is in no trace. */
uint32_t ser_renumbering_add_thread(ser_renumbering *all);

#endif
