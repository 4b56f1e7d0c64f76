/* SPDX-License-Identifier: MIT */
/*
 * loose.h - a sample by another model than its own: by avp, or by that of candidates.
 */
#ifndef SER_ORACLE_LOOSE_H
#define SER_ORACLE_LOOSE_H

#include "sample.h"

/* The sample by another model. */
typedef struct variant {
    sample s;
    ser_reads reads;
    bool ready; /* it was not too large for brute force */
} variant;

/* By these rules for reads; NULL: avp. Its world is to be finished. */
void vary(variant *v, const sample *s, const ser_reads *reads);

/* By these rules for reads, and by care about what broken read-modify-writes leave behind
 * (avp_world.h). Its world is to be finished. */
void vary_carefully(variant *v, const sample *s, const ser_reads *reads);

/* By data, without guards. World and reads are to be finished. */
void make_unguarded(variant *v, const sample *s);

/* As candidates: no read stops its thread. World and reads are to be finished. */
void make_loose(variant *v, const sample *s);

/* By the path criterion. */
bool is_violated(const sample *s, size_t block);

#endif
