/* SPDX-License-Identifier: MIT */
/*
 * interpreter.h - executes a script (script.h), one event at a time.
 *
 * A state is a few bytes without padding, to be hashed as they are.
 */
#ifndef SER_ORACLE_INTERPRETER_H
#define SER_ORACLE_INTERPRETER_H

#include "script.h"

/* Where a thread is in a wait. */
typedef enum wait_phase { NOT_WAITING, HAS_RELEASED, IS_WAITING, IS_WOKEN } wait_phase;

typedef struct script_state {
    uint8_t at[SCRIPT_THREADS]; /* its next instruction that makes an event, or SCRIPT_STOP */
    uint8_t started[SCRIPT_THREADS];
    uint8_t phase[SCRIPT_THREADS]; /* wait_phase */
    uint8_t registers[SCRIPT_THREADS][SCRIPT_REGISTERS];
    uint8_t cells[SCRIPT_CELLS];
    uint8_t owner[SCRIPT_LOCKS]; /* 1 + thread; 0: nobody */
    uint8_t posts;
} script_state;

void start_script(const script *s, script_state *state);

/* The thread's next instruction. */
const instruction *next_instruction(const script *s, const script_state *state, size_t thread);

/* The event that the thread would make now, with value and flow; of an access that fails to
 * exchange a read. Its operation is SER_OP_SKIP if the thread has ended. */
ser_event next_event(const script *s, const script_state *state, size_t thread);

/* In how many ways can the thread go on? A notify wakes one of those that wait. */
size_t count_ways(const script *s, const script_state *state, size_t thread);

/* Makes the event; way: below count_ways, for what the notify of a real run does. The result is a
 * number for how the branches behind it come out; 0 while a wait is not over. */
uint32_t make_event(const script *s, script_state *state, size_t thread, size_t way);

/* The path criterion, followed step by step for one block: machine.h says how. */
typedef struct script_path {
    uint8_t marks[SCRIPT_CELLS];
    uint8_t reached; /* bits of threads */
} script_path;

/* An access has happened. True if it completes a violation. */
bool follow_access(script_path *path, const ser_event *access, bool writes, bool in_block);

#endif
