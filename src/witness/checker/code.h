/* SPDX-License-Identifier: MIT */
/*
 * checker/code.h - inside of the checker: what the texts of reads and writes say that name other
 * reads (contract/guards.def), found in the observed trace.
 *
 * A key stands for the thread's last read with it. Where operations were elided since that read, or
 * a text is missing, it may stand for another: such an event is a barrier, behind which a thread
 * does not come once it has read another value; as is a write whose expression does not give what
 * was written.
 *
 * A read-modify-write has read what its source wrote, if that is known.
 *
 * Memory: 9 bytes per event, and one entry for each key in a text. Read-only once found.
 */
#ifndef SER_WITNESS_CHECKER_CODE_H
#define SER_WITNESS_CHECKER_CODE_H

#include "trace/symbols.h"
#include "witness/checker/observed.h"
#include "witness/checker/values.h"

typedef enum ser_code_kind {
    SER_CODE_NONE,    /* no text, or one without keys */
    SER_CODE_READS,   /* a read with a key, or guards over several reads */
    SER_CODE_WRITES,  /* a write with an expression */
    SER_CODE_UPDATES, /* a read-modify-write with one: both of these */
    SER_CODE_BARRIER, /* see above */
} ser_code_kind;

typedef struct ser_code_ref {
    uint64_t key;
    uint32_t event;   /* the read; of its own key the event itself */
    bool is_register; /* the key is that of a register, which the read set before this event */
} ser_code_ref;

typedef struct ser_checker_code {
    const ser_observed *observed;
    const ser_checker_values *values;
    const ser_symbols *symbols;
    uint8_t *kind;       /* by event: ser_code_kind */
    bool *goes_on;       /* by event: another round of all registers that it sets follows */
    uint32_t *first_ref; /* by event, one more at the end: where its references begin */
    SER_VECTOR(ser_code_ref) refs;
    struct ser_code_thread *threads; /* while it is found */
    size_t thread_count;
} ser_checker_code;

/* What the event has read in the trace: an update, what its source wrote. */
uint64_t ser_checker_code_read(const ser_checker_code *code, uint32_t event);

void ser_checker_code_init(ser_checker_code *code, const ser_observed *observed,
                           const ser_checker_values *values, const ser_symbols *symbols);
void ser_checker_code_fini(ser_checker_code *code);

/* Values that reads have in an execution. */
typedef struct ser_code_values {
    const ser_checker_code *code;
    uint32_t event;
    const bool *altered; /* by event: a read has another value than in the trace. NULL: none */
    const uint64_t *altered_value; /* the same: which */
    uint64_t now;                  /* what the event itself reads */
    unsigned round;                /* so many rounds later it is needed; 0: for itself */
} ser_code_values;

/* Is the reference to another read, or to what several have made of a register? */
bool ser_checker_code_is_joint(const ser_checker_code *code, uint32_t event,
                               const ser_code_ref *ref);

/* Do the guards of a read (SER_CODE_READS, SER_CODE_UPDATES) have the results that they had? */
bool ser_checker_code_keeps(const ser_code_values *values);

/* What a write (SER_CODE_WRITES, SER_CODE_UPDATES) writes; false if that is not known. */
bool ser_checker_code_computes(const ser_code_values *values, uint64_t *result);

#endif
