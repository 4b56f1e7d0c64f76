/* SPDX-License-Identifier: MIT */
#include "predict/smt/encode/doubts.h"

typedef struct doubter {
    const ser_encoding *encoding;
    ser_doubt_set *set;
    SER_VECTOR(uint32_t) work; /* moves whose sources are to be looked at */
    ser_source_list sources;
} doubter;

static void add_source(const ser_encoding *encoding, uint32_t read, uint32_t write,
                       ser_source_list *list)
{
    if (write == SER_TASK_NEVER)
        return;
    if (write != SER_TASK_START && (write == read || !ser_encoding_can_happen(encoding, write) ||
                                    ser_must_precede(&encoding->must, read, write) ||
                                    ser_encoding_is_overwritten(encoding, write)))
        return;
    ser_vector_push(list, write);
}

void ser_doubts_list_sources(const ser_encoding *encoding, uint32_t read, ser_source_list *list)
{
    const ser_task_step *step = ser_encoding_step(encoding, read);
    list->count = 0;
    add_source(encoding, read, step->source, list);
    for (uint32_t i = 0; i < step->accepts.count; i++) {
        uint32_t write = encoding->task->lists.items[step->accepts.first + i];
        if (write != step->source)
            add_source(encoding, read, write, list);
    }
}

static void doubt(doubter *at, uint32_t move)
{
    const ser_encoding *encoding = at->encoding;
    if (at->set->has[move] || encoding->reliable[move] || !ser_encoding_has_source(encoding, move))
        return;
    at->set->has[move] = true;
    if (ser_encoding_step(encoding, move)->access)
        ser_vector_push(&at->work, move);
}

static void doubt_all(doubter *at, ser_limited limited)
{
    for (uint32_t i = 0; i < limited.count; i++)
        doubt(at, limited.moves[i]);
}

/* All moves of a thread before a step. */
static void doubt_until(doubter *at, uint32_t thread, uint32_t end)
{
    const ser_task *task = at->encoding->task;
    uint32_t *until = &at->set->until[thread];
    for (uint32_t i = *until; i < end; i = ser_task_move_end(task, i))
        doubt(at, i);
    if (*until < end)
        *until = end;
}

static void follow_sources(doubter *at)
{
    const ser_task *task = at->encoding->task;
    while (at->work.count) {
        uint32_t first = at->work.items[--at->work.count], end = ser_task_move_end(task, first);
        for (uint32_t i = first; i < end; i++) {
            if (ser_encoding_from_move(at->encoding, i))
                continue;
            ser_doubts_list_sources(at->encoding, i, &at->sources);
            for (size_t k = 0; k < at->sources.count; k++) {
                uint32_t write = at->sources.items[k];
                if (write != SER_TASK_START)
                    doubt_until(at, task->steps.items[write].thread,
                                ser_task_move_end(task, write));
            }
        }
    }
}

/* See encode_need in encode_changes.c. */
static void doubt_need(doubter *at, uint32_t need)
{
    const ser_encoding *encoding = at->encoding;
    if (!ser_encoding_has_source(encoding, need))
        return;
    doubt(at, ser_task_move_first(encoding->task, need));
    if (!ser_limits_stop(&encoding->must.limits, need))
        doubt_all(at, ser_limits_behind(&encoding->must.limits, need));
}

static void doubt_for(doubter *at, uint32_t number)
{
    const ser_encoding *encoding = at->encoding;
    const ser_task *task = encoding->task;
    const ser_task_step *step = &task->steps.items[number];
    doubt_all(at, ser_limits_at(&encoding->must.limits, number));
    if (step->ends != SER_TASK_NONE)
        doubt_all(at,
                  ser_limits_at_end(&encoding->must.limits, task->steps.items[step->ends].thread));
    for (uint32_t i = 0; i < step->needs.count; i++)
        doubt_need(at, task->lists.items[step->needs.first + i]);
}

static bool has_unspoiled(const ser_encoding *encoding)
{
    for (uint32_t i = 0; i < encoding->task->steps.count && encoding->task->has_unspoiled; i++)
        if (encoding->task->steps.items[i].unspoiled && ser_encoding_can_happen(encoding, i))
            return true;
    return false;
}

static void make_set(ser_doubt_set *set, const ser_task *task)
{
    set->has = ser_alloc(task->steps.count + 1, sizeof *set->has);
    set->until = ser_alloc(task->threads.count + 1, sizeof *set->until);
    for (size_t t = 0; t < task->threads.count; t++)
        set->until[t] = task->threads.items[t].first;
}

static void find_unchanged(doubter *at)
{
    const ser_encoding *encoding = at->encoding;
    const ser_task *task = encoding->task;
    for (uint32_t i = 0; i < task->steps.count; i++)
        if (ser_encoding_can_happen(encoding, i))
            doubt_for(at, i);
    for (uint32_t t = 0; t < task->threads.count && has_unspoiled(encoding); t++)
        doubt_until(at, t, task->threads.items[t].first + encoding->must.possible[t]);
}

void ser_doubts_init(ser_doubts *doubts, const ser_encoding *encoding)
{
    const ser_task *task = encoding->task;
    make_set(&doubts->unchanged, task);
    make_set(&doubts->changed, task);
    ser_doubt_set *const sets[] = {&doubts->changed, &doubts->unchanged};
    for (size_t s = 0; s < 2; s++) {
        doubter at = {.encoding = encoding, .set = sets[s]};
        for (uint32_t i = 0; i < task->steps.count; i = ser_task_move_end(task, i))
            if (ser_encoding_can_happen(encoding, i) && ser_doubts_may_fail(encoding, i))
                doubt(&at, i);
        if (at.set == &doubts->unchanged)
            find_unchanged(&at);
        follow_sources(&at);
        ser_vector_free(&at.work);
        ser_vector_free(&at.sources);
    }
}

void ser_doubts_fini(ser_doubts *doubts)
{
    free(doubts->unchanged.has);
    free(doubts->unchanged.until);
    free(doubts->changed.has);
    free(doubts->changed.until);
}
