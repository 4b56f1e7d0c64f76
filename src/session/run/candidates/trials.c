/* SPDX-License-Identifier: MIT */
#include "session/run/candidates/trials.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

void ser_trials_fini(ser_trials *trials)
{
    ser_names_destroy(trials->places);
    ser_vector_free(&trials->replays);
    ser_vector_free(&trials->runs);
}

unsigned *ser_trials_of(ser_trials *trials, const ser_run *run, uint32_t begin)
{
    const ser_event *first = &run->events[begin];
    bool named = ser_op_opens((ser_op)first->op);
    char place[4096];
    snprintf(
        place, sizeof place, "%s|%s|%s", ser_op_name((ser_op)first->op),
        ser_symbols_shown_location(run->symbols, first->site),
        named ? ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)first->op), first->object)
              : "");
    if (!trials->places)
        trials->places = ser_names_create();
    return ser_vector_slot(&trials->replays, ser_names_add(trials->places, place, strlen(place)));
}

/* Not 0. */
static uint64_t hash_location(const char *text)
{
    return ser_hash_key(text, strlen(text)) | 1;
}

/* The same for each way of scheduling the threads: a sum over threads. */
static uint64_t hash_paths(const ser_run *run)
{
    SER_VECTOR(uint64_t) places = {0};
    uint64_t sum = 0;
    for (uint32_t t = 0; t < run->threads.count; t++) {
        const ser_event_list *events = &run->threads.items[t].events;
        uint64_t path = run->threads.items[t].number;
        for (size_t i = 0; i < events->count; i++) {
            const ser_event *event = &run->events[events->items[i]];
            bool known = event->site != SER_NO_SITE;
            uint64_t none = 0, *place = known ? ser_vector_slot(&places, event->site) : &none;
            if (known && !*place)
                *place = hash_location(ser_symbols_location(run->symbols, event->site));
            path = ser_hash_mix(path ^ *place, event->op);
        }
        sum += path;
    }
    ser_vector_free(&places);
    return sum;
}

bool ser_trials_is_new(ser_trials *trials, const ser_run *run)
{
    uint64_t paths = hash_paths(run);
    for (size_t i = 0; i < trials->runs.count; i++)
        if (trials->runs.items[i] == paths)
            return false;
    ser_vector_push(&trials->runs, paths);
    return true;
}
