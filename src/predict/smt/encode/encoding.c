/* SPDX-License-Identifier: MIT */
/*
 * The frame of the encoding: variables, program order, needs and clear lists
 * (ser_encode), and the way back from a model to a run (ser_encoding_read_order).
 */
#include "predict/smt/encode/encoding.h"

enum { TICKS_BETWEEN_LOOKS = 4096 };

bool ser_encoding_must_stop(ser_encoding *encoding)
{
    if (encoding->stopped != SER_REASON_NONE)
        return true;
    if (++encoding->ticks % TICKS_BETWEEN_LOOKS != 0)
        return false;
    const ser_search_options *options = encoding->options;
    if (options->memory &&
        ser_formula_size(&encoding->formula) + ser_must_bytes(encoding->task) > options->memory)
        encoding->stopped = SER_REASON_MEMORY;
    else
        ser_search_must_stop(options, &encoding->stopped);
    return encoding->stopped != SER_REASON_NONE;
}

uint32_t ser_encoding_next(const ser_encoding *encoding, uint32_t step)
{
    const ser_task *task = encoding->task;
    const ser_task_thread *thread = &task->threads.items[task->steps.items[step].thread];
    uint32_t next = ser_task_move_end(task, step);
    bool exists = next < thread->first + thread->count;
    return exists && ser_encoding_can_happen(encoding, next) ? next : SER_TASK_NONE;
}

ser_literal ser_encoding_before(ser_encoding *encoding, uint32_t a, uint32_t b)
{
    if (ser_must_precede(&encoding->must, a, b))
        return SER_TRUE;
    if (a == b || ser_must_precede(&encoding->must, b, a))
        return SER_FALSE;
    return ser_formula_before(&encoding->formula, encoding->point[a], encoding->point[b]);
}

ser_literal ser_encoding_writes(const ser_encoding *encoding, uint32_t step)
{
    switch ((ser_access)ser_encoding_step(encoding, step)->access) {
    case SER_ACCESS_WRITE:
        return encoding->happens[step];
    case SER_ACCESS_RMW:
        return ser_encoding_always_writes(encoding, step) ? encoding->happens[step]
                                                          : encoding->unbroken[step];
    default:
        return SER_FALSE;
    }
}

ser_literal ser_encoding_conflict(ser_encoding *encoding, uint32_t a, uint32_t b)
{
    if (ser_encoding_always_writes(encoding, a) || ser_encoding_always_writes(encoding, b))
        return SER_TRUE;
    ser_literal first = ser_encoding_writes(encoding, a), second = ser_encoding_writes(encoding, b);
    if (first == SER_FALSE || second == SER_FALSE)
        return first == SER_FALSE ? second : first;
    ser_literal helper = ser_formula_boolean(&encoding->formula, SER_ATOM_HELPER, 0);
    ser_formula_clause(&encoding->formula, ser_not(helper), first, second);
    return helper;
}

typedef struct observed_step {
    uint32_t event, step;
} observed_step;

static int by_event(const void *a, const void *b)
{
    const observed_step *first = a, *second = b;
    if (first->event != second->event)
        return first->event < second->event ? -1 : 1;
    return first->step < second->step ? -1 : first->step > second->step;
}

static void number_points(ser_encoding *encoding)
{
    const ser_task *task = encoding->task;
    SER_VECTOR(observed_step) observed = {0};
    for (uint32_t i = 0; i < task->steps.count; i++)
        ser_vector_push(&observed, ((observed_step){task->steps.items[i].event, i}));
    if (observed.count)
        qsort(observed.items, observed.count, sizeof *observed.items, by_event);
    encoding->point = ser_alloc(observed.count + 1, sizeof *encoding->point);
    for (uint32_t rank = 0; rank < observed.count; rank++)
        encoding->point[observed.items[rank].step] = rank;
    for (uint32_t i = 1; i < task->steps.count; i++)
        if (task->steps.items[i - 1].joined)
            encoding->point[i] = encoding->point[i - 1];
    ser_vector_free(&observed);
}

/* What happens of a thread is a prefix. */
static void encode_prefix(ser_encoding *encoding, uint32_t step)
{
    uint32_t next = ser_encoding_next(encoding, step);
    if (next != SER_TASK_NONE)
        ser_formula_clause(&encoding->formula, ser_not(encoding->happens[next]),
                           encoding->happens[step]);
}

static void encode_needs(ser_encoding *encoding, uint32_t number)
{
    ser_formula *formula = &encoding->formula;
    const ser_task_step *step = ser_encoding_step(encoding, number);
    for (uint32_t i = 0; i < step->needs.count; i++) {
        uint32_t need = encoding->task->lists.items[step->needs.first + i];
        bool by_value = !encoding->task->may_change && ser_encoding_has_source(encoding, need);
        ser_formula_clause(formula, ser_not(encoding->happens[number]),
                           by_value ? encoding->unbroken[need] : encoding->happens[need]);
        /* Holds for points of steps that do not happen, too: they can be put last. */
        ser_formula_clause(
            formula, ser_formula_before(formula, encoding->point[need], encoding->point[number]));
    }
}

/* No step of the clear list is pending when the step happens. */
static void encode_clear(ser_encoding *encoding, uint32_t number)
{
    ser_formula *formula = &encoding->formula;
    const ser_task_step *step = ser_encoding_step(encoding, number);
    for (uint32_t i = 0; i < step->clear.count; i++) {
        uint32_t wait = encoding->task->lists.items[step->clear.first + i];
        if (wait == number || !ser_encoding_can_happen(encoding, wait))
            continue;
        uint32_t next = ser_encoding_next(encoding, wait);
        ser_literal is_over = next == SER_TASK_NONE
                                  ? SER_FALSE
                                  : ser_formula_both(formula, encoding->happens[next],
                                                     ser_encoding_before(encoding, next, number));
        ser_formula_clause(formula, ser_not(encoding->happens[number]),
                           ser_not(encoding->happens[wait]),
                           ser_encoding_before(encoding, number, wait), is_over);
    }
}

/* A thread that uses a freed variable stops there: a later step of it happens only if the access
 * came before each free. */
static void encode_not_freed(ser_encoding *encoding, uint32_t later, uint32_t access)
{
    const ser_task *task = encoding->task;
    if (!task->freed_by.count || ser_encoding_step(encoding, access)->access == SER_ACCESS_NONE)
        return;
    uint32_t first = ser_task_move_first(task, access), end = ser_task_move_end(task, access);
    for (uint32_t i = first; i < end; i++) {
        ser_step_list frees = ser_task_frees_of(task, i);
        for (uint32_t k = 0; k < frees.count; k++) {
            uint32_t freeing = task->lists.items[frees.first + k];
            bool is_own = first <= freeing && freeing < end;
            if (!is_own && ser_encoding_can_happen(encoding, freeing))
                ser_formula_clause(&encoding->formula, ser_not(encoding->happens[later]),
                                   ser_not(encoding->happens[freeing]),
                                   ser_encoding_before(encoding, i, freeing));
        }
    }
}

static void encode_frees(ser_encoding *encoding, uint32_t number)
{
    const ser_task_step *step = ser_encoding_step(encoding, number);
    uint32_t next = ser_encoding_next(encoding, number);
    if (next != SER_TASK_NONE)
        encode_not_freed(encoding, next, number);
    for (uint32_t i = 0; i < step->needs.count; i++)
        encode_not_freed(encoding, number, encoding->task->lists.items[step->needs.first + i]);
}

void ser_encode_program_order(ser_encoding *encoding)
{
    ser_formula *formula = &encoding->formula;
    for (size_t t = 0; t < encoding->task->threads.count; t++) {
        uint32_t first = encoding->task->threads.items[t].first, previous = SER_TASK_NONE;
        for (uint32_t i = first; i < first + encoding->must.possible[t]; i++) {
            uint32_t point = encoding->point[i];
            if (!formula->mentioned[point] || point == previous)
                continue;
            if (previous != SER_TASK_NONE)
                ser_formula_clause(formula, ser_formula_before(formula, previous, point));
            previous = point;
        }
    }
}

/* Both pairs of neighbours happen, in their order, and conflict. */
static void encode_pair(ser_encoding *encoding, uint32_t a, uint32_t b)
{
    bool can_happen = ser_encoding_can_happen(encoding, a) && ser_encoding_can_happen(encoding, b);
    ser_formula_clause(&encoding->formula, can_happen ? encoding->happens[b] : SER_FALSE);
    if (!can_happen)
        return;
    ser_formula_clause(&encoding->formula, encoding->happens[a]);
    ser_formula_clause(&encoding->formula, ser_encoding_before(encoding, a, b));
    ser_formula_clause(&encoding->formula, ser_encoding_conflict(encoding, a, b));
}

static void encode_triple(ser_encoding *encoding)
{
    const ser_search_triple *triple = &encoding->options->triple;
    encode_pair(encoding, triple->from, triple->remote);
    encode_pair(encoding, triple->remote, triple->to);
}

void ser_encode(ser_encoding *encoding, const ser_task *task, const ser_search_options *options)
{
    uint32_t count = (uint32_t)task->steps.count;
    *encoding = (ser_encoding){.task = task, .options = options};
    /* After those of steps come ranks of transactions, by their first step, and horizons. */
    ser_formula_init(&encoding->formula, (task->may_change ? 4 : 2) * count);
    number_points(encoding);
    ser_must_init(&encoding->must, task);
    ser_lanes_init(&encoding->lanes, &encoding->must);
    ser_encode_booleans(encoding);
    for (uint32_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++) {
        if (!ser_encoding_can_happen(encoding, i))
            continue;
        encode_prefix(encoding, i);
        encode_needs(encoding, i);
        encode_clear(encoding, i);
        if (task->freed_by.count)
            encode_frees(encoding, i);
    }
    if (task->may_change)
        ser_encode_changes(encoding);
    else
        ser_encode_reads(encoding);
    ser_encode_locks(encoding);
    switch (options->criterion) {
    case SER_CRITERION_PATH:
        ser_encode_path(encoding);
        break;
    case SER_CRITERION_SERIALIZABILITY:
        ser_encode_cycle(encoding);
        break;
    case SER_CRITERION_TRIPLE:
        encode_triple(encoding);
        break;
    }
    ser_encode_program_order(encoding);
}

void ser_encoding_fini(ser_encoding *encoding)
{
    ser_formula_fini(&encoding->formula);
    ser_must_fini(&encoding->must);
    ser_lanes_fini(&encoding->lanes);
    free(encoding->point);
    free(encoding->happens);
    free(encoding->unbroken);
    free(encoding->reliable);
}
