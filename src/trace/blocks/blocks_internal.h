/* SPDX-License-Identifier: MIT */
/*
 * blocks_internal.h - what the files of blocks.h share: its state. blocks.c chooses the mode and
 * surveys, marking.c marks.
 */
#ifndef SER_TRACE_BLOCKS_BLOCKS_INTERNAL_H
#define SER_TRACE_BLOCKS_BLOCKS_INTERNAL_H

#include "base/vector.h"
#include "trace/blocks/blocks.h"
#include "trace/blocks/checks.h"
#include "trace/blocks/compounds.h"
#include "trace/blocks/function_survey.h"
#include "trace/blocks/rounds.h"
#include "trace/blocks/whole.h"

/* Of --atomic, in the order of their names. */
typedef enum ser_blocks_mode {
    SER_BLOCKS_MARKERS,
    SER_BLOCKS_LOCKS,
    SER_BLOCKS_FUNCTIONS,
    SER_BLOCKS_ROUNDS,
    SER_BLOCKS_UPDATES,
    SER_BLOCKS_AUTO,
    SER_BLOCKS_NAMED, /* functions of a file */
} ser_blocks_mode;

/* Where a thread is. `opener` and `reopens` are kinds of blocks; 0: none. */
typedef struct ser_blocks_thread {
    uint8_t opener;      /* of the block that is open */
    uint8_t reopens;     /* opener of the block that a wait, or what runs once, ended: the next
                            event starts another */
    uint32_t locks;      /* locks held */
    uint32_t onces;      /* routines open that run once: they are no blocks, nor have any */
    uint8_t once_opener; /* of the block that the outermost of these has cut */
    uint32_t once_calls; /* its block_calls */
    uint32_t calls;      /* calls open */
    uint32_t
        block_calls; /* with opener CALL or WHOLE: how many were open with the block's own call */
    uint64_t block_end; /* with opener CHECK: its position */
} ser_blocks_thread;

struct ser_blocks {
    ser_blocks_mode mode;
    bool by_locks;
    bool by_calls;
    unsigned rounds; /* of survey, completed */
    const ser_symbols *symbols;
    ser_function_survey *survey;
    ser_compounds compounds;
    ser_rounds loops;
    ser_checks *checks; /* NULL: not asked for */
    bool any_checks;
    ser_whole *whole;  /* NULL: likewise */
    uint64_t position; /* of the event that is marked */
    ser_function_spec *spec;
    SER_VECTOR(uint8_t) atomic;    /* by function: is it? computed on demand */
    SER_VECTOR(uint8_t) atomic_at; /* the same by site, where the place matters */
    SER_VECTOR(ser_blocks_thread) threads;
    SER_VECTOR(bool) tasks;    /* by lock: its routine is a task of the C++ library */
    SER_VECTOR(bool) inside;   /* by thread, with markers: in a block */
    bool in_step;              /* the event before is joined to this one, */
    bool step_is_marked;       /* and is the first of a step outside blocks, or in it */
    size_t reopening;          /* threads with `reopens` */
    uint64_t count;            /* blocks opened */
    SER_VECTOR(uint8_t) kinds; /* of them; empty with markers */
};

#endif
