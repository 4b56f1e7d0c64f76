/* SPDX-License-Identifier: MIT */
/*
 * The right answers, by brute force. What the path criterion calls a violation is one
 * for serializability too, by the same interleaving; trial_naive looks at that.
 */
#include "sample.h"

#include <stdarg.h>
#include <stdio.h>

#include "draw_reads.h"
#include "draw_values.h"
#include "prepare.h"

enum { MOST_STATES = 1000000 };

const char *const criterion_names[CRITERIA] = {"path", "serializability"};

static bool answer_block(sample *s, size_t index)
{
    sample_block *block = &s->blocks[index];
    size_t begin = s->world.blocks[index].begin;
    for (int criterion = 0; criterion < CRITERIA; criterion++) {
        if (criterion > 0 && block->answer[0] == AVP_VIOLATION) {
            block->answer[criterion] = AVP_VIOLATION;
            block->witness[criterion] = block->witness[0];
            continue;
        }
        block->answer[criterion] =
            avp_search(&s->world, begin, criterion, MOST_STATES, &block->witness[criterion]);
        if (block->answer[criterion] == AVP_TOO_LARGE)
            return false;
    }
    return true;
}

static bool answer_by_force(sample *s)
{
    for (size_t i = 0; i < s->world.block_count; i++)
        if (!answer_block(s, i))
            return false;
    return true;
}

sample_status sample_init(sample *s, const event_list *raw, const char *atomic, uint64_t seed,
                          bool large)
{
    ser_error error;
    s->events = (event_list){0};
    s->seed = seed;
    s->atomic = atomic;
    s->large = large;
    if (!prepare_trace(&s->events, raw, atomic, &error)) {
        ser_vector_free(&s->events);
        return SAMPLE_ILL_FORMED;
    }
    s->by_value = has_drawn_values(&s->events);
    if (s->by_value)
        make_reads_by_value(&s->reads, &s->events);
    else
        make_reads(&s->reads, &s->events);
    if (!avp_world_init(&s->world, s->events.items, s->events.count,
                        s->by_value || has_drawn_reads(&s->events) ? &s->reads : NULL)) {
        ser_reads_fini(&s->reads);
        ser_vector_free(&s->events);
        return SAMPLE_TOO_LARGE;
    }
    if (large ? answer_by_engine(s) : answer_by_force(s))
        return SAMPLE_READY;
    sample_fini(s);
    return SAMPLE_TOO_LARGE;
}

void sample_fini(sample *s)
{
    avp_world_fini(&s->world);
    ser_reads_fini(&s->reads);
    ser_vector_free(&s->events);
}

bool differ(difference *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->text, sizeof found->text, format, arguments);
    va_end(arguments);
    return true;
}

void describe_order(difference *found, const char *what, const uint32_t *order, size_t count)
{
    size_t size = sizeof found->text, used = strlen(found->text);
    used += (size_t)snprintf(found->text + used, size - used, "\n%s [", what);
    for (size_t i = 0; i < count && used + 16 < size; i++)
        used += (size_t)snprintf(found->text + used, size - used, i ? " %u" : "%u", order[i]);
    snprintf(found->text + used, size - used, "]\n");
}
