/* SPDX-License-Identifier: MIT */
/*
 * One pass over the events finds everything: the partners of an event come before it, except the
 * end of a critical section or block, which is filled in when it comes.
 */
#include "order/run.h"

#include "order/couples.h"
#include "order/freed.h"

struct ser_run_builder {
    ser_run *run;
    size_t capacity; /* of the arrays indexed by event */
    ser_couples couples;
    SER_VECTOR(uint32_t) open_blocks; /* 1 + index of each thread's open block, or 0 */
};

ser_run_builder *ser_run_builder_create(const ser_symbols *symbols)
{
    ser_run_builder *builder = ser_alloc(1, sizeof *builder);
    builder->run = ser_alloc(1, sizeof *builder->run);
    builder->run->symbols = symbols;
    ser_vector_extend(&builder->run->holds, 1);
    return builder;
}

static void reserve(ser_run_builder *builder, size_t wanted)
{
    ser_run *run = builder->run;
    if (wanted <= builder->capacity)
        return;
    builder->capacity = ser_grown_capacity(builder->capacity, wanted);
    run->events = ser_resize(run->events, builder->capacity, sizeof *run->events);
    run->eid = ser_resize(run->eid, builder->capacity, sizeof *run->eid);
    run->couple = ser_resize(run->couple, builder->capacity, sizeof *run->couple);
    run->match = ser_resize(run->match, builder->capacity, sizeof *run->match);
    run->block_of = ser_resize(run->block_of, builder->capacity, sizeof *run->block_of);
    run->held = ser_resize(run->held, builder->capacity, sizeof *run->held);
}

static ser_block_kind probable_kind(const ser_event *first)
{
    ser_op op = (ser_op)first->op;
    if (ser_op_begins(op))
        return SER_BLOCK_MARKED;
    if (ser_op_is_access(op))
        return SER_BLOCK_COMPOUND;
    return ser_op_calls(op) ? SER_BLOCK_CALL : SER_BLOCK_LOCK;
}

static void mark_block(ser_run_builder *builder, uint32_t number)
{
    ser_run *run = builder->run;
    const ser_event *event = &run->events[number];
    uint32_t *open = ser_vector_slot(&builder->open_blocks, event->thread);
    bool is_step = event->flags & SER_EVENT_STEP;
    if ((event->flags & SER_EVENT_OPENS) && !is_step) {
        ser_run_block block = {event->thread, number, 0, probable_kind(event), 0};
        ser_vector_push(&run->blocks, block);
        *open = (uint32_t)run->blocks.count;
    }
    run->block_of[number] = *open;
    if ((event->flags & SER_EVENT_CLOSES) && !is_step) {
        run->blocks.items[*open - 1].end = number;
        *open = 0;
    }
}

static bool goes_on_with(const ser_run *run, uint32_t joined, const ser_event *event)
{
    return event->op == run->events[joined].op && event->thread == run->events[joined].thread;
}

/* What the event was joined to is not there: it was dropped, or the trace was cut. */
static void end_step(ser_run *run, uint32_t joined)
{
    run->events[joined].flags &= (uint8_t)~SER_EVENT_JOINED;
    run->joined--;
    ser_run_step *step = &run->steps.items[run->steps.count - 1];
    if (step->first == step->last)
        run->steps.count--; /* the event is alone */
}

/* The event may be joined to the next one, and to the one before it. */
static void place_in_step(ser_run *run, uint32_t number)
{
    bool continues = number > 1 && ser_run_is_joined(run, number - 1);
    bool is_joined = ser_run_is_joined(run, number);
    if (continues && !goes_on_with(run, number - 1, &run->events[number])) {
        end_step(run, number - 1);
        continues = false;
    }
    run->joined += is_joined;
    if (continues)
        run->steps.items[run->steps.count - 1].last = number;
    else if (is_joined)
        ser_vector_push(&run->steps, ((ser_run_step){number, number, false}));
}

/* Is it a read of what another thread wrote? */
static bool reads_other(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return ser_op_has(op, SER_READS | SER_TESTS) && run->couple[event] &&
           run->events[run->couple[event]].thread != run->events[event].thread;
}

static void note_read(ser_run *run, uint32_t number)
{
    ser_run_step *step = run->steps.count ? &run->steps.items[run->steps.count - 1] : NULL;
    if (step && step->last == number)
        step->reads_other |= reads_other(run, number);
}

/* One flag for all of the step. */
static void note_late(ser_run *run, uint32_t number)
{
    uint32_t first = ser_run_step_first(run, number);
    run->events[number].flags &= (uint8_t)~SER_EVENT_LATE;
    run->late += !ser_run_is_late(run, first);
    run->events[first].flags |= SER_EVENT_LATE;
}

/* The call that is open behind the first `count` calls and returns of a thread; 0: none. */
static uint32_t open_call(const ser_run *run, const ser_event_list *calls, size_t count)
{
    uint32_t last = count ? calls->items[count - 1] : 0;
    bool is_return = last && ser_op_returns((ser_op)run->events[last].op);
    uint32_t call = is_return ? run->match[last] : last;
    return is_return && call ? run->match[call] : call;
}

static void note_call(ser_run *run, ser_run_thread *thread, uint32_t number)
{
    ser_op op = (ser_op)run->events[number].op;
    if (!ser_op_calls(op) && !ser_op_returns(op))
        return;
    run->match[number] = open_call(run, &thread->calls, thread->calls.count);
    ser_vector_push(&thread->calls, number);
}

static void add_event(ser_run_builder *builder, const ser_event *event)
{
    ser_run *run = builder->run;
    uint32_t number = ++run->count;
    run->events[number] = *event;
    place_in_step(run, number);
    if (ser_run_is_late(run, number))
        note_late(run, number);
    run->eid[number] = run->couple[number] = run->match[number] = 0;
    run->block_of[number] = run->held[number] = 0;
    run->tells_values |= event->flow || (event->flags & SER_EVENT_HAS_VALUE);
    run->frees |= ser_op_frees((ser_op)event->op);
    if (!ser_op_takes_part((ser_op)event->op))
        return;
    ser_run_thread *thread = ser_vector_slot(&run->threads, event->thread);
    ser_vector_push(&thread->events, number);
    run->eid[number] = (uint32_t)thread->events.count;
    note_call(run, thread, number);
    if (ser_op_forks((ser_op)event->op))
        ser_vector_slot(&run->threads, event->object)->fork = number;
    else if (ser_op_joins((ser_op)event->op))
        (void)ser_vector_slot(&run->threads, event->object);
    mark_block(builder, number);
    ser_couples_find(&builder->couples, run, number);
    note_read(run, number);
}

ser_status ser_run_builder_add(ser_run_builder *builder, const ser_event *events, size_t count,
                               ser_error *error)
{
    if (count > UINT32_MAX - 2 - (size_t)builder->run->count)
        return ser_fail(error, SER_INPUT, "the trace has more than %u events, too many to predict",
                        UINT32_MAX - 2);
    reserve(builder, (size_t)builder->run->count + count + 1);
    for (size_t i = 0; i < count; i++)
        add_event(builder, &events[i]);
    return SER_OK;
}

static void number_threads(ser_run *run)
{
    for (uint32_t i = 0; i < run->threads.count; i++)
        run->threads.items[i].number =
            run->symbols ? ser_symbols_thread_number(run->symbols, i) : SER_NO_OBJECT;
}

ser_run *ser_run_builder_finish(ser_run_builder *builder)
{
    ser_run *run = builder->run;
    reserve(builder, 1);
    if (run->count && ser_run_is_joined(run, run->count))
        end_step(run, run->count);
    number_threads(run);
    ser_freed_find(run);
    builder->run = NULL;
    ser_run_builder_discard(builder);
    return run;
}

void ser_run_builder_discard(ser_run_builder *builder)
{
    if (!builder)
        return;
    ser_run_destroy(builder->run);
    ser_couples_fini(&builder->couples);
    ser_vector_free(&builder->open_blocks);
    free(builder);
}

void ser_run_destroy(ser_run *run)
{
    if (!run)
        return;
    for (size_t i = 0; i < run->threads.count; i++) {
        ser_vector_free(&run->threads.items[i].events);
        ser_vector_free(&run->threads.items[i].calls);
    }
    ser_vector_free(&run->threads);
    ser_vector_free(&run->blocks);
    ser_vector_free(&run->steps);
    free(run->events);
    free(run->eid);
    free(run->couple);
    free(run->match);
    free(run->block_of);
    free(run->held);
    ser_vector_free(&run->holds);
    free(run);
}

bool ser_run_find_thread(const ser_run *run, uint32_t number, uint32_t *thread)
{
    for (*thread = 0; *thread < run->threads.count; ++*thread)
        if (number != SER_NO_OBJECT && run->threads.items[*thread].number == number)
            return true;
    return false;
}

const ser_run_step *ser_run_find_step(const ser_run *run, uint32_t event)
{
    size_t low = 0, high = run->steps.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->steps.items[middle].last < event)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < run->steps.count && run->steps.items[low].first <= event;
    return found ? &run->steps.items[low] : NULL;
}

bool ser_run_step_reads_other(const ser_run *run, uint32_t event)
{
    bool alone = !ser_run_is_joined(run, event) && ser_run_step_first(run, event) == event;
    return alone ? reads_other(run, event) : ser_run_find_step(run, event)->reads_other;
}

/* How many of the events, in their order, come before that one. */
static size_t count_before(const ser_event_list *events, uint32_t event)
{
    size_t low = 0, high = events->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (events->items[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t ser_run_last_before(const ser_run *run, uint32_t thread, uint32_t event)
{
    const ser_event_list *events = &run->threads.items[thread].events;
    size_t count = count_before(events, event);
    return count ? events->items[count - 1] : 0;
}

bool ser_run_pending_at(const ser_run *run, uint32_t wait, uint32_t notify)
{
    uint32_t next = ser_run_next(run, wait);
    return wait < notify && (next == 0 || notify < next);
}

uint32_t ser_run_call_around(const ser_run *run, uint32_t event)
{
    const ser_event_list *calls = &run->threads.items[run->events[event].thread].calls;
    return open_call(run, calls, count_before(calls, event));
}

/* The call that encloses an event, or is it, and `levels` - 1 other such calls; 0 if there is none.
 */
static uint32_t enclosing_call(const ser_run *run, uint32_t event, uint32_t levels)
{
    bool is_call = ser_op_calls((ser_op)run->events[event].op);
    uint32_t call = is_call ? event : ser_run_call_around(run, event);
    while (call && --levels > 0)
        call = run->match[call];
    return call;
}

uint32_t ser_run_return_of(const ser_run *run, uint32_t call)
{
    enum { LONG = 1 << 16 };
    uint32_t open = 0;
    for (uint32_t i = 0, event = call; event && i < LONG; i++, event = ser_run_next(run, event)) {
        ser_op op = (ser_op)run->events[event].op;
        open += ser_op_calls(op);
        if (ser_op_returns(op) && --open == 0)
            return event;
    }
    return 0;
}

uint32_t ser_run_called_at(const ser_run *run, uint32_t call)
{
    uint32_t end = ser_run_return_of(run, call);
    uint32_t place = end ? run->events[end].site : SER_NO_SITE;
    return place == run->events[call].site ? SER_NO_SITE : place;
}

/* Small functions that only lock have no call events: was one of them inside the last call? */
static bool is_in_unseen_function(const ser_run *run, uint32_t event)
{
    uint32_t function = run->symbols
                            ? ser_symbols_site_function(run->symbols, run->events[event].site)
                            : SER_NO_OBJECT;
    uint32_t call = function != SER_NO_OBJECT ? enclosing_call(run, event, 1) : 0;
    return call && function != run->events[call].object;
}

/* How many calls around the event return before the thread accesses anything. */
static uint32_t count_left(const ser_run *run, uint32_t event)
{
    uint32_t depth = 0, left = 0;
    for (uint32_t at = event; at; at = ser_run_next(run, at)) {
        ser_op op = (ser_op)run->events[at].op;
        if (ser_op_is_access(op) || run->events[at].flags & SER_EVENT_CLOSES)
            break;
        left += ser_op_returns(op) && depth == 0;
        depth = ser_op_calls(op) ? depth + 1 : ser_op_returns(op) && depth > 0 ? depth - 1 : depth;
    }
    return left;
}

uint32_t ser_run_wrapped_in(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    if (is_in_unseen_function(run, event))
        return enclosing_call(run, event, 1);
    uint32_t left = ser_op_acquires(op) || ser_op_takes(op) ? count_left(run, event) : 0;
    return left ? enclosing_call(run, event, left + 1) : 0;
}

/* A check that a function makes for its caller, which acts upon it: the caller is to be changed. */
static uint32_t name_check(const ser_run *run, uint32_t begin)
{
    bool is_call = ser_op_calls((ser_op)run->events[begin].op);
    uint32_t call = is_call ? enclosing_call(run, begin, 2) : ser_run_wrapped_in(run, begin);
    return call ? call : begin;
}

uint32_t ser_run_naming_event(const ser_run *run, uint32_t block)
{
    uint32_t begin = run->blocks.items[block].begin;
    if (run->blocks.items[block].kind == SER_BLOCK_CHECK)
        return name_check(run, begin);
    if (run->blocks.items[block].kind != SER_BLOCK_LOCK)
        return begin;
    bool unseen = is_in_unseen_function(run, begin);
    uint32_t naming = begin, depth = 0, left = unseen, named = 0;
    for (uint32_t at = begin; at; at = ser_run_next(run, at)) {
        ser_op op = (ser_op)run->events[at].op;
        bool is_call = ser_op_calls(op), is_return = ser_op_returns(op);
        if (run->events[at].flags & SER_EVENT_CLOSES)
            break;
        if (left > named && depth == 0 && at != begin && !is_call && !is_return) {
            naming = at;
            named = left;
        }
        left += is_return && depth == 0;
        depth = is_call ? depth + 1 : is_return && depth > 0 ? depth - 1 : depth;
    }
    uint32_t call = left > named ? enclosing_call(run, begin, left + !unseen) : 0;
    return call ? call : naming;
}
