/* SPDX-License-Identifier: MIT */
/*
 * script.h - small random programs with data: threads that load, compute, branch and store.
 *
 * Thread 0 starts the others and joins them. Values have two bits. Each instruction makes at most
 * one event, but for a wait (release, wait, acquire); branches, jumps and what only changes
 * registers make none. Loops add up, count or mix what they load, or keep the largest or the last
 * of it, for at most three rounds. What one thread waits for, a thread of a smaller number provides
 * whatever it reads, so that a script always ends.
 */
#ifndef SER_ORACLE_SCRIPT_H
#define SER_ORACLE_SCRIPT_H

#include <stdio.h>

#include "random_trace.h"

enum {
    SCRIPT_THREADS = 4,
    SCRIPT_VARIABLES = 3, /* cells 0 to 2; then come an array of two, and the flag of a condition */
    SCRIPT_ARRAY = SCRIPT_VARIABLES,
    SCRIPT_FLAG = SCRIPT_ARRAY + 2,
    SCRIPT_CELLS,
    SCRIPT_LOCKS = 3,  /* the last is that of the condition */
    SCRIPT_LOCALS = 2, /* registers that keep their values; then come two others */
    SCRIPT_ROUND = 4,  /* these are of loops: what a round loads, */
    SCRIPT_TOTAL,      /* what all rounds make of it, */
    SCRIPT_COUNTER,    /* how many there were, */
    SCRIPT_REPEATS,    /* and how often the loop was repeated */
    SCRIPT_REGISTERS,
    SCRIPT_BLOCKS = 8,
    SCRIPT_LENGTH = 64, /* instructions of a thread, at most */
    SCRIPT_VALUES = 4,
    NO_REGISTER = 255,
};

typedef enum instruction_kind {
    SCRIPT_LOAD,             /* a register gets a cell */
    SCRIPT_STORE,            /* a cell gets a register, if there is one, plus a constant */
    SCRIPT_ADD,              /* a constant is added to a cell, and a register gets the old value */
    SCRIPT_COMPARE_EXCHANGE, /* a cell gets the constant if it was `expected`: a register says so */
    SCRIPT_LOCK,
    SCRIPT_UNLOCK,
    SCRIPT_POST,
    SCRIPT_TAKE,
    SCRIPT_WAIT, /* gives up the last lock, and takes it again */
    SCRIPT_NOTIFY,
    SCRIPT_BEGIN,
    SCRIPT_END,
    SCRIPT_FORK,
    SCRIPT_JOIN,
    SCRIPT_SET,    /* a register gets a constant */
    SCRIPT_SUM,    /* these five: a register gets itself plus another one, */
    SCRIPT_COUNT,  /* plus 1 if the other one is `expected`, */
    SCRIPT_MIX,    /* or itself times three, with the bits of the other one changed, */
    SCRIPT_MOST,   /* or the larger one of the two, */
    SCRIPT_LAST,   /* or the other one */
    SCRIPT_AGAIN,  /* counts the rounds, and goes to `target` until there are `constant` of them */
    SCRIPT_UNLESS, /* goes to `target` unless the register is the constant */
    SCRIPT_JUMP,
    SCRIPT_STOP,
} instruction_kind;

typedef struct instruction {
    uint8_t kind, object;
    uint8_t to, from; /* registers */
    uint8_t index;    /* a register whose last bit is added to the object; NO_REGISTER: none */
    uint8_t constant, expected, target;
    uint8_t block; /* 1 + the number of the block it is in; 0: none */
    uint16_t flow; /* of its access, as a compiler would see it */
} instruction;

typedef struct script {
    size_t threads, blocks;
    instruction code[SCRIPT_THREADS][SCRIPT_LENGTH];
    size_t length[SCRIPT_THREADS];
} script;

/* The script of a seed. */
void write_script(script *s, uint64_t seed);

/* Fills in the flows of a thread that is written; decided: a branch or an index uses the register.
 */
void settle_script(script *s, size_t thread, const bool *decided);

/* Has it compare-exchanges? They stop their threads in every model but the exact one, and failed
 * ones are reads. */
static inline bool script_exchanges(const script *s)
{
    for (size_t thread = 0; thread < s->threads; thread++)
        for (size_t i = 0; i < s->length[thread]; i++)
            if (s->code[thread][i].kind == SCRIPT_COMPARE_EXCHANGE)
                return true;
    return false;
}

/* Does the instruction change registers, and make no event? */
static inline bool script_computes(const instruction *i)
{
    return i->kind >= SCRIPT_SET && i->kind <= SCRIPT_AGAIN;
}

/* What such an instruction leaves in its register. */
static inline uint8_t script_result(const instruction *i, const uint8_t *registers)
{
    uint8_t old = i->kind == SCRIPT_SET ? 0 : registers[i->to],
            other = i->from == NO_REGISTER ? 0 : registers[i->from];
    switch ((instruction_kind)i->kind) {
    case SCRIPT_SUM:
        return (uint8_t)((old + other) % SCRIPT_VALUES);
    case SCRIPT_COUNT:
        return (uint8_t)((old + (other == i->expected)) % SCRIPT_VALUES);
    case SCRIPT_MIX:
        return (uint8_t)((3 * old ^ other) % SCRIPT_VALUES);
    case SCRIPT_MOST:
        return old > other ? old : other;
    case SCRIPT_LAST:
        return other;
    case SCRIPT_AGAIN:
        return (uint8_t)(old + 1);
    default:
        return i->constant;
    }
}

/* Executes a script by a random schedule; the trace of that, with values and flows. blocks[i] is
 * the block, from 0, that the i-th begin of the trace begins. */
void record_script(const script *s, uint64_t seed, event_list *trace, size_t *blocks);

/* Can a run of the script violate the block by the path criterion? */
typedef enum script_answer { SCRIPT_NONE, SCRIPT_VIOLATION, SCRIPT_TOO_LARGE } script_answer;

script_answer search_script(const script *s, size_t block);

/* A script as functions of C; thread 0 is threadNUMBER_0. */
void print_script(FILE *file, const script *s, unsigned number);

/* A program of C that runs one of the scripts of so many seeds, chosen by its argument. */
void print_scripts(FILE *file, uint64_t seed, unsigned count);

/* Lines "NUMBER bBLOCK": which blocks of these can really be violated. */
void print_violable(FILE *file, uint64_t seed, unsigned count);

#endif
