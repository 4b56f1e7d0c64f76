/* SPDX-License-Identifier: MIT */
/*
 * Critical sections of one lock in two threads, not both shared: if both are entered,
 * one is over before the other starts (encode_pair). The paper's equation 10 does
 * not ask whether the release that has to come first happens at all; a thread that
 * stops in its section keeps the lock, so we do. A section open at the start comes
 * before all others; one without a release in the task never ends.
 *
 * A failed try-acquire (SER_LOCK_TEST) is not broken while the section of its source
 * is open. Cost: the square of the number of sections of a lock.
 */
#include "predict/smt/encode/encoding.h"

typedef struct section {
    uint32_t lock, thread;
    uint32_t acquire; /* SER_TASK_START: open at the start */
    uint32_t release; /* SER_TASK_NONE: never ends */
    bool shared;
} section;

typedef struct lock_table {
    ser_encoding *encoding;
    SER_VECTOR(section) sections; /* those open at the start first */
    size_t at_start;
    uint32_t *open;             /* by lock and mode: index + 1 of the thread's open section */
    uint32_t *section_of;       /* by acquire: index + 1 of its section */
    uint32_t *section_at_start; /* by lock: index + 1 of the holder's section at the start */
} lock_table;

static void list_sections_at_start(lock_table *table)
{
    const ser_task *task = table->encoding->task;
    for (uint32_t l = 0; l < task->locks.count; l++) {
        const ser_task_lock *lock = &task->locks.items[l];
        section start = {l, lock->holder, SER_TASK_START, SER_TASK_NONE, false};
        if (lock->holder != SER_TASK_NONE) {
            ser_vector_push(&table->sections, start);
            table->section_at_start[l] = (uint32_t)table->sections.count;
        }
        start.shared = true;
        for (size_t i = 0; i < lock->sharers.count; i++) {
            start.thread = lock->sharers.items[i];
            ser_vector_push(&table->sections, start);
        }
    }
    table->at_start = table->sections.count;
}

/* A thread may hold a lock exclusively and, to downgrade, shared as well: these are
 * two sections. */
static uint32_t *open_in_mode(const lock_table *table, uint32_t lock, bool shared)
{
    return &table->open[2 * (size_t)lock + shared];
}

static void open_section(lock_table *table, uint32_t number, bool shared)
{
    const ser_task_step *step = ser_encoding_step(table->encoding, number);
    section fresh = {step->lock, step->thread, number, SER_TASK_NONE, shared};
    ser_vector_push(&table->sections, fresh);
    table->section_of[number] = (uint32_t)table->sections.count;
    *open_in_mode(table, step->lock, shared) = table->section_of[number];
}

static void close_section(lock_table *table, uint32_t number, bool shared)
{
    uint32_t lock = ser_encoding_step(table->encoding, number)->lock;
    uint32_t *open = open_in_mode(table, lock, shared);
    if (*open)
        table->sections.items[*open - 1].release = number;
    *open = 0;
}

static void list_sections_of_thread(lock_table *table, uint32_t thread)
{
    ser_encoding *encoding = table->encoding;
    uint32_t first = encoding->task->threads.items[thread].first;
    memset(table->open, 0, 2 * encoding->task->locks.count * sizeof *table->open);
    for (size_t i = 0; i < table->at_start; i++) {
        const section *at = &table->sections.items[i];
        if (at->thread == thread)
            *open_in_mode(table, at->lock, at->shared) = (uint32_t)i + 1;
    }
    for (uint32_t i = first; i < first + encoding->must.possible[thread]; i++) {
        uint8_t action = ser_encoding_step(encoding, i)->action;
        if (action == SER_LOCK_ACQUIRE || action == SER_LOCK_ACQUIRE_SHARED)
            open_section(table, i, action == SER_LOCK_ACQUIRE_SHARED);
        else if (action == SER_LOCK_RELEASE || action == SER_LOCK_RELEASE_SHARED)
            close_section(table, i, action == SER_LOCK_RELEASE_SHARED);
    }
}

static ser_literal is_entered(const lock_table *table, const section *at)
{
    return at->acquire == SER_TASK_START ? SER_TRUE : table->encoding->happens[at->acquire];
}

static ser_literal is_left(const lock_table *table, const section *at)
{
    return at->release == SER_TASK_NONE ? SER_FALSE : table->encoding->happens[at->release];
}

/* The first section is over before the second starts. */
static ser_literal comes_first(const lock_table *table, const section *a, const section *b)
{
    if (a->release == SER_TASK_NONE || b->acquire == SER_TASK_START)
        return SER_FALSE;
    ser_literal before = ser_encoding_before(table->encoding, a->release, b->acquire);
    if (before == SER_TRUE) /* in all runs; then the release happens, too */
        return SER_TRUE;
    return ser_formula_both(&table->encoding->formula, is_left(table, a), before);
}

static void encode_pair(const lock_table *table, const section *a, const section *b)
{
    ser_formula_clause(&table->encoding->formula, ser_not(is_entered(table, a)),
                       ser_not(is_entered(table, b)), comes_first(table, a, b),
                       comes_first(table, b, a));
}

static void encode_test(const lock_table *table, uint32_t test)
{
    ser_encoding *encoding = table->encoding;
    ser_formula *formula = &encoding->formula;
    const ser_task_step *step = ser_encoding_step(encoding, test);
    ser_literal not_unbroken = ser_not(encoding->unbroken[test]);
    if (not_unbroken == SER_TRUE)
        return;
    uint32_t index = step->source == SER_TASK_START ? table->section_at_start[step->lock]
                                                    : table->section_of[step->source];
    if (!index) {
        ser_formula_clause(formula, not_unbroken);
        return;
    }
    const section *holder = &table->sections.items[index - 1];
    ser_formula_clause(formula, not_unbroken, is_entered(table, holder));
    if (holder->acquire != SER_TASK_START)
        ser_formula_clause(formula, not_unbroken,
                           ser_encoding_before(encoding, holder->acquire, test));
    if (holder->release != SER_TASK_NONE)
        ser_formula_clause(formula, not_unbroken, ser_not(is_left(table, holder)),
                           ser_encoding_before(encoding, test, holder->release));
}

static int by_lock(const void *a, const void *b)
{
    const section *first = a, *second = b;
    return (first->lock > second->lock) - (first->lock < second->lock);
}

static void encode_pairs(lock_table *table)
{
    section *all = table->sections.items;
    size_t count = table->sections.count;
    if (count)
        qsort(all, count, sizeof *all, by_lock);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && all[i].lock == all[j].lock; j++) {
            if (ser_encoding_must_stop(table->encoding))
                return;
            if (all[i].thread != all[j].thread && !(all[i].shared && all[j].shared))
                encode_pair(table, &all[i], &all[j]);
        }
}

void ser_encode_locks(ser_encoding *encoding)
{
    const ser_task *task = encoding->task;
    lock_table table = {
        .encoding = encoding,
        .open = ser_alloc(2 * task->locks.count + 1, sizeof *table.open),
        .section_of = ser_alloc(task->steps.count + 1, sizeof *table.section_of),
        .section_at_start = ser_alloc(task->locks.count + 1, sizeof *table.section_at_start),
    };
    list_sections_at_start(&table);
    for (uint32_t t = 0; t < task->threads.count; t++)
        list_sections_of_thread(&table, t);
    for (uint32_t i = 0; i < task->steps.count; i++)
        if (task->steps.items[i].action == SER_LOCK_TEST && ser_encoding_can_happen(encoding, i))
            encode_test(&table, i);
    encoding->formula.defer = true;
    encode_pairs(&table); /* sorts the sections: their indices are gone */
    encoding->formula.defer = false;
    ser_vector_free(&table.sections);
    free(table.open);
    free(table.section_of);
    free(table.section_at_start);
}
