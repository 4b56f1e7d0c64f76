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

enum { MOST_VALUES = 64 };

/* What a read and a later update each make of the values that their variable had. */
typedef struct two_looks {
    ser_guards first, second;
    uint64_t observed[SER_MOST_GUARDS]; /* the first look, of what it has read */
    uint64_t values[MOST_VALUES];       /* each once: a thread that waits reads one many times */
    uint64_t one[MOST_VALUES][SER_MOST_GUARDS], other[MOST_VALUES][SER_MOST_GUARDS];
    size_t count;
} two_looks;

static bool are_equal(const uint64_t *one, const uint64_t *other, const ser_guards *guards)
{
    return memcmp(one, other, guards->count * sizeof *one) == 0;
}

static bool has_value(const two_looks *looks, uint64_t value)
{
    for (size_t i = 0; i < looks->count; i++)
        if (looks->values[i] == value)
            return true;
    return false;
}

/* False: some value cannot be evaluated. */
static bool evaluate(const ser_run *run, const ser_event *read, two_looks *looks)
{
    if (!ser_guards_evaluate(&looks->first, read->value, looks->observed))
        return false;
    for (uint32_t i = 1; i <= run->count && looks->count < MOST_VALUES; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || event->object != read->object ||
            !(event->flags & SER_EVENT_HAS_VALUE) || has_value(looks, event->value))
            continue;
        if (!ser_guards_evaluate(&looks->first, event->value, looks->one[looks->count]) ||
            !ser_guards_evaluate(&looks->second, event->value, looks->other[looks->count]))
            return false;
        looks->values[looks->count++] = event->value;
    }
    return true;
}

/* Values that the first look tells apart, the second one tells apart as well. */
static bool tells_apart(const two_looks *looks)
{
    bool is_decided = false;
    for (size_t i = 0; i < looks->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (are_equal(looks->one[i], looks->one[j], &looks->first))
                continue;
            is_decided = true;
            if (are_equal(looks->other[i], looks->other[j], &looks->second))
                return false;
        }
    }
    return is_decided;
}

/* Does the second look give its result of a value only if the first one would have refused? */
static bool is_refusal(const two_looks *looks, size_t value)
{
    for (size_t i = 0; i < looks->count; i++)
        if (are_equal(looks->other[i], looks->other[value], &looks->second) &&
            are_equal(looks->one[i], looks->observed, &looks->first))
            return false;
    return true;
}

static bool refuses_some(const two_looks *looks)
{
    for (size_t i = 0; i < looks->count; i++)
        if (is_refusal(looks, i))
            return true;
    return false;
}

static bool may_look_again(const ser_event *read, const ser_event *update)
{
    return ser_op_updates((ser_op)update->op) && update->flow & SER_FLOW_DECIDES &&
           read->object == update->object && ser_op_only_reads((ser_op)read->op);
}

/* Where it is not known how the read decides it did not look for a limit. */
static bool looks_again(const ser_run *run, uint32_t read, uint32_t update, bool if_unknown,
                        bool (*is_enough)(const two_looks *))
{
    const ser_event *before = &run->events[read], *event = &run->events[update];
    if (!may_look_again(before, event))
        return false;
    two_looks looks = {0};
    bool again = !parse(run, before, &looks.first);
    if (!again)
        again = parse(run, event, &looks.second)
                    ? evaluate(run, before, &looks) && is_enough(&looks)
                    : if_unknown;
    ser_guards_fini(&looks.first);
    ser_guards_fini(&looks.second);
    return again;
}

bool ser_decides_again(const ser_run *run, uint32_t read, uint32_t update)
{
    return looks_again(run, read, update, false, tells_apart);
}

bool ser_notices_some(const ser_run *run, uint32_t read, uint32_t update)
{
    return looks_again(run, read, update, true, tells_apart) ||
           looks_again(run, read, update, true, refuses_some);
}

/* Do the guards of a read tell that value from all others that the variable had? */
static bool singles_out(const ser_run *run, const ser_event *read, uint64_t value)
{
    two_looks looks = {0};
    bool is_only = parse(run, read, &looks.second) &&
                   ser_guards_evaluate(&looks.second, value, looks.observed);
    for (uint32_t i = 1; i <= run->count && is_only; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_is_access((ser_op)event->op) && event->object == read->object &&
            event->flags & SER_EVENT_HAS_VALUE && event->value != value)
            is_only = ser_guards_evaluate(&looks.second, event->value, looks.one[0]) &&
                      !are_equal(looks.one[0], looks.observed, &looks.second);
    }
    ser_guards_fini(&looks.second);
    return is_only;
}

/* "tail = Tail; ...; if (tail == Tail)": two atomic reads, the first of which decides nothing, and
 * the second only whether it reads the same. */
static bool is_compared_with(const ser_run *run, uint32_t first, uint32_t last)
{
    const ser_event *before = &run->events[first], *again = &run->events[last];
    uint16_t both = before->flow & again->flow;
    return ser_op_only_reads((ser_op)before->op) && ser_op_only_reads((ser_op)again->op) &&
           before->object == again->object && before->thread == again->thread && first < last &&
           both & SER_FLOW_ATOMIC && before->flags & SER_EVENT_HAS_VALUE &&
           !ser_event_guards(before) && singles_out(run, again, before->value);
}

bool ser_is_rechecked(const ser_run *run, const ser_witness_facts *facts)
{
    size_t count = facts->path.count;
    if (count < 3)
        return false;
    uint32_t first = facts->path.items[0], last = facts->path.items[count - 1];
    return is_exchange_that_fails(run, facts, last) || ser_decides_again(run, first, last) ||
           is_compared_with(run, first, last);
}
