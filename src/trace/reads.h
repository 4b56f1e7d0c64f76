/* SPDX-License-Identifier: MIT */
/*
 * reads.h - what a thread may do after a read of a different write than in the trace.
 *
 * An overlay of a trace; none (a null pointer) means the model avp: a thread stops at
 * its first changed read. A read is *changed* if the last write of its variable is
 * neither its observed one nor among those that it `accepts`, or is dirty. A thread
 * takes only steps before the smallest `limit` of its changed reads. A write is *dirty* if its
 * thread has a changed read before it. A read-modify-write that is changed writes if
 * it `writes_anyway`, a dirty value, unless it `writes_known`: then only earlier changed reads of
 * its thread make that dirty. If it does not write (a compare-exchange), its limit is
 * SER_LIMIT_NEXT. Steps of several accesses take the smallest of their
 * limits, and all their read-modify-writes are alike. An ordered-last access (SER_EVENT_LATE)
 * happens only if no changed read did.
 *
 * Data only: predictor and checker of witnesses each implement the rules on their own. Memory: 10
 * bytes per event, and the accepted writes.
 */
#ifndef SER_TRACE_READS_H
#define SER_TRACE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

/* Limits that are not events. A thread's end is a step after its last event. */
#define SER_LIMIT_NEXT UINT32_C(0)      /* the step after the read */
#define SER_LIMIT_END  (UINT32_MAX - 1) /* no thread may join this one */
#define SER_LIMIT_NONE UINT32_MAX

typedef struct ser_read_rule {
    uint32_t limit;   /* the first event of its thread, and of a step, that must not happen if it
                         changed */
    uint32_t accepts; /* a set of writes; 0: none */
} ser_read_rule;

typedef struct ser_accept_set {
    size_t first, count; /* in ser_reads.accepted: events, rising; 0 is the initial value */
} ser_accept_set;

typedef struct ser_reads {
    SER_VECTOR(ser_read_rule) rules; /* by event; meaningful for reads only */
    SER_VECTOR(bool) writes_anyway;  /* by event: of a read-modify-write */
    SER_VECTOR(bool) writes_known;   /* the same; only of those that write anyway */
    SER_VECTOR(ser_accept_set) sets; /* sets.items[0] is empty */
    SER_VECTOR(uint32_t) accepted;
} ser_reads;

/* Rules for events 1 .. count, all as in avp. */
void ser_reads_init(ser_reads *reads, uint32_t count);
void ser_reads_fini(ser_reads *reads);

/* A set of the writes, which rise; its number. */
uint32_t ser_reads_add_set(ser_reads *reads, const uint32_t *writes, size_t count);

/* The writes that a read accepts instead of its own. */
static inline const ser_accept_set *ser_reads_accept_set(const ser_reads *reads, uint32_t read)
{
    return &reads->sets.items[reads->rules.items[read].accepts];
}

/* Does the read accept the write (0: the initial value) instead of its own? O(log of the set). */
bool ser_reads_accepts(const ser_reads *reads, uint32_t read, uint32_t write);

#endif
