/* SPDX-License-Identifier: MIT */
/*
 * A hash of 64 bits over numbers, not bytes: it is the same on every machine.
 */
#include "session/predict_task.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t add(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = add(hash, (unsigned char)*text);
    return add(hash, text ? 0 : UINT64_MAX);
}

static uint64_t add_event(uint64_t hash, const ser_event *event)
{
    hash = add(hash, (uint64_t)event->thread << 32 | event->object);
    hash = add(hash, (uint64_t)event->op << 32 | (uint64_t)event->flags << 16 | event->flow);
    return add(hash, event->value);
}

static uint64_t add_options(uint64_t hash, const ser_predict_options *options)
{
    hash = add(hash, options->model);
    hash = add(hash, (uint64_t)options->staged | (uint64_t)options->no_segment << 1 |
                         (uint64_t)options->no_static << 2);
    hash = add(hash, options->search.criterion);
    return add(hash, options->search.switches);
}

void ser_predict_task(const ser_run *run, const ser_predict_options *options,
                      const ser_predict_choice *choice, char task[SER_PREDICT_TASK_SIZE])
{
    uint64_t hash = add_options(0, options);
    hash = add(hash, choice->block);
    hash = add_text(hash, choice->thread);
    hash = add_text(hash, choice->function);
    for (uint32_t i = 1; i <= run->count; i++)
        hash = add_event(hash, &run->events[i]);
    snprintf(task, SER_PREDICT_TASK_SIZE, "%016" PRIx64, hash);
}
