/* SPDX-License-Identifier: MIT */
/*
 * state_set.h - a set of byte strings: the states in which a search has been.
 */
#ifndef SER_ORACLE_STATE_SET_H
#define SER_ORACLE_STATE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct state_set {
    SER_VECTOR(uint8_t) bytes; /* all keys, each after its length (two bytes) */
    size_t *slots;             /* 1 + where a key starts; 0: free */
    size_t slot_count;         /* a power of two */
    size_t count;
} state_set;

void state_set_init(state_set *set);
void state_set_fini(state_set *set);

/* True if the key was not there; then it is. */
bool state_set_add(state_set *set, const uint8_t *key, size_t length);

#endif
