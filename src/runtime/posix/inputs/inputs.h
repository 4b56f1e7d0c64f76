/* SPDX-License-Identifier: MIT */
/*
 * inputs.h - nondeterministic inputs: what the program gets from the system and differs from run to
 * run: the time, random numbers, numbers of processes.
 *
 * Each such call writes an INPUT record with its answer (channel.h). A replay puts the INPUT
 * records of the recorded run, ordered by thread, into the channel; then each thread gets the
 * answers of the recorded run, in their order. Where it asks something else, or more, the real call
 * is made, and its record says so.
 *
 * Time that is given back goes on from the last answer when the answers are used up, and
 * deadlines that the program makes of it are brought back to the real clocks: a wait takes as
 * long as it should. Likewise a signal for a process number that was given back reaches
 * the process itself. Cost: a record of 32 bytes per call.
 */
#ifndef SER_RUNTIME_POSIX_INPUTS_INPUTS_H
#define SER_RUNTIME_POSIX_INPUTS_INPUTS_H

#include <errno.h>
#include <sys/types.h>

#include "contract/inputs.h"
#include "runtime/core/core.h"

typedef struct ser_question {
    unsigned kind;
    uint32_t detail; /* the clock, or how many bytes: must be the same to be given back */
    int64_t (*make)(const struct ser_question *); /* the real call; -errno if it fails */
    unsigned argument;                            /* of that */
    void *object;                                 /* the same */
    void *bytes;                                  /* what it fills; null: nothing */
    size_t size;                                  /* of that */
    bool whole; /* all bytes are filled unless it fails; else the answer is how many */
} ser_question;

/* The answer, given back or made, and recorded if the thread records; -errno if the call
 * fails. Any thread. */
int64_t ser_ask(const ser_question *asked);

/* As functions of the C library give it. */
static inline int64_t ser_with_errno(int64_t answer)
{
    if (answer >= 0)
        return answer;
    errno = (int)-answer;
    return -1;
}

/* Are there answers to give back in this run? */
bool ser_inputs_are_given(void);

/* inputs_time.c: the answer as the program sees it, after one that was, or was not, given
 * back: its clock goes on. */
int64_t ser_inputs_keep_time(const ser_question *asked, int64_t answer, bool given);

/* Finds the answers to give back, if there are any (serial mode only). Once, at the start. */
void ser_inputs_start(void);

/* From the program's time to the real one. The caller has the token. */
void ser_inputs_correct(ser_deadline *deadline);

#endif
