/* SPDX-License-Identifier: MIT */
/*
 * random_task.h - random tasks as text (text_task.h), small enough for all their runs
 * to be tried.
 *
 * The text is a random run that keeps to the locks, so its reads and failed
 * try-acquires have sources that fit. Thread 1 has the block. Noise is added on
 * purpose: sources that can never happen, needs in circles.
 */
#ifndef SER_TESTS_RANDOM_TASK_H
#define SER_TESTS_RANDOM_TASK_H

#include <stdio.h>

#include "text_task.h"

typedef struct task_random {
    uint64_t state;
} task_random;

static inline uint32_t random_below(task_random *random, uint32_t bound)
{
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t z = random->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % bound);
}

static inline bool random_chance(task_random *random, uint32_t percent)
{
    return random_below(random, 100) < percent;
}

typedef struct random_sizes {
    uint32_t threads, steps, variables, locks;
    uint32_t lock_percent, rmw_percent, need_percent, clear_percent, noise_percent, join_percent;
    uint32_t change_percent; /* of what reads have that may change */
} random_sizes;

enum { RANDOM_TASK_LENGTH = 1024 };

typedef struct random_writer {
    task_random *random;
    const random_sizes *sizes;
    char *text;
    size_t length;
    uint32_t count;                  /* steps written */
    char bracket[TEXT_TASK_THREADS]; /* that the thread is in: 0, '(' or '{' */
    uint32_t accesses;               /* of thread 1 in its block */
    bool had_block;
    uint32_t mover;                    /* thread in the middle of a move, 0: none */
    char access;                       /* of the move */
    bool anyway;                       /* its read-modify-writes write if they are changed */
    uint32_t holder[TEXT_TASK_NAMES];  /* thread, 0: nobody */
    uint32_t sharers[TEXT_TASK_NAMES]; /* set of threads */
} random_writer;

static inline void random_write(random_writer *to, const char *format, uint32_t number, char first,
                                char second)
{
    to->length += (size_t)snprintf(to->text + to->length, RANDOM_TASK_LENGTH - to->length, format,
                                   number, first, second);
}

static inline void random_start_locks(random_writer *to)
{
    for (uint32_t lock = 0; lock < to->sizes->locks; lock++)
        for (uint32_t thread = 1; thread <= to->sizes->threads; thread++) {
            if (!random_chance(to->random, 10) || to->holder[lock])
                continue;
            bool shared = to->sharers[lock] || random_chance(to->random, 40);
            if (shared)
                to->sharers[lock] |= 1u << thread;
            else
                to->holder[lock] = thread;
            random_write(to, "@%u%c%c ", thread, shared ? 's' : 'a', (char)('a' + lock));
        }
}

/* Opens or closes a block before the thread's next step. */
static inline void random_bracket(random_writer *to, uint32_t thread)
{
    char *bracket = &to->bracket[thread];
    bool may_close = *bracket != '(' || to->accesses >= 2;
    if (*bracket && may_close && random_chance(to->random, 30)) {
        random_write(to, "%u%c ", thread, *bracket == '(' ? ')' : '}', 0);
        *bracket = 0;
    } else if (!*bracket && random_chance(to->random, thread == 1 ? 70 : 40)) {
        *bracket = thread == 1 && !to->had_block ? '(' : '{';
        to->had_block |= thread == 1;
        random_write(to, "%u%c ", thread, *bracket, 0);
    }
}

static inline char random_action(random_writer *to, uint32_t thread, uint32_t lock)
{
    if (to->holder[lock] == thread) {
        to->holder[lock] = 0;
        return 'l';
    }
    if (to->sharers[lock] & 1u << thread) {
        to->sharers[lock] &= ~(1u << thread);
        return 'e';
    }
    bool shared = random_chance(to->random, 30);
    if (to->holder[lock] || (to->sharers[lock] && !shared))
        return 't';
    if (shared)
        to->sharers[lock] |= 1u << thread;
    else
        to->holder[lock] = thread;
    return shared ? 's' : 'a';
}

static inline void random_lists(random_writer *to)
{
    task_random *random = to->random;
    if (to->count && random_chance(random, to->sizes->need_percent))
        random_write(to, "<%u", 1 + random_below(random, to->count), 0, 0);
    if (random_chance(random, 1))
        random_write(to, "<%u", 1 + random_below(random, to->sizes->steps), 0, 0);
    if (random_chance(random, to->sizes->clear_percent))
        random_write(to, "!%u", 1 + random_below(random, to->sizes->steps), 0, 0);
    if (random_chance(random, to->sizes->noise_percent))
        random_write(to, "?", 0, 0, 0);
    if (to->sizes->change_percent && random_chance(random, 4))
        random_write(to, "&", 0, 0, 0);
    random_write(to, " ", 0, 0, 0);
    to->count++;
}

/* A limit and what is accepted. A compare-exchange has neither. */
static inline void random_change(random_writer *to, char access)
{
    task_random *random = to->random;
    uint32_t percent = to->sizes->change_percent;
    if (!percent || access == 'w' || (access == 'u' && !to->anyway))
        return;
    if (access == 'u')
        random_write(to, "^", 0, 0, 0);
    if (random_chance(random, percent))
        random_write(to, "~%.0u%c", 0, "--$1234"[random_below(random, 7)], 0);
    for (int i = 0; i < 3; i++)
        if (random_chance(random, percent / 2))
            random_write(to, "=%u", 1 + random_below(random, to->sizes->steps), 0, 0);
    if (random_chance(random, percent / 3))
        random_write(to, "=@", 0, 0, 0);
}

/* An access, which the next one may be joined to. */
static inline void random_access(random_writer *to, uint32_t thread, char access)
{
    char variable = (char)('a' + random_below(to->random, to->sizes->variables));
    bool joined = to->count + 1 < to->sizes->steps && to->sizes->join_percent &&
                  random_chance(to->random, to->sizes->join_percent);
    random_write(to, joined ? "%u%c%c+" : "%u%c%c", thread, access, variable);
    to->accesses += to->bracket[thread] == '(';
    if (to->sizes->change_percent && !to->mover)
        to->anyway = random_chance(to->random, 60);
    random_change(to, access);
    to->mover = joined ? thread : 0;
    to->access = access;
}

static inline void random_go_on(random_writer *to)
{
    random_access(to, to->mover, to->access);
    random_write(to, random_chance(to->random, to->sizes->noise_percent) ? "? " : " ", 0, 0, 0);
    to->count++;
}

static inline void random_step(random_writer *to)
{
    const random_sizes *sizes = to->sizes;
    task_random *random = to->random;
    uint32_t thread = 1 + random_below(random, sizes->threads);
    random_bracket(to, thread);
    if (sizes->locks && random_chance(random, sizes->lock_percent)) {
        uint32_t lock = random_below(random, sizes->locks);
        random_write(to, "%u%c%c", thread, random_action(to, thread, lock), (char)('a' + lock));
    } else if (random_chance(random, sizes->change_percent ? 10 : 4)) {
        random_write(to, "%un", thread, 0, 0);
        if (sizes->change_percent && to->count && random_chance(random, 70))
            random_write(to, "/%u", 1 + random_below(random, to->count), 0, 0);
    } else {
        bool is_rmw = random_chance(random, sizes->rmw_percent);
        random_access(to, thread, is_rmw ? 'u' : random_chance(random, 50) ? 'r' : 'w');
    }
    random_lists(to);
}

/* Fills the text; gives up and begins again until the block has two accesses. */
static inline void random_task_text(task_random *random, const random_sizes *sizes,
                                    char text[RANDOM_TASK_LENGTH])
{
    random_writer to;
    do {
        to = (random_writer){.random = random, .sizes = sizes, .text = text};
        random_start_locks(&to);
        while (to.count < sizes->steps)
            (to.mover ? random_go_on : random_step)(&to);
    } while (to.accesses < 2);
}

#endif
