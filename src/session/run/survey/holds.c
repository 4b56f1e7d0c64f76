/* SPDX-License-Identifier: MIT */
#include "session/run/survey/holds.h"

#include <stdlib.h>
#include <string.h>

#include "base/pairmap.h"
#include "base/vector.h"

typedef struct requesting_thread {
    uint32_t request; /* by number, from 1 on; 0: it has received none */
    uint32_t locks, unlocks;
    bool has_sent; /* since then */
} requesting_thread;

typedef struct last_look {
    uint32_t request, unlocks;
} last_look;

typedef struct variable_use {
    uint32_t thread; /* 1 + the first one */
    bool is_shared, is_written;
} variable_use;

typedef struct holds_survey {
    const ser_run *run;
    uint64_t between[SER_HOLDS + 1]; /* pairs of a read and a write, by unlocks */
    ser_pairmap looks;               /* (thread, variable): place in the list, plus one */
    SER_VECTOR(last_look) list;
    SER_VECTOR(requesting_thread) threads;
    SER_VECTOR(variable_use) variables;
} holds_survey;

static bool receives(const ser_run *run, const ser_event *event, const char *from)
{
    return ser_op_takes((ser_op)event->op) &&
           strncmp(ser_symbols_name(run->symbols, SER_SPACE_SEMAPHORE, event->object), from,
                   strlen(from)) == 0;
}

uint64_t ser_holds_received(const ser_run *run, const char *from)
{
    uint64_t count = 0;
    for (uint32_t i = 1; i <= run->count; i++)
        count += receives(run, &run->events[i], from);
    return count;
}

/* Who frees it at the end shares nothing. */
static bool uses_data(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op);
}

static void find_uses(holds_survey *survey)
{
    for (uint32_t i = 1; i <= survey->run->count; i++) {
        const ser_event *event = &survey->run->events[i];
        if (!uses_data(event))
            continue;
        variable_use *use = ser_vector_slot(&survey->variables, event->object);
        use->is_shared |= use->thread && use->thread != event->thread + 1U;
        use->is_written |= ser_op_writes((ser_op)event->op);
        use->thread = event->thread + 1U;
    }
}

static last_look *look_of(holds_survey *survey, const ser_event *event)
{
    uint32_t *number = ser_pairmap_add(&survey->looks, event->thread, event->object, 0);
    if (*number == 0) {
        const last_look none = {0};
        ser_vector_push(&survey->list, none);
        *number = (uint32_t)survey->list.count;
    }
    return &survey->list.items[*number - 1];
}

static void see_access(holds_survey *survey, const requesting_thread *thread,
                       const ser_event *event)
{
    const variable_use *use = &survey->variables.items[event->object];
    if (!thread->request || !use->is_shared || !use->is_written)
        return;
    last_look *look = look_of(survey, event);
    if (ser_op_reads((ser_op)event->op))
        *look = (last_look){thread->request, thread->unlocks};
    else if (look->request == thread->request)
        for (uint32_t i = look->unlocks + 1; i <= thread->unlocks && i <= SER_HOLDS; i++)
            survey->between[i]++;
}

/* What comes from other processes may also be what a call like stat() found: a request comes after
 * the reply to the one before. */
static bool begins_request(const holds_survey *survey, const requesting_thread *thread,
                           const ser_event *event)
{
    return event->flow != SER_FLOW_CHAIN && (receives(survey->run, event, "socket") ||
                                             ((thread->request == 0 || thread->has_sent) &&
                                              receives(survey->run, event, "other processes")));
}

static void see(holds_survey *survey, const ser_event *event)
{
    requesting_thread *thread = ser_vector_slot(&survey->threads, event->thread);
    ser_op op = (ser_op)event->op;
    if (uses_data(event)) {
        see_access(survey, thread, event);
    } else if (ser_op_acquires(op)) {
        thread->locks++;
    } else if (ser_op_releases(op)) {
        thread->locks -= thread->locks > 0;
        thread->unlocks += thread->locks == 0;
    } else if (begins_request(survey, thread, event)) {
        *thread = (requesting_thread){.request = thread->request + 1, .locks = thread->locks};
    } else {
        thread->has_sent |= ser_op_posts(op) && event->flow != SER_FLOW_CHAIN;
    }
}

/* Insertion keeps the order of equal ones. */
static void sort(const uint64_t *between, unsigned *holds)
{
    for (unsigned i = 0; i < SER_HOLDS; i++) {
        unsigned place = i;
        for (; place > 0 && between[holds[place - 1]] < between[i + 1]; place--)
            holds[place] = holds[place - 1];
        holds[place] = i + 1;
    }
}

void ser_holds_find(const ser_run *run, unsigned holds[SER_HOLDS])
{
    holds_survey survey = {.run = run};
    find_uses(&survey);
    for (uint32_t i = 1; i <= run->count; i++)
        see(&survey, &run->events[i]);
    sort(survey.between, holds);
    ser_pairmap_fini(&survey.looks);
    ser_vector_free(&survey.list);
    ser_vector_free(&survey.threads);
    ser_vector_free(&survey.variables);
}
