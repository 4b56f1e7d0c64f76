/* SPDX-License-Identifier: MIT */
/*
 * After every half a window the blocks that ended at least half a window ago are decided
 * (decide_due), in one excerpt from half a window before the first of them to the newest event.
 */
#include "stream/windows.h"

#include "stream/window_check.h"

enum { RING_SIZES = 64 }; /* windows that fit into the ring, if nothing else is said */

struct ser_windows {
    ser_windows_options options;
    ser_event_ring ring;
    ser_renumbering *renumbering;
    ser_window_blocks blocks;
    SER_VECTOR(bool) freed; /* by variable */
    ser_facts facts;        /* of the events so far; only locks if all facts are known */
    uint64_t barred;        /* the first event that uses what was freed; 0: none did */
    uint64_t next;          /* blocks are decided when the stream has come here */
    bool is_peeking;        /* only violations are reported */
};

/* What is asked about the blocks of an excerpt. */
typedef struct question {
    const bool *wanted; /* by block of the run */
} question;

ser_windows *ser_windows_create(const ser_windows_options *options)
{
    ser_windows *windows = ser_alloc(1, sizeof *windows);
    windows->options = *options;
    if (windows->options.size < 2)
        windows->options.size = 2;
    if (!windows->options.most)
        windows->options.most = (uint64_t)windows->options.size * RING_SIZES;
    windows->renumbering = ser_renumbering_create();
    windows->next = windows->options.size;
    ser_event_ring_init(&windows->ring);
    return windows;
}

void ser_windows_destroy(ser_windows *windows)
{
    if (!windows)
        return;
    ser_event_ring_fini(&windows->ring);
    ser_renumbering_destroy(windows->renumbering);
    ser_window_blocks_fini(&windows->blocks);
    ser_facts_fini(&windows->facts);
    ser_vector_free(&windows->freed);
    free(windows);
}

/* --- the stream -------------------------------------------------------------------- */

static void note_block(ser_windows *windows, const ser_event *event, uint64_t number)
{
    const ser_windows_options *options = &windows->options;
    if (ser_window_blocks_opens(event) &&
        (!options->wanted || options->wanted(options->context, number)))
        ser_window_blocks_begin(&windows->blocks, &windows->facts, event, number);
    ser_window_blocks_add(&windows->blocks, event, number);
}

/* A thread stops where it uses what was freed (order/freed.h), and what others do later may depend
 * on that: windows end before it. */
static void note_access(ser_windows *windows, const ser_event *event, uint64_t number)
{
    if (!ser_op_is_access((ser_op)event->op))
        return;
    bool is_freed = event->object < windows->freed.count && windows->freed.items[event->object];
    if (is_freed && !windows->barred)
        windows->barred = number;
    if (ser_op_frees((ser_op)event->op))
        *ser_vector_slot(&windows->freed, event->object) = true;
}

/* --- deciding ------------------------------------------------------------------------ */

static void report(const ser_windows *windows, const ser_window_result *done)
{
    if (!windows->is_peeking || done->result->verdict == SER_VERDICT_VIOLATION)
        windows->options.decided(windows->options.context, done);
}

static void report_undecided(const ser_windows *windows, const ser_window_block *block,
                             ser_reason reason)
{
    const ser_block_result result = {.reason = reason, .engine = "static"};
    const ser_window_result done = {.block = block, .result = &result};
    report(windows, &done);
}

static void report_settled(const ser_windows *windows, const ser_window_block *block, bool is_whole)
{
    const ser_block_result result = {
        .verdict = is_whole ? SER_VERDICT_STATIC : SER_VERDICT_UNKNOWN,
        .reason = is_whole ? SER_REASON_NONE : SER_REASON_WINDOW,
        .engine = "static",
    };
    const ser_window_result done = {.block = block,
                                    .result = &result,
                                    .first = 1,
                                    .last = windows->ring.last,
                                    .is_whole = is_whole};
    report(windows, &done);
}

static void report_found(const ser_windows *windows, const ser_window_block *block,
                         const ser_block_result *result, const ser_excerpt *excerpt, bool is_whole)
{
    const ser_window_result done = {block,          result,        excerpt,
                                    excerpt->first, excerpt->last, is_whole};
    report(windows, &done);
}

static bool is_wanted(const void *context, const ser_run *run, uint32_t block)
{
    (void)run;
    return ((const question *)context)->wanted[block];
}

/* Not found in a part of the stream is not none. */
static void bound_result(ser_block_result *result)
{
    if (result->verdict != SER_VERDICT_NONE && result->verdict != SER_VERDICT_STATIC)
        return;
    result->verdict = SER_VERDICT_UNKNOWN;
    result->reason = SER_REASON_WINDOW;
}

static ser_status report_results(ser_windows *windows, ser_excerpt *excerpt,
                                 ser_prediction *prediction, bool is_whole, ser_error *error)
{
    bool any = false;
    ser_status status = SER_OK;
    for (size_t i = 0; i < prediction->results.count; i++)
        any |= prediction->results.items[i].verdict == SER_VERDICT_VIOLATION;
    if (any)
        ser_excerpt_restore(excerpt, &windows->ring, windows->renumbering);
    for (size_t i = 0; i < prediction->results.count && status == SER_OK; i++) {
        ser_block_result *result = &prediction->results.items[i];
        uint32_t begin = excerpt->run->blocks.items[result->block].begin;
        ser_window_block *block =
            ser_window_blocks_find(&windows->blocks, ser_run_number(excerpt->run, begin));
        block->is_told = windows->is_peeking && result->verdict == SER_VERDICT_VIOLATION;
        result->events = block->events;
        if (!is_whole)
            bound_result(result);
        result->facts.switches = ser_excerpt_strip(excerpt, &result->order);
        if (result->verdict == SER_VERDICT_VIOLATION)
            status = ser_window_check(&windows->ring, excerpt, block->begin, &result->order, error);
        if (status == SER_OK)
            report_found(windows, block, result, excerpt, is_whole);
    }
    return status;
}

/* The time is over, or the user has interrupted. */
static bool is_stopped(const ser_windows *windows)
{
    return windows->options.predict.should_stop && windows->options.predict.should_stop();
}

/* Those that are due, by block of the run. */
static bool *mark_wanted(ser_windows *windows, const ser_run *run, uint64_t latest)
{
    bool *wanted = ser_alloc(run->blocks.count, sizeof *wanted);
    for (size_t i = 0; i < run->blocks.count; i++) {
        const ser_window_block *block = ser_window_blocks_find(
            &windows->blocks, ser_run_number(run, run->blocks.items[i].begin));
        wanted[i] = block && ser_window_block_is_due(block, latest);
    }
    return wanted;
}

/* Due blocks that no window can decide: those that begin outside of the two. */
static void report_without_window(const ser_windows *windows, uint64_t first, uint64_t last,
                                  uint64_t latest)
{
    for (size_t i = 0; i < windows->blocks.list.count; i++) {
        const ser_window_block *block = &windows->blocks.list.items[i];
        bool is_outside = !last || block->begin < first || block->begin > last;
        if (ser_window_block_is_due(block, latest) && is_outside)
            report_undecided(windows, block, SER_REASON_WINDOW);
    }
}

/* A small window takes no time worth a thread that watches the limits. */
static ser_predict_options options_for(const ser_windows *windows, const ser_run *run,
                                       const question *asked)
{
    enum { WATCHED = 500 }; /* events */
    ser_predict_options options = windows->options.predict;
    options.wanted = is_wanted;
    options.context = (void *)asked;
    if (run->count < WATCHED)
        options.should_stop = NULL;
    return options;
}

/* Threads that did not stop in time still read the excerpt: it stays as it is, for ever, and what
 * was found is reported from another one. */
static ser_status decide_in(ser_windows *windows, uint64_t first, uint64_t last, uint64_t latest,
                            ser_error *error)
{
    ser_excerpt *excerpt = ser_alloc(1, sizeof *excerpt), again;
    ser_prediction prediction;
    bool is_whole = first == 1 && latest == UINT64_MAX && last == windows->ring.last;
    ser_excerpt_make(excerpt, &windows->ring, first, last, windows->renumbering);
    const question asked = {mark_wanted(windows, excerpt->run, latest)};
    const ser_predict_options options = options_for(windows, excerpt->run, &asked);
    ser_status status = ser_predict(&prediction, excerpt->run, &options, error);
    free((void *)asked.wanted); /* nobody asks for it any more */
    ser_status told = SER_OK;
    if (!prediction.abandoned) {
        told = report_results(windows, excerpt, &prediction, is_whole, error);
        ser_excerpt_fini(excerpt);
        free(excerpt);
    } else {
        ser_excerpt_make(&again, &windows->ring, first, last, windows->renumbering);
        told = report_results(windows, &again, &prediction, is_whole, error);
        ser_excerpt_fini(&again);
    }
    ser_prediction_fini(&prediction);
    return status == SER_OK ? told : status;
}

/* The latest event that a window may end with, from `least` on; 0: none. */
static uint64_t choose_last(const ser_windows *windows, uint64_t least, bool is_end)
{
    uint64_t last = windows->ring.last;
    if (windows->barred)
        last = windows->barred - 1;
    else if (is_end)
        return last;
    least = least < windows->ring.first ? windows->ring.first : least;
    for (; last >= least; last--)
        if (ser_event_ring_is_clear(&windows->ring, last + 1))
            return last;
    return 0;
}

static uint64_t half(const ser_windows *windows)
{
    return windows->options.size / 2;
}

static uint64_t before(uint64_t number, uint64_t distance)
{
    return number > distance ? number - distance : 1;
}

/* Takes blocks off the list that are due, and that facts settle unless `all` are to go. */
static void take_off(ser_windows *windows, uint64_t latest, bool all)
{
    const ser_facts *facts = windows->options.facts ? windows->options.facts : &windows->facts;
    bool is_whole = windows->options.facts || latest == UINT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < windows->blocks.list.count; i++) {
        ser_window_block block = windows->blocks.list.items[i];
        bool goes = ser_window_block_is_due(&block, latest);
        if (goes && !all) {
            goes = ser_facts_settle(facts, &block.actions);
            if (goes)
                report_settled(windows, &block, is_whole);
        }
        if (goes)
            ser_block_actions_fini(&block.actions);
        else
            windows->blocks.list.items[kept++] = block;
    }
    windows->blocks.list.count = kept;
}

static ser_status give_up(ser_windows *windows)
{
    for (size_t i = 0; i < windows->blocks.list.count; i++)
        report_undecided(windows, &windows->blocks.list.items[i], SER_REASON_INTERRUPTED);
    take_off(windows, UINT64_MAX, true);
    return SER_OK;
}

/* Those that ended by `latest`, in one window. */
static ser_status decide_together(ser_windows *windows, uint64_t latest, ser_error *error)
{
    bool is_end = latest == UINT64_MAX;
    const ser_window_block *due =
        ser_window_blocks_first_due(&windows->blocks, windows->ring.first, latest);
    uint64_t first = 0, last = 0;
    if (due) {
        uint64_t from = before(due->begin, half(windows));
        from = from < windows->ring.first ? windows->ring.first : from;
        first = ser_event_ring_clear_point(&windows->ring, from, due->begin);
        last = choose_last(windows, is_end ? from : latest, is_end);
    }
    if (!first || last < first)
        first = last = 0;
    report_without_window(windows, first, last, latest);
    return last ? decide_in(windows, first, last, latest, error) : SER_OK;
}

/* Those that ended by `latest`, which is UINT64_MAX at the end of the stream. */
static ser_status decide_due(ser_windows *windows, uint64_t latest, ser_error *error)
{
    if (is_stopped(windows))
        return latest == UINT64_MAX ? give_up(windows) : SER_OK;
    take_off(windows, latest, false);
    ser_status status = decide_together(windows, latest, error);
    take_off(windows, latest, true);
    return status;
}

ser_status ser_windows_peek(ser_windows *windows, ser_error *error)
{
    uint64_t latest = choose_last(windows, 1, false);
    if (!latest || is_stopped(windows))
        return SER_OK;
    windows->is_peeking = true;
    ser_status status = decide_together(windows, latest, error);
    windows->is_peeking = false;
    ser_window_blocks_drop_told(&windows->blocks);
    return status;
}

/* No block that is left, and that may still get a window, needs what lies further back. */
static void trim(ser_windows *windows)
{
    uint64_t last = windows->ring.last, first = last + 1;
    for (size_t i = 0; i < windows->blocks.list.count; i++) {
        uint64_t begin = windows->blocks.list.items[i].begin;
        if (begin >= windows->ring.first && begin < first) {
            first = begin;
            break;
        }
    }
    first = before(first, windows->options.size);
    uint64_t least = before(last + 1, windows->options.most);
    ser_event_ring_trim(&windows->ring, first > least ? first : least);
}

static ser_status step(ser_windows *windows, const ser_event *event, ser_error *error)
{
    ser_event_ring_add(&windows->ring, event);
    uint64_t number = windows->ring.last;
    note_access(windows, event, number);
    note_block(windows, event, number);
    if (windows->options.facts)
        ser_facts_add_hold(&windows->facts, event);
    else
        ser_facts_add(&windows->facts, event);
    if (number < windows->next)
        return SER_OK;
    uint64_t latest = choose_last(windows, 1, false);
    latest = latest > half(windows) ? latest - half(windows) : 0;
    ser_status status = decide_due(windows, latest, error);
    trim(windows);
    windows->next = number + half(windows);
    return status;
}

ser_status ser_windows_feed(ser_windows *windows, const ser_event *events, size_t count,
                            ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; i < count && status == SER_OK; i++)
        status = step(windows, &events[i], error);
    return status;
}

size_t ser_windows_undecided(const ser_windows *windows)
{
    return windows->blocks.list.count;
}

void ser_windows_resume(ser_windows *windows, const ser_past_events *past, uint64_t next)
{
    ser_facts_fini(&windows->facts);
    ser_event_ring_resume(&windows->ring, past, next);
    for (size_t i = 0; i < past->count; i++) {
        note_access(windows, &past->items[i].event, past->items[i].number);
        ser_facts_add_hold(&windows->facts, &past->items[i].event);
    }
    while (windows->next < next) /* so that it is as if nothing had been passed over */
        windows->next += half(windows);
}

void ser_windows_forget(ser_windows *windows)
{
    ser_event_ring_trim(&windows->ring, windows->ring.last + 1);
}

ser_status ser_windows_finish(ser_windows *windows, ser_error *error)
{
    return decide_due(windows, UINT64_MAX, error);
}
