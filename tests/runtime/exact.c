/* SPDX-License-Identifier: MIT */
#include "exact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- threads ------------------------------------------------------------- */

/* From that operation of a thread on: how many of the others' happen before. */
typedef struct moment {
    uint64_t operation, known[EXACT_THREADS];
} moment;

typedef struct life {
    moment *moments;
    size_t count, room;
} life;

static life lives[EXACT_THREADS];

static void add_moment(life *whose, moment next)
{
    if (whose->count == whose->room) {
        whose->room = 2 * whose->room + 16;
        whose->moments = realloc(whose->moments, whose->room * sizeof next);
        if (!whose->moments)
            abort();
    }
    whose->moments[whose->count++] = next;
}

static const moment *last_moment(uint32_t thread)
{
    return &lives[thread].moments[lives[thread].count - 1];
}

static const moment *moment_at(uint32_t thread, uint64_t operation)
{
    const moment *at = last_moment(thread);
    while (at->operation > operation)
        at--;
    return at;
}

static bool knows(uint32_t thread, uint32_t other, uint64_t operation)
{
    return thread == other || last_moment(thread)->known[other] >= operation;
}

void exact_learn(uint32_t thread, uint64_t from, uint32_t other, uint64_t operation)
{
    if (knows(thread, other, operation))
        return;
    moment next = *last_moment(thread);
    const moment *then = moment_at(other, operation);
    next.operation = from;
    next.known[other] = operation;
    for (int i = 0; i < EXACT_THREADS; i++)
        if (next.known[i] < then->known[i])
            next.known[i] = then->known[i];
    add_moment(&lives[thread], next);
}

/* --- words --------------------------------------------------------------- */

/* The last operations of each thread: what they happen before, those before them do, too. */
typedef struct past {
    uint64_t reads[EXACT_THREADS], writes[EXACT_THREADS];
} past;

static struct word {
    past elided, recorded;
    exact_touch last_write; /* if that was recorded; else none */
} words[EXACT_WORDS];

static exact_span span_of(size_t word)
{
    return (exact_span){8 * word, 8 * word + 8};
}

static bool meet(exact_span a, exact_span b)
{
    return a.start < b.end && b.start < a.end;
}

uint64_t exact_words(exact_span bytes)
{
    uint64_t set = 0;
    for (size_t i = 0; i < EXACT_WORDS; i++)
        set |= (uint64_t)meet(span_of(i), bytes) << i;
    return set;
}

void exact_forget(exact_span bytes)
{
    for (size_t i = 0; i < EXACT_WORDS; i++)
        if (meet(span_of(i), bytes))
            words[i] = (struct word){0};
}

void exact_begin(void)
{
    memset(words, 0, sizeof words);
    for (int i = 0; i < EXACT_THREADS; i++) {
        lives[i].count = 0;
        add_moment(&lives[i], (moment){0});
    }
}

/* --- accesses -------------------------------------------------------------- */

/* In every reordering a recorded read comes after the recorded write that it reads. */
static void learn_from(const exact_touch *now, size_t word)
{
    const exact_touch *write = &words[word].last_write;
    if (now->reads && meet(now->recorded, write->bytes) && !(now->renewed >> word & 1))
        exact_learn(now->thread, now->operation, write->thread, write->operation);
}

static bool knows_all(const exact_touch *now, const uint64_t *operations, const char *what)
{
    for (uint32_t i = 0; i < EXACT_THREADS; i++) {
        if (knows(now->thread, i, operations[i]))
            continue;
        printf("thread %u, operation %" PRIu64 ", %s bytes %zu to %zu, and does not know "
               "operation %" PRIu64 " of thread %u, a %s\n",
               now->thread, now->operation, now->writes ? "writes" : "reads", now->bytes.start,
               now->bytes.end - 1, operations[i], i, what);
        return false;
    }
    return true;
}

/* All that a touch of the word is in conflict with. */
static bool knows_past(const exact_touch *now, const past *before, bool elided)
{
    return knows_all(now, before->writes, elided ? "write that was elided" : "recorded write") &&
           (!now->writes ||
            knows_all(now, before->reads, elided ? "read that was elided" : "recorded read"));
}

static void note(const exact_touch *now, struct word *word, past *kind)
{
    if (now->reads)
        kind->reads[now->thread] = now->operation;
    if (!now->writes)
        return;
    kind->writes[now->thread] = now->operation;
    word->last_write = kind == &word->recorded ? *now : (exact_touch){0};
}

bool exact_judge(const exact_touch *now)
{
    size_t end = (now->bytes.end + 7) / 8;
    bool good = true;
    for (size_t i = now->bytes.start / 8; i < end; i++)
        if (meet(now->recorded, span_of(i)))
            learn_from(now, i);
    for (size_t i = now->bytes.start / 8; i < end && good; i++) {
        struct word *word = &words[i];
        bool recorded = meet(now->recorded, span_of(i));
        good = knows_past(now, &word->elided, true) &&
               (recorded || knows_past(now, &word->recorded, false));
        note(now, word, recorded ? &word->recorded : &word->elided);
    }
    return good;
}
