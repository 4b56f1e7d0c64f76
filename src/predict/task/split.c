/* SPDX-License-Identifier: MIT */
/*
 * For each lock and variable and each two threads that use it, the steps in the middle of their
 * uses are a pair (list_pairs). The pairs with the most uses on both sides are taken: their order
 * says most about the rest.
 *
 * A need is not met by a step at which its thread stops (task.h), which would lose runs. So reads
 * are in no pair, nor are writes where memory is freed.
 */
#include "predict/task/split.h"

#include <stdlib.h>

#include "predict/task/must.h"

enum { MOST_MUST_BYTES = 256 << 20, MOST_PAIRS = 1 << 16 };

/* Steps of one thread that use the same lock, or the same variable. */
typedef struct use {
    uint32_t object; /* locks come behind the variables */
    uint32_t step;
} use;

typedef struct pair {
    uint32_t first, second;
    uint64_t weight;
} pair;

typedef SER_VECTOR(use) use_list;
typedef SER_VECTOR(pair) pair_list;

static bool is_alone(const ser_task *task, uint32_t number)
{
    return ser_task_move_first(task, number) == number &&
           ser_task_move_end(task, number) == number + 1;
}

static void list_uses(const ser_task *task, const ser_must *must, use_list *uses)
{
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        bool writes = step->access == SER_ACCESS_WRITE && !task->freed_by.count;
        bool acquires = step->action == SER_LOCK_ACQUIRE && step->access == SER_ACCESS_NONE;
        if ((!writes && !acquires) || !is_alone(task, i) || !ser_must_can_happen(must, i))
            continue;
        uint32_t object = acquires ? task->variables + step->lock : step->variable;
        ser_vector_push(uses, ((use){object, i}));
    }
}

static int compare_uses(const void *a, const void *b)
{
    const use *one = a, *other = b;
    if (one->object != other->object)
        return one->object < other->object ? -1 : 1;
    return one->step < other->step ? -1 : one->step > other->step;
}

/* The end of the uses of one object, or of one object by one thread. */
static size_t end_of_object(const use_list *uses, size_t from)
{
    size_t end = from;
    while (end < uses->count && uses->items[end].object == uses->items[from].object)
        end++;
    return end;
}

static size_t end_of_thread(const ser_task *task, const use_list *uses, size_t from, size_t most)
{
    size_t end = from;
    uint32_t thread = task->steps.items[uses->items[from].step].thread;
    while (end < most && task->steps.items[uses->items[end].step].thread == thread)
        end++;
    return end;
}

static void add_pair(const ser_must *must, const use_list *uses, size_t from, size_t middle,
                     size_t end, size_t second_end, pair_list *pairs)
{
    uint32_t first = uses->items[from + (middle - from) / 2].step;
    uint32_t second = uses->items[end + (second_end - end) / 2].step;
    if (pairs->count < MOST_PAIRS && !ser_must_precede(must, first, second) &&
        !ser_must_precede(must, second, first))
        ser_vector_push(pairs, ((pair){first, second,
                                       (uint64_t)(middle - from) * (second_end - end)}));
}

/* Of one object: each two threads. */
static void pair_threads(const ser_task *task, const ser_must *must, const use_list *uses,
                         size_t from, size_t end, pair_list *pairs)
{
    while (from < end) {
        size_t middle = end_of_thread(task, uses, from, end);
        for (size_t other = middle; other < end;) {
            size_t other_end = end_of_thread(task, uses, other, end);
            add_pair(must, uses, from, middle, other, other_end, pairs);
            other = other_end;
        }
        from = middle;
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *one = a, *other = b;
    if (one->weight != other->weight)
        return one->weight > other->weight ? -1 : 1;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return one->second < other->second ? -1 : one->second > other->second;
}

static void list_pairs(const ser_task *task, pair_list *pairs)
{
    ser_must must;
    use_list uses = {0};
    if (ser_must_bytes(task) > MOST_MUST_BYTES)
        return;
    ser_must_init(&must, task);
    list_uses(task, &must, &uses);
    if (uses.count)
        qsort(uses.items, uses.count, sizeof *uses.items, compare_uses);
    for (size_t i = 0; i < uses.count; i = end_of_object(&uses, i))
        pair_threads(task, &must, &uses, i, end_of_object(&uses, i), pairs);
    if (pairs->count)
        qsort(pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    ser_vector_free(&uses);
    ser_must_fini(&must);
}

/* Lists may be shared, so the step gets a new one. */
static void add_need(ser_task *task, uint32_t later, uint32_t earlier)
{
    ser_step_list old = task->steps.items[later].needs;
    ser_step_list list = {(uint32_t)task->lists.count, old.count + 1};
    for (uint32_t i = 0; i < old.count; i++) {
        uint32_t need = task->lists.items[old.first + i];
        ser_vector_push(&task->lists, need);
    }
    ser_vector_push(&task->lists, earlier);
    task->steps.items[later].needs = list;
}

bool ser_task_split(ser_task *task, ser_shard part)
{
    pair_list pairs = {0};
    if (part.of <= 1)
        return true;
    list_pairs(task, &pairs);
    uint32_t number = part.number - 1, parts = 1;
    for (size_t i = 0; i < pairs.count && parts <= part.of / 2; i++, parts *= 2) {
        bool observed = (number / parts) % 2 == 0;
        uint32_t first = pairs.items[i].first, second = pairs.items[i].second;
        add_need(task, observed ? second : first, observed ? first : second);
    }
    ser_vector_free(&pairs);
    return number < parts;
}
