/* SPDX-License-Identifier: MIT */
#include "session/run/judge/recheck.h"

#include <string.h>

#include "symbolic/guards.h"

static bool is_changed(const ser_witness_facts *facts, uint32_t event)
{
    for (size_t i = 0; i < facts->broken.count; i++)
        if (facts->broken.items[i] == event)
            return true;
    return false;
}

/* A compare-exchange that reads another value than the one that it replaced when it was recorded.
 * If an equal value came back meanwhile it succeeds, and knows nothing. */
static bool is_exchange_that_fails(const ser_run *run, const ser_witness_facts *facts,
                                   uint32_t last)
{
    const ser_event *event = &run->events[last], *source = &run->events[run->couple[last]];
    if (!ser_op_updates((ser_op)event->op) || event->flow & SER_FLOW_MODIFIES ||
        !is_changed(facts, last))
        return false;
    uint32_t other = facts->path.items[facts->path.count - 2];
    const ser_event *between = &run->events[other];
    bool is_known = run->couple[last] && source->flags & between->flags & SER_EVENT_HAS_VALUE &&
                    between->object == event->object && !is_changed(facts, other);
    return !is_known || source->value != between->value;
}

/* --- does it decide the same once more? --------------------------------------- */

/* Without what is written: "=v,1,wadd32;v,0,sgt32" decides by the second expression alone. */
static const char *skip_written(const char *text)
{
    const char *next = *text == '=' ? strchr(text, ';') : NULL;
    return next ? next + 1 : *text == '=' ? "" : text;
}

static bool parse(const ser_run *run, const ser_event *read, ser_guards *guards)
{
    unsigned ignored;
    uint32_t number = ser_event_guards(read);
    const char *text = number ? ser_symbols_guards(run->symbols, number) : "";
    text = skip_written(ser_guards_skip_delay(text, &ignored));
    return *text && ser_guards_parse(guards, text, strlen(text)) && guards->count > 0;
}

static bool are_equal(const uint64_t *one, const uint64_t *other, size_t count)
{
    return memcmp(one, other, count * sizeof *one) == 0;
}

/* Of all pairs of values that the variable had: if the first look tells them apart, the second one
 * must do so as well. */
static bool tells_apart(const ser_run *run, uint32_t variable, const ser_guards *first,
                        const ser_guards *second)
{
    enum { MOST_VALUES = 64 };
    uint64_t one[MOST_VALUES][SER_MOST_GUARDS], other[MOST_VALUES][SER_MOST_GUARDS];
    size_t count = 0;
    bool is_decided = false;
    for (uint32_t i = 1; i <= run->count && count < MOST_VALUES; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || event->object != variable ||
            !(event->flags & SER_EVENT_HAS_VALUE))
            continue;
        if (!ser_guards_evaluate(first, event->value, one[count]) ||
            !ser_guards_evaluate(second, event->value, other[count]))
            return false;
        for (size_t j = 0; j < count; j++) {
            if (are_equal(one[j], one[count], first->count))
                continue;
            is_decided = true;
            if (are_equal(other[j], other[count], second->count))
                return false;
        }
        count++;
    }
    return is_decided;
}

/* Where it is not known how the read decides it did not look for a limit. */
bool ser_decides_again(const ser_run *run, uint32_t read, uint32_t last)
{
    const ser_event *before = &run->events[read], *event = &run->events[last];
    if (!ser_op_updates((ser_op)event->op) || !(event->flow & SER_FLOW_DECIDES) ||
        before->object != event->object || !ser_op_only_reads((ser_op)before->op))
        return false;
    ser_guards first = {0}, second = {0};
    bool is_limit = parse(run, before, &first);
    bool again = !is_limit ||
                 (parse(run, event, &second) && tells_apart(run, event->object, &first, &second));
    ser_guards_fini(&first);
    ser_guards_fini(&second);
    return again;
}

bool ser_is_rechecked(const ser_run *run, const ser_witness_facts *facts)
{
    size_t count = facts->path.count;
    if (count < 3)
        return false;
    uint32_t first = facts->path.items[0], last = facts->path.items[count - 1];
    return is_exchange_that_fails(run, facts, last) || ser_decides_again(run, first, last);
}
