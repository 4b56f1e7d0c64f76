/* SPDX-License-Identifier: MIT */
/*
 * weave.h - the code of one method while calls are put in.
 *
 * `out` grows instruction by instruction. `moved` and `placed` say where what was at an old
 * position is now: moved with what was put in before it (what branches go to), placed the
 * instruction itself.
 */
#ifndef SER_JAVA_CLASSFILE_WEAVE_H
#define SER_JAVA_CLASSFILE_WEAVE_H

#include "java/classfile/format/pool.h"
#include "java/classfile/rewrite.h"

#define SER_NOT_MOVED UINT32_MAX /* in `moved`: no instruction begins there */

/* The class, and what is known of it. */
typedef struct ser_class_job {
    const ser_class_client *client;
    ser_class_mode mode;
    ser_pool pool;
    uint32_t version;    /* major */
    uint32_t this_class; /* its constant */
    ser_class_text name, file;
    ser_view fields; /* count first; they were read before */
} ser_class_job;

/* rewrite.c: is it a field of this class that is set only once, when it is initialised? */
bool ser_class_is_final(ser_class_job *job, const ser_member *field);

/* Access flags of methods. */
enum { SER_METHOD_STATIC = 0x8, SER_METHOD_SYNCHRONIZED = 0x20 };

typedef struct ser_weave {
    ser_class_job *job;
    ser_class_text method, descriptor;
    uint32_t access;
    const uint8_t *code;
    uint32_t length;
    uint32_t max_stack, max_locals;
    uint32_t extra_stack, extra_locals; /* that what was put in needs besides */
    ser_view exceptions;                /* handlers, their count first */
    ser_view lines;                     /* the entries of the LineNumberTable */
    ser_view frames; /* the StackMapTable, its count first; empty if there is none */
    ser_bytes out;
    uint32_t *moved, *placed; /* by old position, with one for the end */
    uint8_t *flows;           /* by old position: ser_class_flow; null: nothing is known */
    uint32_t initialised_at;  /* in a constructor: before it `this` is not an object yet */
    bool is_constructor;
    bool atomic;           /* it is annotated so */
    bool monitored;        /* was synchronized: takes the monitor by itself now */
    uint32_t site;         /* of the method */
    uint32_t guarded_from; /* what exceptions leave by the handler begins here; 0: no handler */
    uint32_t handler;      /* where that is */
    ser_bytes unguarded;   /* pairs of new positions: a monitor was left there, so that no handler
                              may see an exception of the hook: compilers of the machine refuse
                              methods that might leave a monitor twice */
    uint8_t *lost; /* by old position: nothing reaches it, and there is no `this` for a handler;
                      null: nowhere */
    bool changed;
    const char *problem; /* the method must stay as it is; null: none so far */
} ser_weave;

/* --- code.c: instructions ------------------------------------------------- */

/* The length of the instruction there; 0 if it is none, or does not end in the code. */
uint32_t ser_code_length(const uint8_t *code, uint32_t length, uint32_t at);
/* Does each instruction end where another begins, up to the end? */
bool ser_code_is_whole(const uint8_t *code, uint32_t length);
/* Is a local variable 0 of another kind stored anywhere? */
bool ser_code_stores_this(const uint8_t *code, uint32_t length);

/* --- weave.c: what is put in ---------------------------------------------- */

/* All of it; sets `problem`, or `changed` if there is something to replace. */
void ser_weave_code(ser_weave *weave);

/* For accesses.c and calls.c: instructions without and with an operand. */
void ser_weave_op(ser_weave *weave, uint32_t op);
void ser_weave_old(ser_weave *weave, uint32_t at, uint32_t size);
void ser_weave_number(ser_weave *weave, uint32_t value);
void ser_weave_hook(ser_weave *weave, ser_hook hook);
/* The number of a site is pushed, and the hook called. */
void ser_weave_hook_at(ser_weave *weave, ser_hook hook, uint32_t site);
/* Loads or stores a local variable of our own, by kind; `local` counts from 0. */
void ser_weave_load(ser_weave *weave, ser_value_kind kind, uint32_t local);
void ser_weave_store(ser_weave *weave, ser_value_kind kind, uint32_t local);
/* So many words more are on the stack than the method has had there. */
void ser_weave_needs_stack(ser_weave *weave, uint32_t words);
/* The number of a site at an old position. */
uint32_t ser_weave_site(ser_weave *weave, uint32_t at, ser_class_site_kind kind, bool early,
                        const ser_member *member);

/* How a value with that descriptor is passed, and how many words it has. */
ser_value_kind ser_value_kind_of(char descriptor);
uint32_t ser_value_words(ser_value_kind kind);

/* --- accesses.c, calls.c: true if the instruction was dealt with ----------- */

bool ser_weave_access(ser_weave *weave, uint32_t at);
bool ser_weave_call(ser_weave *weave, uint32_t at);
/* accesses.c: is this access of the field recorded? */
bool ser_weave_records_field(const ser_weave *weave, uint32_t at, const ser_member *field);
/* accesses.c: a field of the library's own whose reads are recorded. */
bool ser_weave_library_read(ser_weave *weave, uint32_t at);
/* library.c: what is called at the beginning of a method of the library, or before its returns,
 * with one of its arguments. SER_HOOK_COUNT: nothing. */
typedef struct ser_library_hook {
    ser_hook hook;
    uint8_t argument; /* 0: `this` */
} ser_library_hook;
ser_library_hook ser_weave_library_entry(const ser_weave *weave);
ser_library_hook ser_weave_library_return(const ser_weave *weave);

/* --- loops.c ------------------------------------------------------------------- */

/* Is there a loop that only reads? The code must be whole. */
bool ser_code_looks(const ser_weave *weave);

/* --- receiver.c: where frames lose `this` ------------------------------------ */

/* Sets `lost`, or `problem` if that code may run. */
void ser_find_lost_receiver(ser_weave *weave);

/* --- flows.c: where values go ------------------------------------------------ */

/* To be freed; null: nothing is known. */
uint8_t *ser_flows_find(ser_weave *weave);

/* --- relocate.c, frames.c ------------------------------------------------- */

/* Lets branches go to where their targets are now; may set `problem`. */
void ser_relocate_branches(ser_weave *weave);
/* Writes the attribute Code anew. `exceptions` and `attributes` are the old ones, counts first. */
void ser_relocate_code(ser_weave *weave, ser_view exceptions, ser_view attributes, ser_bytes *out);
/* The entries of a StackMapTable, with that of the handler. `old` is empty if there was none. */
void ser_relocate_frames(ser_weave *weave, ser_view old, ser_bytes *out);
/* Where an old position is now; sets `problem` if no instruction begins there. */
uint32_t ser_relocated(ser_weave *weave, uint32_t position);

#endif
