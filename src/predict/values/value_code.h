/* SPDX-License-Identifier: MIT */
/*
 * value_code.h - what the code of the program does with values, event by event: the texts of reads
 * and writes (contract/guards.def), with the reads that they name.
 *
 * A key stands for the thread's last read with it. Where operations were elided since that read,
 * or a text is missing, it may stand for another one: the event is a barrier, which a thread does
 * not pass once it has read another value than in the trace. So is a write whose expression does
 * not give what was recorded.
 *
 * The checker finds the same by itself (witness/checker/code.h). Memory: about 20 bytes per event.
 * Read-only once made, so that any number of threads may use it.
 */
#ifndef SER_PREDICT_VALUES_VALUE_CODE_H
#define SER_PREDICT_VALUES_VALUE_CODE_H

#include "order/run.h"
#include "predict/model/value_facts.h"
#include "predict/values/loop_values.h"
#include "symbolic/guards.h"

typedef enum ser_value_code_kind {
    SER_VALUE_PLAIN,   /* no text, or guards over the value that is read, alone */
    SER_VALUE_READS,   /* a read that is followed: it has a key, or guards over several reads */
    SER_VALUE_WRITES,  /* a write with an expression */
    SER_VALUE_UPDATES, /* a read-modify-write with one: both a followed read and a write */
    SER_VALUE_BARRIER, /* see above */
} ser_value_code_kind;

/* One read that a text names. */
typedef struct ser_value_ref {
    uint32_t event; /* the read, which may be the event itself; 0: there was none yet */
} ser_value_ref;

typedef struct ser_value_code {
    const ser_run *run;
    ser_value_facts facts;
    uint8_t *kind;       /* by event: ser_value_code_kind */
    uint32_t *first_ref; /* by event: its references, in the order of the keys of its guards, then
                            of what it writes */
    uint64_t *read;      /* by event: what it has read; of updates what their source wrote */
    bool *knows_old;     /* by event: of read-modify-writes, that is known */
    uint32_t *limit;     /* by event: of a read of another value (trace/reads.h) */
    SER_VECTOR(ser_value_ref) refs;
    SER_VECTOR(ser_guards) texts;   /* by number of the text: guards */
    SER_VECTOR(ser_guards) written; /* by number of the text: the whole of it, as of a write */
    SER_VECTOR(ser_guards) updates; /* by number of the text: what an update writes */
    ser_loop_values rounds;         /* of loops: what comes out of them */
    bool is_partial; /* there are texts that cannot be understood: these events are barriers here,
                        and may be none for the checker */
    bool is_mixed;   /* a compare-exchange, which is not followed, has a variable with computed
                        writes:   whether it writes depends on values, which the bounds do not have */
} ser_value_code;

/* The run, with its symbols, must outlive it. O(events + texts). */
ser_value_code *ser_value_code_create(const ser_run *run);
void ser_value_code_destroy(ser_value_code *code); /* accepts NULL */

/* The expressions of an event; NULL: none, or they cannot be understood. Of an update its guards;
 * the other function has what it writes. */
const ser_guards *ser_value_code_of(const ser_value_code *code, uint32_t event);
const ser_guards *ser_value_code_update(const ser_value_code *code, uint32_t event);

#endif
