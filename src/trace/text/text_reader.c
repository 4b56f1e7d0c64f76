/* SPDX-License-Identifier: MIT */
/*
 * Text traces, one event per line: THREAD|op(operand)|location, then fields
 * |key=value. A line is split where it stands in the window, and its names go
 * straight from there into the tables of symbols; only escaped names are
 * copied. Fields are looked for only if there is a bar in the location.
 *
 * Looking up 100,000 names costs more than everything else, since each lookup
 * misses the cache. So lines are handled in small groups: all are split, then
 * what the lookups need is fetched for all, then all are looked up.
 */
#include "base/names.h"
#include "trace/reader.h"
#include "trace/text/text_syntax.h"

enum { GROUP = 16 };

typedef struct text_reader {
    ser_lines lines;
    ser_names *operations; /* the number of a name is its ser_op */
    ser_text_scratch scratch;
    ser_text_line group[GROUP];
    size_t grouped;
} text_reader;

/* Editors on some systems start a file with it; it must not become a part of
 * the first thread's name. */
static void skip_byte_order_mark(ser_input *input)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
    size_t have;
    const uint8_t *head = ser_input_peek(input, sizeof mark, &have);
    if (have >= sizeof mark && memcmp(head, mark, sizeof mark) == 0)
        ser_input_consume(input, sizeof mark);
}

static ser_status open_text(void **state, ser_format_context *context, ser_error *error)
{
    (void)error;
    text_reader *reader = ser_alloc(1, sizeof *reader);
    skip_byte_order_mark(context->input);
    ser_lines_init(&reader->lines, context->input);
    reader->operations = ser_names_create();
    for (int op = 0; op < SER_OP_COUNT; op++)
        ser_names_add(reader->operations, ser_op_name(op), strlen(ser_op_name(op)));
    *state = reader;
    return SER_OK;
}

static void close_text(void *state)
{
    text_reader *reader = state;
    ser_names_destroy(reader->operations);
    ser_text_scratch_fini(&reader->scratch);
    free(reader);
}

/* Reads and writes are most of every trace. */
static ser_op find_operation(const text_reader *reader, ser_span name)
{
    if (name.length == 1 && name.text[0] == 'r')
        return SER_OP_READ;
    if (name.length == 1 && name.text[0] == 'w')
        return SER_OP_WRITE;
    uint32_t number = ser_names_find(reader->operations, name.text, name.length);
    return number == SER_NO_NAME ? SER_OP_COUNT : (ser_op)number;
}

/* The `)` that ends the operand is the first one with a bar behind it. */
static const char *find_operand_end(const char *at, const char *end)
{
    for (; (at = memchr(at, ')', (size_t)(end - at))) != NULL; at++)
        if (at + 1 < end && at[1] == '|')
            return at;
    return NULL;
}

static bool complain_of_operand(ser_text_scratch *scratch, const char *end)
{
    return ser_text_complain(scratch, end[-1] == ')' ? "missing location (no '|' after the operand)"
                                                     : "operand that no ')|' ends");
}

/* Splits op(operand)|location or op|location. */
static bool split_operation(text_reader *reader, const char *at, const char *end,
                            ser_text_line *line)
{
    const char *name = at;
    while (at < end && *at != '(' && *at != '|')
        at++;
    ser_span operation = {name, (size_t)(at - name)};
    line->op = find_operation(reader, operation);
    if (line->op == SER_OP_COUNT)
        return ser_text_complain_of(&reader->scratch, "unknown operation", operation);
    if (at < end && *at == '(') {
        const char *close = find_operand_end(at + 1, end);
        if (!close)
            return complain_of_operand(&reader->scratch, end);
        if (close > at + 1)
            line->operand = (ser_span){at + 1, (size_t)(close - at) - 1};
        at = close + 1;
    }
    if (at == end)
        return ser_text_complain(&reader->scratch, "missing location (no second '|')");
    if (at + 1 < end)
        line->location = (ser_span){at + 1, (size_t)(end - at) - 1};
    return true;
}

static bool split(text_reader *reader, ser_span text, ser_text_line *line)
{
    *line = (ser_text_line){0};
    if (text.length == 0)
        return ser_text_complain(&reader->scratch, "blank line");
    const char *bar = memchr(text.text, '|', text.length);
    if (!bar)
        return ser_text_complain(&reader->scratch, "missing operation (no '|')");
    if (bar > text.text)
        line->thread = (ser_span){text.text, (size_t)(bar - text.text)};
    if (!split_operation(reader, bar + 1, text.text + text.length, line))
        return false;
    if (line->location.text && memchr(line->location.text, '|', line->location.length) &&
        !ser_text_take_fields(&reader->scratch, line))
        return false;
    if (!line->thread.text)
        return ser_text_complain(&reader->scratch, "missing thread");
    if (!line->operand.text && !ser_op_may_lack_operand(line->op))
        return ser_text_complain(&reader->scratch, "missing operand");
    return true;
}

static uint32_t number_site(ser_symbols *symbols, const ser_text_line *line)
{
    if (!line->location.text && !line->function.text)
        return SER_NO_SITE;
    uint32_t function = SER_NO_OBJECT;
    if (line->function.text)
        function = ser_symbols_add(symbols, SER_SPACE_FUNCTION, line->function.text,
                                   line->function.length);
    const char *location = line->location.text ? line->location.text : "";
    return ser_symbols_add_site(symbols, location, line->location.length, function);
}

static void number_names(const ser_format_context *context, const ser_text_line *line,
                         ser_event *event)
{
    ser_symbols *symbols = context->symbols;
    event->op = (uint8_t)line->op;
    event->flags =
        (uint8_t)((line->has_value ? SER_EVENT_HAS_VALUE : 0) |
                  (line->joined ? SER_EVENT_JOINED : 0) |
                  (line->continues ? SER_EVENT_CONTINUES : 0) | (line->late ? SER_EVENT_LATE : 0));
    event->flow = line->flow;
    if (line->guards.text && ser_op_is_access(line->op))
        event->flow = ser_flow_with_guards(
            line->flow, ser_symbols_add_guards(symbols, line->guards.text, line->guards.length));
    event->value = line->value;
    event->thread =
        ser_symbols_add(symbols, SER_SPACE_THREAD, line->thread.text, line->thread.length);
    event->object = SER_NO_OBJECT;
    if (line->operand.text)
        event->object = ser_symbols_add(symbols, ser_op_space(line->op), line->operand.text,
                                        line->operand.length);
    event->site = context->skip_sites ? SER_NO_SITE : number_site(symbols, line);
}

static void prefetch_operand(const ser_symbols *symbols, const ser_text_line *line, int step)
{
    if (line->operand.text)
        ser_symbols_prefetch(symbols, ser_op_space(line->op), line->operand.text,
                             line->operand.length, step);
}

/* A group ends where the window must move, or the scratch space is in use. */
static bool group_goes_on(const text_reader *reader)
{
    return reader->grouped == 0 || !reader->group[reader->grouped - 1].escaped;
}

/* Comments are ignored, except notes. A comment is never an error: a malformed escape in it is kept
 * as it is. */
static void take_comment(text_reader *reader, ser_symbols *symbols, ser_span line)
{
    static const size_t mark = sizeof SER_TEXT_NOTE - 1;
    if (line.length < mark || memcmp(line.text, SER_TEXT_NOTE, mark) != 0)
        return;
    ser_span text = {line.text + mark, line.length - mark};
    ser_text_buffer *note = &reader->scratch.note;
    if (ser_text_unescape(note, text))
        ser_symbols_add_note(symbols, note->items, note->count);
    else
        ser_symbols_add_note(symbols, text.text, text.length);
}

/* Splits the next lines, at most `limit` events. An error belongs to the event
 * after those of the group; no error and no event: the data ended, or more of them
 * would have to be waited for. */
static ser_status read_group(text_reader *reader, const ser_format_context *context, size_t limit,
                             uint64_t events, ser_error *error)
{
    ser_span text;
    reader->grouped = 0;
    while (reader->grouped < limit && group_goes_on(reader)) {
        if (!ser_lines_take(&reader->lines, &text)) {
            if (events + reader->grouped > context->events)
                return SER_OK; /* deliver the events that are there first */
            ser_status status = ser_lines_refill(&reader->lines, &text, error);
            if (status != SER_OK || !text.text)
                return ser_reader_name_place(status, events, error);
        }
        if (text.length > 0 && text.text[0] == '#') {
            take_comment(reader, context->symbols, text);
            continue;
        }
        ser_text_line *line = &reader->group[reader->grouped];
        if (!split(reader, text, line))
            return ser_lines_fail(&reader->lines, text, events + reader->grouped + 1,
                                  reader->scratch.complaint, error);
        prefetch_operand(context->symbols, line, 1);
        reader->grouped++;
    }
    return SER_OK;
}

static ser_status next_text(void *state, ser_format_context *context, ser_event *batch,
                            size_t capacity, size_t *count, ser_error *error)
{
    text_reader *reader = state;
    while (*count < capacity) {
        size_t limit = capacity - *count < GROUP ? capacity - *count : GROUP;
        ser_status status = read_group(reader, context, limit, context->events + *count, error);
        for (size_t i = 0; i < reader->grouped; i++)
            prefetch_operand(context->symbols, &reader->group[i], 2);
        for (size_t i = 0; i < reader->grouped; i++)
            number_names(context, &reader->group[i], &batch[(*count)++]);
        if (status != SER_OK || reader->grouped == 0)
            return status;
    }
    return SER_OK;
}

const ser_format ser_format_text = {
    .name = "text",
    .open = open_text,
    .next = next_text,
    .close = close_text,
};
