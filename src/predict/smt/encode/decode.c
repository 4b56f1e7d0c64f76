/* SPDX-License-Identifier: MIT */
/*
 * From a model back to a run: steps that happen, by the places of their points, and
 * of equal places the lesser number first (formula.h). A step whose point occurs in
 * no atom has its place anywhere between its neighbours in the thread, and goes
 * right before the next one that has a place.
 */
#include "predict/smt/encode/encoding.h"

typedef struct placed_step {
    int64_t place;
    uint32_t point, step;
} placed_step;

static int by_place(const void *a, const void *b)
{
    const placed_step *first = a, *second = b;
    if (first->place != second->place)
        return first->place < second->place ? -1 : 1;
    return first->point < second->point ? -1 : first->point > second->point;
}

static bool happens(const ser_encoding *encoding, const ser_smt_model *model, uint32_t step)
{
    ser_literal literal = encoding->happens[step];
    return literal == SER_TRUE || (literal != SER_FALSE && model->truth[literal / 2]);
}

/* Takes the thread's steps up to this one. */
static void take_until(const ser_task *task, uint32_t step, uint32_t *taken, ser_answer *answer)
{
    uint32_t thread = task->steps.items[step].thread, first = task->threads.items[thread].first;
    while (first + taken[thread] <= step)
        ser_vector_push(&answer->order, first + taken[thread]++);
}

void ser_encoding_read_order(const ser_encoding *encoding, const ser_smt_model *model,
                             ser_answer *answer)
{
    const ser_task *task = encoding->task;
    uint32_t count = (uint32_t)task->steps.count;
    SER_VECTOR(placed_step) placed = {0};
    uint32_t *taken = ser_alloc(task->threads.count + 1, sizeof *taken);
    for (uint32_t i = 0; i < count; i++)
        if (encoding->formula.mentioned[encoding->point[i]] && happens(encoding, model, i))
            ser_vector_push(
                &placed, ((placed_step){model->place[encoding->point[i]], encoding->point[i], i}));
    if (placed.count)
        qsort(placed.items, placed.count, sizeof *placed.items, by_place);
    for (size_t i = 0; i < placed.count; i++)
        take_until(task, placed.items[i].step, taken, answer);
    for (uint32_t i = 0; i < count; i++)
        if (happens(encoding, model, i))
            take_until(task, i, taken, answer);
    ser_vector_free(&placed);
    free(taken);
}
