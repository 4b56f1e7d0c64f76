/* SPDX-License-Identifier: MIT */
#include "predict/values/read_counts.h"

#include <string.h>

#include "predict/values/value_code.h"

static const struct {
    const char *name, *words;
} KINDS[SER_READ_KINDS] = {
    [SER_READ_GUARDED] = {"guarded", "followed by guards"},
    [SER_READ_STORED] = {"stored", "only stored"},
    [SER_READ_NO_EXPRESSION] = {"no_expression", "no expression in the code"},
    [SER_READ_NO_VALUE] = {"no_value", "no value recorded"},
    [SER_READ_TORN] = {"torn", "writes missing in the trace"},
    [SER_READ_EXCHANGE] = {"exchange", "compare-exchange"},
    [SER_READ_NO_TEXT] = {"no_text", "expression not recorded"},
    [SER_READ_UNEXPLAINED] = {"unexplained", "expression does not explain it"},
    [SER_READ_ELIDED] = {"elided", "behind elided operations"},
};

/* Does the text say more than how far the thread goes if the read breaks? */
static bool has_guards(const ser_run *run, const ser_event *event)
{
    uint32_t text = run->symbols ? ser_event_guards(event) : 0;
    return text && *ser_guards_skip_preface(ser_symbols_guards(run->symbols, text)) != '\0';
}

static bool is_missing_text(const ser_run *run, const ser_event *event)
{
    uint32_t text = run->symbols ? ser_event_guards(event) : 0;
    return text && strcmp(ser_symbols_guards(run->symbols, text), "?") == 0;
}

static ser_read_kind kind_of(const ser_value_code *code, uint32_t number, bool has_elided)
{
    const ser_event *event = &code->run->events[number];
    bool updates = ser_op_writes((ser_op)event->op);
    if (is_missing_text(code->run, event))
        return SER_READ_NO_TEXT;
    if (!ser_has_value(event))
        return event->flow & SER_FLOW_DATA ? SER_READ_STORED : SER_READ_NO_VALUE;
    if (code->facts.variables.items[event->object].opaque)
        return SER_READ_TORN;
    if (code->kind[number] == SER_VALUE_BARRIER)
        return has_elided ? SER_READ_ELIDED : SER_READ_UNEXPLAINED;
    if (code->kind[number] != SER_VALUE_PLAIN || (!updates && has_guards(code->run, event)))
        return SER_READ_GUARDED;
    if (event->flow & SER_FLOW_DATA)
        return SER_READ_STORED;
    return updates ? SER_READ_EXCHANGE : SER_READ_NO_EXPRESSION;
}

ser_read_counts ser_read_counts_of(const ser_run *run)
{
    ser_value_code *code = ser_value_code_create(run);
    ser_read_counts counts = {0};
    SER_VECTOR(bool) elided = {0}; /* by thread: something was before */
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        bool *has_elided = ser_vector_slot(&elided, event->thread);
        *has_elided |= ser_event_elided(event) > 0;
        if (!ser_op_is_access((ser_op)event->op) || !ser_op_reads((ser_op)event->op))
            continue;
        const ser_variable_facts *of = &code->facts.variables.items[event->object];
        if (of->user != SER_USER_SEVERAL || !of->is_written)
            continue;
        counts.all++;
        counts.kinds[kind_of(code, i, *has_elided)]++;
    }
    ser_vector_free(&elided);
    ser_value_code_destroy(code);
    return counts;
}

const char *ser_read_kind_name(ser_read_kind kind)
{
    return KINDS[kind].name;
}

const char *ser_read_kind_words(ser_read_kind kind)
{
    return KINDS[kind].words;
}
