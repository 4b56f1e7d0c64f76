/* SPDX-License-Identifier: MIT */
#include "predict/candidates/lessons.h"

enum { LONGEST = 1000 }; /* events that are compared */

void ser_lessons_add(ser_lessons *lessons, const ser_run *run, uint32_t read, uint32_t limit)
{
    bool is_later = limit > read && run->events[limit].thread == run->events[read].thread;
    uint32_t events = is_later ? run->eid[limit] - run->eid[read] : 0;
    ser_vector_push(&lessons->all, ((ser_lesson){read, events}));
}

static bool is_same_code(const ser_event *one, const ser_event *other)
{
    return one->op == other->op && one->site == other->site && one->site != SER_NO_SITE;
}

static bool applies(const ser_run *run, const ser_lesson *lesson, uint32_t read)
{
    if (lesson->read == read)
        return true;
    if (!is_same_code(&run->events[lesson->read], &run->events[read]) || lesson->events > LONGEST)
        return false;
    uint32_t thread = run->events[lesson->read].thread, other = run->events[read].thread;
    if (run->eid[read] + lesson->events > run->threads.items[other].events.count)
        return false;
    for (uint32_t i = 1; i <= lesson->events; i++)
        if (!is_same_code(&run->events[ser_run_at(run, thread, run->eid[lesson->read] + i)],
                          &run->events[ser_run_at(run, other, run->eid[read] + i)]))
            return false;
    return true;
}

uint32_t ser_lessons_limit(const ser_lessons *lessons, const ser_run *run, uint32_t read)
{
    uint32_t events = UINT32_MAX;
    for (size_t i = 0; i < lessons->all.count; i++) {
        const ser_lesson *lesson = &lessons->all.items[i];
        if (lesson->events < events && applies(run, lesson, read))
            events = lesson->events;
    }
    if (events == UINT32_MAX)
        return SER_LIMIT_NONE;
    return events ? ser_run_at(run, run->events[read].thread, run->eid[read] + events)
                  : SER_LIMIT_NEXT;
}
