/* SPDX-License-Identifier: MIT */
#include "predict/values/loop_values.h"

#include <string.h>

#include "predict/model/value_facts.h"

/* --- texts ---------------------------------------------------------------------------------- */

/* "$17=": a register that is set, not one that an expression begins with. */
static const char *skip_register(const char *text, uint64_t *number)
{
    char *end;
    if (*text != '$')
        return NULL;
    *number = strtoull(text + 1, &end, 10);
    return end > text + 1 && *end == '=' ? end + 1 : NULL;
}

const char *ser_loop_values_parse(ser_loop_values *rounds, uint32_t text, const char *guards)
{
    uint64_t number;
    for (const char *code; (code = skip_register(guards, &number));) {
        ser_loop_text *of = ser_vector_slot(&rounds->texts, text);
        size_t length = strcspn(code, ";");
        if (of->count == SER_MOST_REGISTERS ||
            !ser_guards_parse_code(&of->code[of->count], code, length))
            return NULL;
        const ser_guards *parsed = &of->code[of->count];
        of->registers[of->count++] = number;
        if (parsed->registers.count > 1 ||
            (parsed->registers.count && parsed->registers.items[0] != number))
            return NULL;
        guards = code + length + (code[length] == ';');
    }
    return guards;
}

static const ser_loop_text *text_of(const ser_loop_values *rounds, const ser_event *event)
{
    uint32_t text =
        ser_op_is_access((ser_op)event->op) && ser_only_reads(event) ? ser_event_guards(event) : 0;
    return text && text < rounds->texts.count && rounds->texts.items[text].count
               ? &rounds->texts.items[text]
               : NULL;
}

/* From the last event to the first: does the next one of the thread that sets the register go on
 * with it? */
void ser_loop_values_look_ahead(ser_loop_values *rounds, const ser_run *run)
{
    ser_pairmap next = {0}; /* thread and register -> it does */
    if (rounds->texts.count == 0)
        return;
    rounds->goes_on = ser_alloc((size_t)run->count + 1, sizeof *rounds->goes_on);
    rounds->expanded_of = ser_alloc((size_t)run->count + 1, sizeof *rounds->expanded_of);
    for (uint32_t i = run->count; i > 0; i--) {
        const ser_event *event = &run->events[i];
        const ser_loop_text *text = text_of(rounds, event);
        bool all = text != NULL;
        for (unsigned j = 0; text && j < text->count; j++) {
            all &= ser_pairmap_get(&next, text->registers[j], event->thread, 0) == 1;
            *ser_pairmap_add(&next, text->registers[j], event->thread, 0) =
                text->code[j].registers.count > 0;
        }
        rounds->goes_on[i] = all;
    }
    ser_pairmap_fini(&next);
}

void ser_loop_values_fini(ser_loop_values *rounds)
{
    for (size_t i = 0; i < rounds->texts.count; i++)
        for (unsigned j = 0; j < SER_MOST_REGISTERS; j++)
            ser_guards_fini(&rounds->texts.items[i].code[j]);
    for (size_t i = 0; i < rounds->expanded.count; i++)
        ser_guards_fini(&rounds->expanded.items[i]);
    ser_vector_free(&rounds->texts);
    ser_vector_free(&rounds->rounds);
    ser_vector_free(&rounds->refs);
    ser_vector_free(&rounds->expanded);
    ser_pairmap_fini(&rounds->latest);
    free(rounds->expanded_of);
    free(rounds->goes_on);
}

/* --- rounds --------------------------------------------------------------------------------- */

uint32_t ser_loop_values_latest(const ser_loop_values *rounds, uint32_t thread, uint64_t number)
{
    return ser_pairmap_get(&rounds->latest, number, thread, 0);
}

void ser_loop_values_add(ser_loop_values *rounds, const ser_loop_step *round, uint32_t thread,
                         uint64_t number)
{
    ser_vector_push(&rounds->rounds, *round);
    *ser_pairmap_add(&rounds->latest, number, thread, 0) = (uint32_t)rounds->rounds.count;
}

size_t ser_loop_values_count(const ser_loop_values *rounds, uint32_t thread, const ser_guards *code)
{
    size_t count = code->keys.count;
    for (size_t i = 0; i < code->registers.count; i++) {
        uint32_t last = ser_loop_values_latest(rounds, thread, code->registers.items[i]);
        count += last ? rounds->rounds.items[last - 1].reads : (size_t)SER_MOST_KEYS + 1;
    }
    return count;
}

/* --- expressions ---------------------------------------------------------------------------- */

/* Appends steps, whose reads get new numbers; a register, which there is one of at most, that one.
 */
static void append(ser_guards *to, const ser_guards *from, size_t first, size_t end,
                   const uint32_t *refs, const size_t *registers, ser_event_list *all)
{
    size_t base = to->keys.count;
    for (size_t i = 0; i < from->keys.count; i++) {
        ser_vector_push(&to->keys, refs[i]);
        ser_vector_push(all, refs[i]);
    }
    for (size_t i = first; i < end; i++) {
        ser_guard_step step = from->steps.items[i];
        if (step.op == SER_GUARD_READ)
            step.constant += base;
        if (step.op == SER_GUARD_REGISTER)
            step.constant = registers[step.constant];
        ser_vector_push(&to->steps, step);
    }
}

/* All rounds of a register, the first one first. */
static void append_rounds(const ser_loop_values *rounds, ser_guards *to, uint32_t last,
                          size_t number, ser_event_list *all)
{
    SER_VECTOR(uint32_t) order = {0};
    for (uint32_t at = last; at; at = rounds->rounds.items[at - 1].before)
        ser_vector_push(&order, at - 1);
    for (size_t i = order.count; i-- > 0;) {
        const ser_loop_step *round = &rounds->rounds.items[order.items[i]];
        append(to, round->code, 0, round->code->steps.count - 1,
               rounds->refs.items + round->first_ref, &number, all);
        ser_vector_push(&to->steps, ((ser_guard_step){.op = SER_GUARD_SET, .constant = number}));
    }
    ser_vector_free(&order);
}

/* The expressions themselves, but for those that count later. */
static void append_guards(ser_guards *to, const ser_guards *from, bool drops_late)
{
    size_t number = 0, first = to->steps.count;
    for (size_t i = 0; i < from->steps.count; i++) {
        ser_vector_push(&to->steps, from->steps.items[i]);
        if (from->steps.items[i].op != SER_GUARD_RESULT)
            continue;
        if (drops_late && from->late >> number & 1)
            to->steps.count = first;
        else
            to->count++;
        first = to->steps.count;
        number++;
    }
}

void ser_loop_values_expand(ser_loop_values *rounds, const ser_event *event, uint32_t number,
                            const ser_guards *code, const uint32_t *refs, ser_event_list *all)
{
    ser_guards result = {0}, guards = {0};
    size_t indexes[SER_MOST_REGISTERS] = {0, 1, 2, 3};
    append_guards(&guards, code, rounds->goes_on[number]);
    for (size_t i = 0; i < code->registers.count && guards.count > 0; i++)
        append_rounds(rounds, &result,
                      ser_loop_values_latest(rounds, event->thread, code->registers.items[i]), i,
                      all);
    if (guards.count > 0)
        ser_vector_extend(&guards.keys, code->keys.count);
    append(&result, &guards, 0, guards.steps.count, refs, indexes, all);
    result.count = guards.count;
    ser_guards_fini(&guards);
    ser_vector_push(&rounds->expanded, result);
    rounds->expanded_of[number] = (uint32_t)rounds->expanded.count;
}
