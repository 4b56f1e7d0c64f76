/* SPDX-License-Identifier: MIT */
/*
 * visited.h - the set of states that were seen, by 128-bit fingerprints.
 *
 * Two different states with one fingerprint would make the search miss something;
 * with 2^40 states the chance of one such pair is below 2^-48.
 */
#ifndef SER_PREDICT_STATES_VISITED_H
#define SER_PREDICT_STATES_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ser_fingerprint {
    uint64_t low, high;
} ser_fingerprint;

/* An all-zero set is empty and valid. */
typedef struct ser_visited {
    ser_fingerprint *slots; /* {0, 0} is an empty one */
    size_t count, capacity; /* capacity is 0 or a power of two */
} ser_visited;

void ser_visited_fini(ser_visited *visited);

/* True if the fingerprint is new; it is known from then on. */
bool ser_visited_add(ser_visited *visited, ser_fingerprint print);

/* The bytes that the set would take after one more state. */
size_t ser_visited_bytes(const ser_visited *visited);

#endif
