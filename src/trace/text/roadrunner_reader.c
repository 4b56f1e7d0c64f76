/* SPDX-License-Identifier: MIT */
/*
 * RoadRunner's log as events. A line may be no event (other output of the
 * program) or several, which then wait in a queue:
 *
 * - Waits are printed twice, before and after. They release and re-acquire the
 *   lock, which the log does not say: rel, wait; then acq.
 * - Starts and notifies are printed twice by one of RoadRunner's tools and once
 *   by RAPID's; the second of two equal lines of a thread is dropped.
 * - Joins likewise, and of two the second counts, when the other thread has
 *   ended. So a join is held back until its thread's next line; the thread does
 *   nothing in between, so the delay changes no order.
 */
#include "base/vector.h"
#include "trace/reader.h"
#include "trace/text/roadrunner_syntax.h"

/* What the next line of a thread depends on. Zero is a fresh thread. */
typedef struct thread_state {
    bool joining, waiting, twin_expected;
    uint32_t joined;  /* while joining: the other thread */
    uint32_t lock;    /* while waiting: what to acquire after it */
    ser_rr_kind twin; /* a start or notify whose second line may follow */
    uint32_t twin_object;
} thread_state;

typedef struct rr_reader {
    ser_lines lines;
    SER_VECTOR(thread_state) threads;
    SER_VECTOR(ser_event) queue;
    size_t delivered; /* events of the queue that are gone */
    bool ended;
} rr_reader;

/* A line of the text format: a bar and an operation behind it. */
static bool is_text_format(ser_span line)
{
    const char *bar = memchr(line.text, '|', line.length);
    if (!bar)
        return false;
    const char *name = bar + 1, *end = line.text + line.length, *at = name;
    while (at < end && *at != '(' && *at != '|')
        at++;
    return ser_op_by_name(name, (size_t)(at - name)) != SER_OP_COUNT;
}

/* The first line that can only be of one of the formats decides. */
static ser_recognition recognise_rr(const uint8_t *head, size_t length, bool more)
{
    const char *at = (const char *)head, *end = at + length, *stop;
    for (; (stop = memchr(at, '\n', (size_t)(end - at))) != NULL; at = stop + 1) {
        ser_span line = ser_line_without_return(at, (size_t)(stop - at));
        if (is_text_format(line))
            return SER_FORMAT_NO;
        if (ser_rr_is_typical(line))
            return SER_FORMAT_YES;
    }
    if (more)
        return SER_FORMAT_PERHAPS;
    ser_span last = {at, (size_t)(end - at)};
    return !is_text_format(last) && ser_rr_is_typical(last) ? SER_FORMAT_YES : SER_FORMAT_NO;
}

static ser_status open_rr(void **state, ser_format_context *context, ser_error *error)
{
    (void)error;
    rr_reader *reader = ser_alloc(1, sizeof *reader);
    ser_lines_init(&reader->lines, context->input);
    *state = reader;
    return SER_OK;
}

static void close_rr(void *state)
{
    rr_reader *reader = state;
    ser_vector_free(&reader->threads);
    ser_vector_free(&reader->queue);
    free(reader);
}

static void push(rr_reader *reader, uint32_t thread, ser_op op, uint32_t object, uint32_t site)
{
    ser_event event = {.thread = thread, .object = object, .site = site, .op = (uint8_t)op};
    ser_vector_push(&reader->queue, event);
}

static uint32_t number(ser_format_context *context, ser_space space, ser_span name)
{
    return ser_symbols_add(context->symbols, space, name.text, name.length);
}

static uint32_t number_site(ser_format_context *context, ser_span location)
{
    if (context->skip_sites || location.length == 0)
        return SER_NO_SITE;
    return ser_symbols_add_site(context->symbols, location.text, location.length, SER_NO_OBJECT);
}

/* Completes what the thread had begun, since its next line shows that it has ended. */
static void settle(rr_reader *reader, uint32_t thread)
{
    thread_state *state = &reader->threads.items[thread];
    if (state->joining)
        push(reader, thread, SER_OP_JOIN, state->joined, SER_NO_SITE);
    if (state->waiting)
        push(reader, thread, SER_OP_ACQUIRE, state->lock, SER_NO_SITE);
    state->joining = state->waiting = false;
}

static void join(rr_reader *reader, uint32_t thread, uint32_t other)
{
    thread_state *state = &reader->threads.items[thread];
    bool second = state->joining && state->joined == other;
    settle(reader, thread);
    state->joining = !second;
    state->joined = other;
}

static void wait(rr_reader *reader, uint32_t thread, uint32_t lock, uint32_t condition)
{
    thread_state *state = &reader->threads.items[thread];
    bool second = state->waiting && state->lock == lock;
    settle(reader, thread);
    if (second)
        return;
    push(reader, thread, SER_OP_RELEASE, lock, SER_NO_SITE);
    push(reader, thread, SER_OP_WAIT, condition, SER_NO_SITE);
    state->waiting = true;
    state->lock = lock;
}

/* For starts and notifies, which come once or twice. */
static void push_first_of_twins(rr_reader *reader, uint32_t thread, ser_rr_kind kind, ser_op op,
                                uint32_t object)
{
    thread_state *state = &reader->threads.items[thread];
    bool second = state->twin_expected && state->twin == kind && state->twin_object == object;
    settle(reader, thread);
    if (!second)
        push(reader, thread, op, object, SER_NO_SITE);
    state->twin_expected = !second;
    state->twin = kind;
    state->twin_object = object;
}

static void push_simple(rr_reader *reader, ser_format_context *context, uint32_t thread, ser_op op,
                        const ser_rr_line *line)
{
    uint32_t object = number(context, ser_op_space(op), line->operand);
    settle(reader, thread);
    push(reader, thread, op, object, number_site(context, line->location));
}

static void add_line(rr_reader *reader, ser_format_context *context, const ser_rr_line *line)
{
    uint32_t thread = number(context, SER_SPACE_THREAD, line->thread);
    ser_vector_extend(&reader->threads, (size_t)thread + 1);
    thread_state *state = &reader->threads.items[thread];
    if (line->kind != SER_RR_START && line->kind != SER_RR_NOTIFY)
        state->twin_expected = false;
    switch (line->kind) {
    case SER_RR_READ:
        push_simple(reader, context, thread, SER_OP_READ, line);
        break;
    case SER_RR_WRITE:
        push_simple(reader, context, thread, SER_OP_WRITE, line);
        break;
    case SER_RR_ACQUIRE:
        push_simple(reader, context, thread, SER_OP_ACQUIRE, line);
        break;
    case SER_RR_RELEASE:
        push_simple(reader, context, thread, SER_OP_RELEASE, line);
        break;
    case SER_RR_ENTER:
        push_simple(reader, context, thread, SER_OP_CALL, line);
        break;
    case SER_RR_EXIT:
        push_simple(reader, context, thread, SER_OP_RETURN, line);
        break;
    case SER_RR_BARRIER:
        push_simple(reader, context, thread,
                    line->detail.text[1] == 'n' ? SER_OP_ARRIVE : SER_OP_DEPART, line);
        break;
    case SER_RR_START:
        push_first_of_twins(reader, thread, line->kind, SER_OP_FORK,
                            number(context, SER_SPACE_THREAD, line->operand));
        break;
    case SER_RR_NOTIFY:
        push_first_of_twins(reader, thread, line->kind,
                            line->detail.text[0] == 't' ? SER_OP_NOTIFY_ALL : SER_OP_NOTIFY,
                            number(context, SER_SPACE_CONDITION, line->operand));
        break;
    case SER_RR_JOIN:
        join(reader, thread, number(context, SER_SPACE_THREAD, line->operand));
        break;
    case SER_RR_WAIT:
        wait(reader, thread, number(context, SER_SPACE_LOCK, line->operand),
             number(context, SER_SPACE_CONDITION, line->operand));
        break;
    case SER_RR_NOTHING:
        break;
    }
}

/* A join at the end of the log is taken as completed; a thread that still waits there has not
 * returned. */
static void end_log(rr_reader *reader)
{
    for (size_t thread = 0; thread < reader->threads.count; thread++) {
        reader->threads.items[thread].waiting = false;
        settle(reader, (uint32_t)thread);
    }
    reader->ended = true;
}

/* The next line once it has come; the events that the end of the log makes if none does. */
static ser_status wait_for_line(rr_reader *reader, ser_span *text, uint64_t events,
                                ser_error *error)
{
    ser_status status = ser_lines_refill(&reader->lines, text, error);
    if (status == SER_OK && !text->text)
        end_log(reader);
    return ser_reader_name_place(status, events, error);
}

static ser_status take_line(rr_reader *reader, ser_format_context *context, ser_span text,
                            uint64_t events, ser_error *error)
{
    ser_rr_line line;
    const char *problem = ser_rr_parse(text, &line);
    if (problem)
        return ser_lines_fail(&reader->lines, text, events + 1, problem, error);
    if (line.kind != SER_RR_NOTHING)
        add_line(reader, context, &line);
    return SER_OK;
}

static ser_status next_rr(void *state, ser_format_context *context, ser_event *batch,
                          size_t capacity, size_t *count, ser_error *error)
{
    rr_reader *reader = state;
    for (;;) {
        while (*count < capacity && reader->delivered < reader->queue.count)
            batch[(*count)++] = reader->queue.items[reader->delivered++];
        if (*count == capacity || reader->ended)
            return SER_OK;
        reader->queue.count = reader->delivered = 0;
        uint64_t events = context->events + *count;
        ser_span text;
        ser_status status = SER_OK;
        if (!ser_lines_take(&reader->lines, &text)) {
            if (*count > 0)
                return SER_OK; /* the next line may come much later */
            status = wait_for_line(reader, &text, events, error);
        }
        if (status == SER_OK && !reader->ended)
            status = take_line(reader, context, text, events, error);
        if (status != SER_OK)
            return status;
    }
}

const ser_format ser_format_roadrunner = {
    .name = "roadrunner",
    .recognise = recognise_rr,
    .open = open_rr,
    .next = next_rr,
    .close = close_rr,
};
