/* SPDX-License-Identifier: MIT */
/*
 * own_memory.h - a thread of private.c: its random choices, and what it does with memory that is
 * its own at the time, word by word, in ranges, and across the borders of words.
 */
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 6 };

typedef struct __attribute__((packed)) straddler {
    uint16_t pad;
    uint32_t small; /* bytes 2 to 5 */
    uint64_t wide;  /* bytes 6 to 13 */
    uint16_t end;
} straddler;

typedef struct buffer {
    int words[2 * WORDS];
    straddler odd;
    unsigned char bytes[8];
} buffer;

/* What a thread has of its own. */
typedef struct worker {
    uint64_t state;
    buffer *own;
    int number, depth, blocks;
    unsigned calm; /* of five things that it does, how many are harmless */
} worker;

static int by_values; /* what is read decides what comes next */

static unsigned draw(worker *me, unsigned below)
{
    me->state = me->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(me->state >> 33) % below;
}

/* A value that was read takes part in what comes next. */
static void look(worker *me, uint64_t value)
{
    if (by_values)
        me->state += value * 0x9e3779b97f4a7c15u;
}

static buffer *fresh(worker *me)
{
    buffer *made = malloc(sizeof *made);
    memset(made, (int)draw(me, 4), sizeof *made);
    return made;
}

/* Turns end here and where threads wait, if they are long: then a seed of the program
 * makes one run, whatever is recorded of it. */
static void rest(worker *me)
{
    if (draw(me, 4) == 0)
        sched_yield();
}

__attribute__((noinline)) static void change(worker *me, int *word)
{
    look(me, (uint64_t)*word);
    rest(me);
    *word += 1;
}

__attribute__((noinline)) static void use_words(worker *me, buffer *of)
{
    for (unsigned i = 1 + draw(me, 4); i > 0; i--)
        change(me, &of->words[draw(me, 2 * WORDS)]);
}

static void use_ranges(worker *me, buffer *of)
{
    char copy[3 * WORDS * sizeof(int)];
    unsigned from = draw(me, WORDS), size = 4 + draw(me, sizeof of->words / 2);
    if (draw(me, 2)) {
        memset((char *)of->words + from, (int)draw(me, 3), size);
    } else {
        memcpy(copy, (char *)of->words + from, size);
        look(me, (uint64_t)copy[0]);
    }
    memmove(of->words, of->words + 1, size);
}

static void use_odd(worker *me, straddler *of)
{
    switch (draw(me, 4)) {
    case 0:
        of->small++;
        break;
    case 1:
        of->wide += 3;
        break;
    case 2:
        look(me, of->end);
        break;
    default:
        look(me, of->wide);
    }
}

static void use_own(worker *me)
{
    switch (draw(me, 4)) {
    case 0:
        use_ranges(me, me->own);
        break;
    case 1:
        use_odd(me, &me->own->odd);
        break;
    case 2:
        me->own->bytes[draw(me, 8)]++;
        look(me, me->own->bytes[draw(me, 8)]);
        break;
    default:
        use_words(me, me->own);
    }
}

static void replace_own(worker *me)
{
    free(me->own);
    me->own = fresh(me);
}
