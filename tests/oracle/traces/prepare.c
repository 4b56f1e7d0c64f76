/* SPDX-License-Identifier: MIT */
/*
 * Validation and block marking are the trace layer's; names are made up here:
 * T0 is a thread, x0 a variable, L0 a lock and so on.
 */
#include "prepare.h"

#include <inttypes.h>

#include "operations.h"
#include "trace/blocks/blocks.h"
#include "trace/validate/validate.h"

static const char letters[SER_SPACE_COUNT] = {
    [SER_SPACE_THREAD] = 'T',    [SER_SPACE_VARIABLE] = 'x', [SER_SPACE_LOCK] = 'L',
    [SER_SPACE_CONDITION] = 'c', [SER_SPACE_BARRIER] = 'b',  [SER_SPACE_SEMAPHORE] = 's',
    [SER_SPACE_FUNCTION] = 'f',  [SER_SPACE_LABEL] = 'a',
};

/* The names of all traces; made once, kept to the end of the program. */
static const ser_symbols *trace_symbols(void)
{
    static ser_symbols *symbols;
    if (symbols)
        return symbols;
    symbols = ser_symbols_create();
    for (int space = 0; space < SER_SPACE_COUNT; space++) {
        for (int number = 0; number < trace_most_names; number++) {
            char name[16];
            int length = snprintf(name, sizeof name, "%c%d", letters[space], number);
            ser_symbols_add(symbols, (ser_space)space, name, (size_t)length);
        }
    }
    return symbols;
}

static void survey(ser_blocks *blocks, const event_list *events)
{
    while (ser_blocks_wants_survey(blocks)) {
        ser_blocks_survey(blocks, events->items, events->count);
        ser_blocks_end_survey(blocks);
    }
}

/* The outermost begin opens a block, its end closes it. */
static bool marks_agree(const event_list *events, ser_error *error)
{
    uint32_t depth[trace_most_names] = {0};
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &events->items[i];
        bool opens = plain_op(event->op) == SER_OP_BEGIN && depth[event->thread]++ == 0;
        bool closes = plain_op(event->op) == SER_OP_END && --depth[event->thread] == 0;
        unsigned marks = event->flags & SER_EVENT_STEP ? 0 : event->flags;
        if (opens != !!(marks & SER_EVENT_OPENS) || closes != !!(marks & SER_EVENT_CLOSES)) {
            ser_fail(error, SER_INTERNAL, "event %zu: blocks are marked wrongly", i + 1);
            return false;
        }
    }
    return true;
}

bool prepare_trace(event_list *marked, const event_list *raw, const char *atomic, ser_error *error)
{
    const ser_symbols *symbols = trace_symbols();
    for (size_t i = 0; i < raw->count; i++)
        ser_vector_push(marked, raw->items[i]);
    if (raw->count) /* there is no next event */
        marked->items[raw->count - 1].flags &= (uint8_t)~SER_EVENT_JOINED;

    size_t good;
    ser_validator *validator = ser_validator_create(symbols, false);
    ser_status status =
        ser_validator_check(validator, marked->items, marked->count, 1, &good, error);
    ser_validator_destroy(validator);
    if (status)
        return false;

    ser_blocks *blocks;
    if (ser_blocks_create(&blocks, atomic, symbols, error))
        return false;
    survey(blocks, marked);
    ser_blocks_mark(blocks, marked->items, marked->count);
    ser_blocks_destroy(blocks);
    return strcmp(atomic, "markers") != 0 || marks_agree(marked, error);
}

void print_trace(FILE *file, const event_list *events)
{
    const ser_symbols *symbols = trace_symbols();
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &events->items[i];
        ser_op op = (ser_op)event->op;
        fprintf(file, "T%u|%s", event->thread, ser_op_name(op));
        if (event->object != SER_NO_OBJECT)
            fprintf(file, "(%s)", ser_symbols_name(symbols, ser_op_space(op), event->object));
        fprintf(file, "|%zu%s%s", i + 1, event->flags & SER_EVENT_JOINED ? "|joined=1" : "",
                event->flags & SER_EVENT_LATE ? "|late=1" : "");
        if (event->flags & SER_EVENT_HAS_VALUE)
            fprintf(file, "|value=%" PRIu64, event->value);
        for (uint16_t bit = 1; bit <= SER_FLOW_ALL; bit = (uint16_t)(bit << 1))
            if (event->flow & bit)
                fprintf(file, "|flow=%s", ser_flow_name(bit, (ser_op)event->op));
        if (ser_event_guards(event))
            fprintf(file, "|guards=%u", ser_event_guards(event));
        fputc('\n', file);
    }
}
