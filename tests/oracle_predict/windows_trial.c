/* SPDX-License-Identifier: MIT */
/*
 * Prediction in windows, beside the brute force over the whole trace. Every violation is executed
 * as one of the whole trace: what is before the window as it was observed, then the window's order.
 * A larger window around the block has all violations of the smaller one, one that holds everything
 * has all there are, and the stream of events, in which blocks share windows, has those of windows
 * that are not larger.
 */
#include "base/status.h"
#include "predict/predict.h"
#include "sample.h"
#include "stream/windows.h"

enum { SMALLEST_WINDOW = 2, LARGEST_WINDOW = 256 };

typedef struct answer {
    bool is_violated, is_known, is_told;
    uint64_t first, last; /* the window */
} answer;

typedef struct stream_answers {
    const sample *s;
    answer blocks[AVP_MOST_BLOCKS];
    difference *found;
    bool differs;
} stream_answers;

/* --- witnesses -------------------------------------------------------------------- */

typedef SER_VECTOR(uint32_t) order_list;

static bool is_late_wait(const ser_excerpt *excerpt, uint64_t number)
{
    for (size_t i = 0; i < excerpt->waits.count; i++)
        if (excerpt->waits.items[i].number == number)
            return true;
    return false;
}

static bool witness_differs(const sample *s, size_t block, const ser_excerpt *excerpt,
                            const ser_event_list *order, difference *found)
{
    order_list whole = {0};
    ser_number_list rest = {0};
    for (uint32_t i = 1; i < excerpt->first; i++)
        if (ser_op_takes_part((ser_op)s->events.items[i - 1].op) && !is_late_wait(excerpt, i))
            ser_vector_push(&whole, i);
    ser_numbering_expand(excerpt->run, order, &rest);
    for (size_t i = 0; i < rest.count; i++)
        ser_vector_push(&whole, (uint32_t)rest.items[i]);
    bool good = is_witness(s, block, 0, whole.items, whole.count, found);
    if (!good)
        describe_order(found, "order", whole.items, whole.count);
    ser_vector_free(&whole);
    ser_vector_free(&rest);
    return !good;
}

static size_t block_at(const sample *s, uint64_t begin)
{
    size_t block = 0;
    while (s->world.blocks[block].begin != begin)
        block++;
    return block;
}

static const ser_predict_options plain = {.jobs = 1, .search = {.switches = UINT32_MAX}};

/* --- one block in one window ---------------------------------------------------------- */

typedef struct pick {
    uint64_t begin;
} pick;

static bool is_picked(const void *context, const ser_run *run, uint32_t block)
{
    return ser_run_number(run, run->blocks.items[block].begin) == ((const pick *)context)->begin;
}

static uint64_t end_of(const sample *s, size_t block)
{
    size_t begin = s->world.blocks[block].begin;
    uint32_t thread = s->events.items[begin - 1].thread;
    for (size_t i = begin - 1; i < s->events.count; i++) {
        const ser_event *event = &s->events.items[i];
        if (event->thread == thread && (event->flags & SER_EVENT_CLOSES))
            return i + 1;
    }
    return s->events.count;
}

/* Around the block, at clear points. */
static void choose_window(const sample *s, const ser_event_ring *ring, size_t block, uint64_t size,
                          answer *own)
{
    uint64_t begin = s->world.blocks[block].begin, end = end_of(s, block);
    own->first = begin > size / 2 ? begin - size / 2 : 1;
    own->last = end + size / 2 < ring->last ? end + size / 2 : ring->last;
    while (!ser_event_ring_is_clear(ring, own->first))
        own->first--;
    while (own->last < ring->last && own->last >= end &&
           !ser_event_ring_is_clear(ring, own->last + 1))
        own->last--;
}

static bool ask(const sample *s, const ser_event_ring *ring, size_t block, answer *own,
                difference *found)
{
    ser_renumbering *renumbering = ser_renumbering_create();
    ser_excerpt excerpt;
    ser_prediction prediction;
    ser_error error;
    pick picked = {s->world.blocks[block].begin};
    ser_excerpt_make(&excerpt, ring, own->first, own->last, renumbering);
    ser_predict_options options = plain;
    options.wanted = is_picked;
    options.context = &picked;
    bool differs = ser_predict(&prediction, excerpt.run, &options, &error) != SER_OK &&
                   differ(found, "%s\n", error.text);
    own->is_violated = !differs && prediction.results.items[0].verdict == SER_VERDICT_VIOLATION;
    if (own->is_violated) {
        ser_excerpt_restore(&excerpt, ring, renumbering);
        ser_excerpt_strip(&excerpt, &prediction.results.items[0].order);
        differs = witness_differs(s, block, &excerpt, &prediction.results.items[0].order, found);
    }
    ser_prediction_fini(&prediction);
    ser_excerpt_fini(&excerpt);
    ser_renumbering_destroy(renumbering);
    return differs;
}

static bool growing_windows_differ(const sample *s, const ser_event_ring *ring, size_t block,
                                   uint64_t asked, answer *at_size, difference *found)
{
    bool was_violated = false;
    size_t begin = s->world.blocks[block].begin;
    for (uint64_t size = SMALLEST_WINDOW; size <= LARGEST_WINDOW; size *= 2) {
        answer own = {0};
        choose_window(s, ring, block, size, &own);
        if (own.last < end_of(s, block))
            continue; /* it has no clear end */
        if (ask(s, ring, block, &own, found))
            return true;
        if (was_violated && !own.is_violated)
            return differ(found, "block of event %zu: a window of %u events loses the violation\n",
                          begin, (unsigned)size);
        was_violated = own.is_violated;
        if (size == asked)
            *at_size = own;
    }
    bool is_violable = s->blocks[block].answer[0] == AVP_VIOLATION;
    return was_violated != is_violable &&
           differ(found, "block of event %zu: wrong in a window that holds everything\n", begin);
}

/* They begin earlier and earlier, at all clear points, and end with the trace, so that they have
 * the notifies of waits that began before them. */
static bool early_windows_differ(const sample *s, const ser_event_ring *ring, size_t block,
                                 difference *found)
{
    bool was_violated = false;
    size_t begin = s->world.blocks[block].begin;
    for (uint64_t first = begin; first > 0; first--) {
        answer own = {.first = first, .last = ring->last};
        if (!ser_event_ring_is_clear(ring, first))
            continue;
        if (ask(s, ring, block, &own, found))
            return true;
        if (was_violated && !own.is_violated)
            return differ(found,
                          "block of event %zu: a window from event %u on loses the violation\n",
                          begin, (unsigned)first);
        was_violated = own.is_violated;
    }
    return false;
}

/* --- the stream ------------------------------------------------------------------------- */

static void take_result(void *context, const ser_window_result *decided)
{
    stream_answers *all = context;
    size_t block = block_at(all->s, decided->block->begin);
    answer *own = &all->blocks[block];
    if (own->is_told)
        all->differs = differ(all->found, "a block is decided twice\n");
    own->is_told = true;
    own->first = decided->first;
    own->last = decided->last;
    own->is_known = decided->result->verdict != SER_VERDICT_UNKNOWN;
    own->is_violated = decided->result->verdict == SER_VERDICT_VIOLATION;
    if (own->is_violated && !all->differs)
        all->differs =
            witness_differs(all->s, block, decided->excerpt, &decided->result->order, all->found);
    bool is_missed =
        own->is_known && !own->is_violated && all->s->blocks[block].answer[0] == AVP_VIOLATION;
    if (is_missed && !all->differs)
        all->differs = differ(all->found,
                              "stream: the violation of the block of event %zu is "
                              "missed\n",
                              all->s->world.blocks[block].begin);
}

static bool stream_differs(stream_answers *all, uint32_t size)
{
    ser_error error = {0};
    ser_facts known = {0};
    for (size_t i = 0; i < all->s->events.count; i++)
        ser_facts_add(&known, &all->s->events.items[i]);
    const ser_windows_options options = {
        .size = size,
        .predict = plain,
        .facts = all->s->seed / 4 % 2 ? &known : NULL,
        .decided = take_result,
        .context = all,
    };
    ser_windows *windows = ser_windows_create(&options);
    ser_status status =
        ser_windows_feed(windows, all->s->events.items, all->s->events.count, &error);
    if (status == SER_OK)
        status = ser_windows_finish(windows, &error);
    ser_windows_destroy(windows);
    ser_facts_fini(&known);
    if (status != SER_OK)
        return differ(all->found, "%s\n", error.text);
    for (size_t i = 0; i < all->s->world.block_count && !all->differs; i++)
        if (!all->blocks[i].is_told)
            all->differs = differ(all->found, "stream: the block of event %zu is missing\n",
                                  all->s->world.blocks[i].begin);
    return all->differs;
}

static bool fail_windows(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (s->by_value || s->world.reads)
        return false; /* only the model avp */
    ser_event_ring ring = {0};
    stream_answers all = {.s = s, .found = found};
    uint32_t size = (uint32_t)SMALLEST_WINDOW << s->seed % 4;
    bool frees = false;
    ser_event_ring_init(&ring);
    for (size_t i = 0; i < s->events.count; i++) {
        ser_event_ring_add(&ring, &s->events.items[i]);
        frees |= ser_op_frees((ser_op)s->events.items[i].op);
    }
    bool differs = stream_differs(&all, size);
    for (size_t i = 0; i < s->world.block_count && !differs && !frees; i++) {
        answer exact = {0};
        const answer *streamed = &all.blocks[i];
        differs = growing_windows_differ(s, &ring, i, size, &exact, found) ||
                  early_windows_differ(s, &ring, i, found);
        bool covers = exact.last && streamed->first && streamed->first <= exact.first &&
                      streamed->last >= exact.last;
        if (!differs && covers && exact.is_violated && !streamed->is_violated)
            differs = differ(found, "stream: a violation within the window is missed\n");
    }
    ser_event_ring_fini(&ring);
    return differs;
}

const trial trial_windows = {"windows", fail_windows, NULL, false};
