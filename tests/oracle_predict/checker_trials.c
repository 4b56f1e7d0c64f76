/* SPDX-License-Identifier: MIT */
/*
 * The checker of witnesses (witness/checker.h) beside the definition (avp_run.h). Both
 * execute the same order; they must agree on the first step that may not happen, on
 * broken reads, on whether a block is violated and how short the violation can be, and
 * the path that the checker shows must be one.
 */
#include <stdio.h>

#include "avp_run.h"
#include "draw_values.h"
#include "random.h"
#include "sample.h"
#include "witness/checker.h"

enum { ORDERS_A_TRACE = 12, TINY = 8 };

/* The checker and the definition, side by side. */
typedef struct pair {
    const sample *s;
    ser_event *events; /* events[1 .. count] for the checker */
    ser_checker *checker;
    difference *found;
} pair;

static void pair_init(pair *p, const sample *s, const event_alteration *alter, difference *found)
{
    *p = (pair){.s = s, .found = found};
    p->events = ser_alloc(s->events.count + 1, sizeof *p->events);
    if (s->events.count)
        memcpy(p->events + 1, s->events.items, s->events.count * sizeof *p->events);
    for (size_t i = 1; alter && i <= s->events.count; i++)
        (*alter)(&p->events[i]);
    const ser_checker_model model = {.reads = s->by_value ? NULL : s->world.reads,
                                     .equal_values = s->by_value,
                                     .guards = guard_symbols()};
    p->checker = ser_checker_create(p->events, (uint32_t)s->events.count, &model);
}

static void pair_fini(pair *p)
{
    ser_checker_destroy(p->checker);
    free(p->events);
}

static bool differ_on(pair *p, const char *what, const avp_order *order, const ser_error *error)
{
    differ(p->found, "%s%s%s", what, error ? "; the checker says: " : "", error ? error->text : "");
    describe_order(p->found, "order", order->events, order->count);
    return true;
}

/* Executes what may happen of an order. */
static void run_order(avp_run *run, const avp_world *world, const avp_order *order)
{
    *run = (avp_run){.world = world};
    while (run->count < order->count && avp_run_step(run, order->events[run->count]))
        ;
}

static size_t place_of(const avp_run *run, uint32_t event)
{
    size_t place = 0;
    while (place < run->count && run->order[place] != event)
        place++;
    return place;
}

/* An edge of a path: executed, in conflict or of one thread. */
static bool is_edge(const avp_run *run, uint32_t from, uint32_t to)
{
    size_t first = place_of(run, from), second = place_of(run, to);
    return first < run->count && second < run->count && avp_run_edge(run, first, second);
}

/* s and t in the block, all others outside. */
static bool is_path(const avp_run *run, size_t block, const ser_witness_facts *shown)
{
    const size_t *transaction = run->world->facts.transaction;
    size_t last = shown->path.count - 1;
    for (size_t i = 0; i <= last; i++) {
        bool inside = transaction[shown->path.items[i]] == block;
        if (inside != (i == 0 || i == last))
            return false;
        if (i > 0 && !is_edge(run, shown->path.items[i - 1], shown->path.items[i]))
            return false;
    }
    return last >= 2;
}

/* Pairs from, to; each starts in the transaction where the last one ended. */
static bool is_cycle(const avp_run *run, size_t block, const ser_witness_facts *shown)
{
    const size_t *transaction = run->world->facts.transaction;
    size_t count = shown->path.count, at = block;
    for (size_t i = 0; i + 1 < count; i += 2) {
        uint32_t from = shown->path.items[i], to = shown->path.items[i + 1];
        if (!is_edge(run, from, to) || transaction[from] != at || transaction[to] == at)
            return false;
        at = transaction[to];
    }
    return count >= 4 && count % 2 == 0 && at == block;
}

static bool broken_agree(const avp_run *run, const ser_witness_facts *shown)
{
    size_t next = 0;
    for (size_t step = 0; step < run->count; step++) {
        if (!run->broken[step])
            continue;
        if (next == shown->broken.count || shown->broken.items[next++] != run->order[step])
            return false;
    }
    return next == shown->broken.count;
}

static bool switches_agree(const avp_run *run, uint32_t switches)
{
    uint32_t count = 0;
    for (size_t step = 1; step < run->count; step++)
        count += event_at(&run->world->facts, run->order[step - 1])->thread !=
                 event_at(&run->world->facts, run->order[step])->thread;
    return count == switches;
}

/* The definition finds a violation of that many edges, or none. */
static bool facts_differ(pair *p, const avp_run *run, const avp_order *order, size_t block,
                         int criterion, const ser_witness_facts *shown)
{
    size_t edges = avp_run_violation(run, block, criterion);
    if (!edges)
        return differ_on(p, "the checker accepts what is no violation", order, NULL);
    if (!(criterion ? is_cycle : is_path)(run, block, shown))
        return differ_on(p, "the checker's path is none", order, NULL);
    if ((criterion ? shown->path.count / 2 : shown->path.count - 1) != edges)
        return differ_on(p, "the checker's path is not the shortest", order, NULL);
    if (!broken_agree(run, shown))
        return differ_on(p, "the checker's broken reads are others", order, NULL);
    if (!switches_agree(run, shown->switches))
        return differ_on(p, "the checker counts other switches", order, NULL);
    return false;
}

/* The checker refused the order: for the right reason? */
static bool refusal_differs(pair *p, const avp_run *run, const avp_order *order, size_t block,
                            int criterion, const ser_error *error)
{
    size_t step;
    uint32_t event;
    if (sscanf(error->text, "step %zu, event %u: ", &step, &event) == 2) {
        if (run->count == order->count || step != run->count + 1 ||
            event != order->events[run->count])
            return differ_on(p, "the wrong step is refused", order, error);
        return false;
    }
    if (run->count < order->count)
        return differ_on(p, "a step that may not happen is let pass", order, error);
    if (avp_run_violation(run, block, criterion))
        return differ_on(p, "a violation is refused", order, error);
    return false;
}

static bool judged_differently(pair *p, const avp_order *order, size_t block, int criterion)
{
    avp_run run;
    run_order(&run, &p->s->world, order);
    ser_witness_facts shown;
    ser_error error;
    ser_status status = ser_checker_check(p->checker, (uint32_t)block, criterion, order->events,
                                          order->count, &shown, &error);
    bool differs;
    if (status)
        differs = refusal_differs(p, &run, order, block, criterion, &error);
    else if (run.count < order->count)
        differs = differ_on(p, "a step that may not happen is accepted", order, NULL);
    else
        differs = facts_differ(p, &run, order, block, criterion, &shown);
    ser_witness_facts_fini(&shown);
    return differs;
}

static bool is_no_violation(pair *p, const avp_order *order, size_t block, int criterion)
{
    avp_run run;
    run_order(&run, &p->s->world, order);
    if (run.count < order->count)
        return differ(p->found, "step %zu may not happen", run.count + 1);
    if (!avp_run_violation(&run, block, criterion))
        return differ(p->found, "the order violates nothing");
    return judged_differently(p, order, block, criterion);
}

bool is_witness(const sample *s, size_t block, int criterion, const uint32_t *order, size_t count,
                difference *found)
{
    avp_order copy = {.count = count};
    if (count > AVP_MOST_EVENTS)
        return !differ(found, "the order is longer than the trace");
    if (count)
        memcpy(copy.events, order, count * sizeof *order);
    pair p;
    pair_init(&p, s, NULL, found);
    bool good = !is_no_violation(&p, &copy, s->world.blocks[block].begin, criterion);
    pair_fini(&p);
    return good;
}

static bool witness_differs(pair *p, size_t index, int criterion)
{
    const sample_block *block = &p->s->blocks[index];
    if (block->answer[criterion] != AVP_VIOLATION)
        return false;
    size_t begin = p->s->world.blocks[index].begin;
    return is_no_violation(p, &block->witness[criterion], begin, criterion);
}

static bool fail_witnesses(const trial *t, const sample *s, difference *found)
{
    pair p;
    pair_init(&p, s, t->subject, found);
    bool differs = false;
    for (size_t i = 0; i < s->world.block_count; i++)
        for (int criterion = 0; criterion < CRITERIA; criterion++)
            differs = differs || witness_differs(&p, i, criterion);
    pair_fini(&p);
    return differs;
}

/* A random interleaving, or a random prefix of the trace itself. */
static void draw_order(random_source *random, const avp_world *world, avp_order *order)
{
    avp_run run = {.world = world};
    size_t length = random_below(random, (uint32_t)world->facts.count + 1);
    bool observed = random_chance(random, 15);
    for (size_t tries = 0; run.count < length && tries < 20 * length; tries++) {
        size_t thread = random_below(random, (uint32_t)world->threads);
        size_t event = observed ? tries + 1 : avp_next(world, &run.state, thread);
        avp_run_step(&run, (uint32_t)event);
    }
    memcpy(order->events, run.order, run.count * sizeof *run.order);
    order->count = run.count;
}

static void insert(avp_order *order, size_t at, uint32_t event)
{
    if (order->count == AVP_MOST_EVENTS)
        return;
    memmove(order->events + at + 1, order->events + at, (order->count - at) * sizeof event);
    order->events[at] = event;
    order->count++;
}

static void erase(avp_order *order, size_t at)
{
    order->count--;
    memmove(order->events + at, order->events + at + 1,
            (order->count - at) * sizeof *order->events);
}

/* Swap, drop, duplicate, move or add a number, which may be none of an event. */
static void corrupt(random_source *random, avp_order *order, size_t events)
{
    uint32_t any = random_below(random, (uint32_t)events + 2);
    if (order->count == 0) {
        insert(order, 0, any);
        return;
    }
    size_t a = random_below(random, (uint32_t)order->count);
    size_t b = random_below(random, (uint32_t)order->count);
    uint32_t event = order->events[a];
    switch (random_below(random, 6)) {
    case 0:
        order->events[a] = order->events[b];
        order->events[b] = event;
        break;
    case 1:
        erase(order, a);
        break;
    case 2:
        insert(order, b, event);
        break;
    case 3:
        erase(order, a);
        insert(order, b < order->count ? b : order->count, event);
        break;
    default:
        insert(order, order->count, any);
        break;
    }
}

static bool random_order_differs(pair *p, random_source *random)
{
    const avp_world *world = &p->s->world;
    size_t index = random_below(random, (uint32_t)world->block_count);
    int criterion = (int)random_below(random, CRITERIA);
    const sample_block *block = &p->s->blocks[index];
    avp_order order;
    draw_order(random, world, &order);
    if (block->answer[criterion] == AVP_VIOLATION && random_chance(random, 50))
        order = block->witness[criterion];
    for (uint32_t times = random_below(random, 4); times > 0; times--)
        corrupt(random, &order, world->facts.count);
    return judged_differently(p, &order, world->blocks[index].begin, criterion);
}

static bool fail_orders(const trial *t, const sample *s, difference *found)
{
    if (s->world.block_count == 0)
        return false;
    pair p;
    pair_init(&p, s, t->subject, found);
    random_source random = {s->seed ^ UINT64_C(0x6f7264657273)};
    bool differs = false;
    for (int i = 0; i < ORDERS_A_TRACE && !differs; i++)
        differs = random_order_differs(&p, &random);
    pair_fini(&p);
    return differs;
}

/* An order that was just extended, for all blocks and criteria. */
static bool differs_for_any_block(pair *p, const avp_order *order)
{
    for (size_t i = 0; i < p->s->world.block_count; i++)
        for (int criterion = 0; criterion < CRITERIA; criterion++)
            if (judged_differently(p, order, p->s->world.blocks[i].begin, criterion))
                return true;
    return false;
}

/* Every order that may happen, extended by every number. */
static bool some_order_differs(pair *p, avp_run *run)
{
    avp_order order = {.count = run->count + 1};
    memcpy(order.events, run->order, run->count * sizeof *run->order);
    for (uint32_t event = 0; event <= p->s->world.facts.count + 1; event++) {
        order.events[run->count] = event;
        if (differs_for_any_block(p, &order))
            return true;
        avp_state before = run->state;
        if (!avp_run_step(run, event))
            continue;
        if (some_order_differs(p, run))
            return true;
        avp_run_undo(run, &before);
    }
    return false;
}

static bool fail_all_orders(const trial *t, const sample *s, difference *found)
{
    if (s->events.count > TINY)
        return false;
    pair p;
    pair_init(&p, s, t->subject, found);
    avp_run run = {.world = &s->world};
    bool differs = some_order_differs(&p, &run);
    pair_fini(&p);
    return differs;
}

const trial trial_witnesses = {"witnesses", fail_witnesses, NULL, false};
const trial trial_orders = {"orders", fail_orders, NULL, false};
const trial trial_all_orders = {"all-orders", fail_all_orders, NULL, false};
