/* SPDX-License-Identifier: MIT */
/*
 * exact.h - what threads know, exactly, and whether an access may be elided (model.c).
 *
 * docs/algorithms/elision.md says what it is to know an operation. The runtime keeps two
 * stamps of a word, and of a thread only what it has learnt itself; here everything is kept that is
 * needed to tell: of each thread what it knew at any time, and what it knows through others, of
 * each word all that was accessed since it is new.
 */
#ifndef SER_TESTS_RUNTIME_EXACT_H
#define SER_TESTS_RUNTIME_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXACT_THREADS = 40, EXACT_WORDS = 40 };

/* Bytes of the memory, by their places in it. */
typedef struct exact_span {
    size_t start, end;
} exact_span;

typedef struct exact_touch {
    uint32_t thread;
    uint64_t operation;
    bool reads, writes;
    exact_span bytes;
    exact_span recorded; /* the part that is in the trace: whole words of it; else empty */
    uint64_t renewed;    /* words of it that are new variables there, as bits */
} exact_touch;

/* The words that have some of the bytes, as bits. */
uint64_t exact_words(exact_span bytes);

/* Nothing was accessed, and nothing is ordered. */
void exact_begin(void);
/* Until now: its words are new. */
void exact_forget(exact_span bytes);

/* From that operation of its own on the other thread's operations up to that one happen before,
 * and so all that the other one knew then. */
void exact_learn(uint32_t thread, uint64_t from, uint32_t other, uint64_t operation);

/* After each access, and what the thread learns by it. False: something was elided, by this
 * one or before, that is in conflict with it and not known; it is printed. */
bool exact_judge(const exact_touch *now);

#endif
