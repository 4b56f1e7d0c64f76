/* SPDX-License-Identifier: MIT */
/*
 * The layer of conflicts (conflicts.h) is run with tokens that stand for single
 * events, and only for events of transactions that lie on a cycle: all others get
 * token 0. So every edge it calls out has such an event as its source, and it is
 * a step if the current event is of the next transaction on that cycle.
 */
#include "monitor/explain.h"

#include "base/status.h"
#include "monitor/conflicts.h"

/* One transaction of one cycle. */
typedef struct station {
    ser_transaction span;
    uint32_t cycle;
    uint32_t position;
} station;

typedef struct cycle {
    uint32_t first_station;
    uint32_t length;
} cycle;

typedef struct moment_slot {
    ser_moment moment;
    uint32_t references;
} moment_slot;

typedef struct thread_state {
    SER_VECTOR(uint32_t) stations; /* of this thread, by first event */
    SER_VECTOR(uint32_t) active;   /* those around the current event */
    size_t next;                   /* the first that is still to come */
    ser_moment previous;           /* the thread's event before the current one */
    uint64_t block_begin;          /* of its open block; 0 outside blocks */
    uint32_t block;                /* that block, if it plays a part */
    ser_event block_first;
} thread_state;

struct ser_explainer {
    SER_VECTOR(station) stations;
    SER_VECTOR(cycle) cycles;
    SER_VECTOR(ser_finding) findings;
    SER_VECTOR(ser_block_span) blocks;
    SER_VECTOR(thread_state) threads;
    SER_VECTOR(moment_slot) moments; /* tokens are 1 + index */
    SER_VECTOR(uint32_t) unused;
    ser_conflicts conflicts;
    ser_moment now;
    uint64_t last_event; /* the last one that a violation names */
    size_t next_finding; /* the first whose event is still to come */
    size_t open_blocks;  /* those of blocks that have not ended */
    bool started;
};

static ser_moment *moment_of(ser_explainer *explainer, uint64_t token)
{
    return &explainer->moments.items[token - 1].moment;
}

static inline bool is_alive(void *owner, uint64_t token)
{
    (void)owner, (void)token;
    return true;
}

static inline uint32_t thread_of(void *owner, uint64_t token)
{
    return moment_of(owner, token)->event.thread;
}

static inline void keep(void *owner, uint64_t token)
{
    ((ser_explainer *)owner)->moments.items[token - 1].references++;
}

static inline void drop(void *owner, uint64_t token)
{
    ser_explainer *explainer = owner;
    if (--explainer->moments.items[token - 1].references == 0)
        ser_vector_push(&explainer->unused, (uint32_t)(token - 1));
}

/* The place of the step from a station to the next one on its cycle. */
static ser_step *step_from(ser_explainer *explainer, const station *source)
{
    return &explainer->findings.items[source->cycle].steps.items[source->position];
}

static const station *station_before(const ser_explainer *explainer, const station *target)
{
    const cycle *round = &explainer->cycles.items[target->cycle];
    uint32_t position = (target->position ? target->position : round->length) - 1;
    return &explainer->stations.items[round->first_station + position];
}

/* If the two events show a step that is still to be shown, here it is. */
static void show_steps(ser_explainer *explainer, const ser_moment *from, ser_edge_kind by,
                       uint32_t object)
{
    thread_state *thread = &explainer->threads.items[explainer->now.event.thread];
    for (size_t i = 0; i < thread->active.count; i++) {
        const station *target = &explainer->stations.items[thread->active.items[i]];
        if (explainer->findings.items[target->cycle].steps.count == 0)
            continue; /* only its block is known */
        const station *source = station_before(explainer, target);
        ser_step *step = step_from(explainer, source);
        if (step->from.number == 0 && source->span.thread == from->event.thread &&
            source->span.first <= from->number && from->number <= source->span.last)
            *step = (ser_step){*from, explainer->now, by, object};
    }
}

static inline void edge(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object)
{
    ser_explainer *explainer = owner;
    show_steps(explainer, moment_of(explainer, token), kind, object);
}

static const ser_token_policy POLICY = {is_alive, thread_of, keep, drop, edge};

static thread_state *state_of(ser_explainer *explainer, uint32_t thread)
{
    return ser_vector_slot(&explainer->threads, thread);
}

ser_explainer *ser_explainer_create(void)
{
    return ser_alloc(1, sizeof(ser_explainer));
}

void ser_explainer_destroy(ser_explainer *explainer)
{
    if (!explainer)
        return;
    for (size_t i = 0; i < explainer->threads.count; i++) {
        ser_vector_free(&explainer->threads.items[i].stations);
        ser_vector_free(&explainer->threads.items[i].active);
    }
    for (size_t i = 0; i < explainer->findings.count; i++)
        ser_vector_free(&explainer->findings.items[i].steps);
    ser_conflicts_fini(&explainer->conflicts);
    ser_vector_free(&explainer->stations);
    ser_vector_free(&explainer->cycles);
    ser_vector_free(&explainer->findings);
    ser_vector_free(&explainer->blocks);
    ser_vector_free(&explainer->threads);
    ser_vector_free(&explainer->moments);
    ser_vector_free(&explainer->unused);
    free(explainer);
}

static void add_station(ser_explainer *explainer, ser_transaction span, uint32_t position)
{
    station added = {span, (uint32_t)explainer->cycles.count, position};
    ser_vector_push(&state_of(explainer, span.thread)->stations,
                    (uint32_t)explainer->stations.count);
    ser_vector_push(&explainer->stations, added);
}

void ser_explainer_add(ser_explainer *explainer, const ser_violation *violation)
{
    ser_check(!explainer->started && violation->cycle_length != 1);
    ser_transaction block = {violation->thread, violation->block, violation->event};
    cycle added = {(uint32_t)explainer->stations.count, (uint32_t)violation->cycle_length};
    if (!added.length)
        add_station(explainer, block, 0);
    for (uint32_t i = 0; i < added.length; i++) {
        ser_transaction span = violation->cycle[i];
        if (i == 0 && span.last < violation->event)
            span.last = violation->event; /* the event that closes the cycle is its, too */
        add_station(explainer, span, i);
    }
    ser_vector_push(&explainer->cycles, added);

    ser_finding finding = {
        .thread = violation->thread, .begin = violation->block, .block = SER_NO_BLOCK};
    finding.event.number = violation->event;
    finding.event.event.site = SER_NO_SITE;
    ser_vector_extend(&finding.steps, added.length);
    ser_vector_push(&explainer->findings, finding);
    if (explainer->last_event < violation->event)
        explainer->last_event = violation->event;
}

static int by_first_event(const void *a, const void *b, void *context)
{
    const station *stations = context;
    uint64_t first = stations[*(const uint32_t *)a].span.first;
    uint64_t second = stations[*(const uint32_t *)b].span.first;
    return (first > second) - (first < second);
}

static void start(ser_explainer *explainer)
{
    for (size_t i = 0; i < explainer->threads.count; i++) {
        thread_state *thread = &explainer->threads.items[i];
        if (thread->stations.count)
            qsort_r(thread->stations.items, thread->stations.count, sizeof *thread->stations.items,
                    by_first_event, explainer->stations.items);
    }
    explainer->started = true;
}

/* Which transactions on cycles is the current event part of? */
static void update_active(ser_explainer *explainer, thread_state *thread)
{
    uint64_t number = explainer->now.number;
    size_t kept = 0;
    for (size_t i = 0; i < thread->active.count; i++) {
        uint32_t index = thread->active.items[i];
        if (number <= explainer->stations.items[index].span.last)
            thread->active.items[kept++] = index;
    }
    thread->active.count = kept;
    for (; thread->next < thread->stations.count; thread->next++) {
        uint32_t index = thread->stations.items[thread->next];
        if (explainer->stations.items[index].span.first > number)
            break;
        ser_vector_push(&thread->active, index);
    }
}

/* The block of the current event gets a number of ours once it plays a part. */
static uint32_t block_of_now(ser_explainer *explainer, thread_state *thread)
{
    if (!thread->block_begin)
        return SER_NO_BLOCK;
    if (thread->block == SER_NO_BLOCK) {
        ser_block_span span = {thread->block_begin, 0, thread->block_first};
        thread->block = (uint32_t)explainer->blocks.count;
        explainer->open_blocks++;
        ser_vector_push(&explainer->blocks, span);
    }
    return thread->block;
}

static uint64_t token_of_now(ser_explainer *explainer, const thread_state *thread)
{
    if (!thread->active.count)
        return 0;
    uint32_t index;
    if (explainer->unused.count) {
        index = explainer->unused.items[--explainer->unused.count];
    } else {
        index = (uint32_t)explainer->moments.count;
        ser_vector_extend(&explainer->moments, explainer->moments.count + 1);
    }
    explainer->moments.items[index] = (moment_slot){explainer->now, 0};
    return (uint64_t)index + 1;
}

/* The events at which engines reported, for their operations and locations. */
static void complete_findings(ser_explainer *explainer)
{
    for (; explainer->next_finding < explainer->findings.count; explainer->next_finding++) {
        ser_moment *event = &explainer->findings.items[explainer->next_finding].event;
        if (event->number != explainer->now.number)
            break;
        *event = explainer->now;
    }
}

/* The current event is of a block that a cycle starts with: the violated one. */
static void find_violated_blocks(ser_explainer *explainer, thread_state *thread)
{
    for (size_t i = 0; i < thread->active.count; i++) {
        const station *here = &explainer->stations.items[thread->active.items[i]];
        ser_finding *finding = &explainer->findings.items[here->cycle];
        if (here->position == 0 && finding->block == SER_NO_BLOCK)
            finding->block = explainer->now.block;
    }
}

static void close_block(ser_explainer *explainer, thread_state *thread)
{
    if (thread->block != SER_NO_BLOCK) {
        explainer->blocks.items[thread->block].end = explainer->now.number;
        explainer->open_blocks--;
    }
    thread->block_begin = 0;
    thread->block = SER_NO_BLOCK;
}

static void process(ser_explainer *explainer, const ser_event *event, uint64_t number)
{
    ser_conflicts *conflicts = &explainer->conflicts;
    thread_state *thread = state_of(explainer, event->thread);
    explainer->now = (ser_moment){number, *event, SER_NO_BLOCK};
    if (event->flags & SER_EVENT_OPENS) {
        thread->block_begin = number;
        thread->block_first = *event;
        thread->block = SER_NO_BLOCK;
    }
    update_active(explainer, thread);
    if (thread->active.count) {
        explainer->now.block = block_of_now(explainer, thread);
        find_violated_blocks(explainer, thread);
        if (thread->previous.number)
            show_steps(explainer, &thread->previous, SER_EDGE_PROGRAM_ORDER, event->thread);
    }
    ser_conflicts_enter(conflicts, &POLICY, explainer, event->thread);
    ser_conflicts_gather(conflicts, &POLICY, explainer, event);
    uint64_t token = token_of_now(explainer, thread);
    if (token)
        keep(explainer, token); /* the event may be stored nowhere */
    ser_conflicts_record(conflicts, &POLICY, explainer, event, number, token);
    if (token)
        drop(explainer, token);
    thread->previous = explainer->now;
    if (event->flags & SER_EVENT_CLOSES)
        close_block(explainer, thread);
}

void ser_explainer_feed(ser_explainer *explainer, const ser_event *events, size_t count,
                        uint64_t first)
{
    if (!explainer->started)
        start(explainer);
    for (size_t i = 0; i < count && ser_explainer_wants_more(explainer); i++) {
        if (events[i].op == SER_OP_SKIP)
            continue;
        process(explainer, &events[i], first + i);
        complete_findings(explainer);
    }
}

bool ser_explainer_wants_more(const ser_explainer *explainer)
{
    return !explainer->started || explainer->open_blocks ||
           explainer->now.number < explainer->last_event;
}

static bool same_transaction(const ser_moment *a, const ser_moment *b)
{
    return a->number == b->number || (a->block == b->block && a->block != SER_NO_BLOCK);
}

/*
 * An engine may have joined events outside blocks to the transaction before them
 * (engine.h): then the cycle enters at one and leaves at a later one, and what
 * leads from one to the other is program order.
 */
static void insert_program_order(ser_finding *finding)
{
    ser_steps whole = {0};
    for (size_t i = 0; i < finding->steps.count; i++) {
        const ser_step *step = &finding->steps.items[i];
        const ser_step *next = &finding->steps.items[(i + 1) % finding->steps.count];
        ser_vector_push(&whole, *step);
        if (!same_transaction(&step->to, &next->from)) {
            ser_step order = {step->to, next->from, SER_EDGE_PROGRAM_ORDER, step->to.event.thread};
            ser_vector_push(&whole, order);
        }
    }
    ser_vector_free(&finding->steps);
    finding->steps = whole;
}

static bool all_steps_shown(const ser_finding *finding)
{
    for (size_t i = 0; i < finding->steps.count; i++)
        if (!finding->steps.items[i].from.number)
            return false;
    return true;
}

void ser_explainer_finish(ser_explainer *explainer)
{
    for (size_t i = 0; i < explainer->findings.count; i++) {
        ser_finding *finding = &explainer->findings.items[i];
        if (all_steps_shown(finding)) {
            insert_program_order(finding);
        } else {
            ser_check(explainer->now.number < finding->event.number);
            finding->steps.count = 0;
        }
    }
}

size_t ser_explainer_finding_count(const ser_explainer *explainer)
{
    return explainer->findings.count;
}

const ser_finding *ser_explainer_finding(const ser_explainer *explainer, size_t index)
{
    return &explainer->findings.items[index];
}

const ser_block_span *ser_explainer_block(const ser_explainer *explainer, uint32_t block)
{
    return &explainer->blocks.items[block];
}

static const struct {
    const char *name;
    ser_space space;
} EDGES[] = {
    [SER_EDGE_PROGRAM_ORDER] = {"program order", SER_SPACE_THREAD},
    [SER_EDGE_VARIABLE] = {"variable", SER_SPACE_VARIABLE},
    [SER_EDGE_LOCK] = {"lock", SER_SPACE_LOCK},
    [SER_EDGE_FORK] = {"fork", SER_SPACE_THREAD},
    [SER_EDGE_JOIN] = {"join", SER_SPACE_THREAD},
    [SER_EDGE_NOTIFY] = {"notify", SER_SPACE_CONDITION},
    [SER_EDGE_BARRIER] = {"barrier", SER_SPACE_BARRIER},
    [SER_EDGE_SEMAPHORE] = {"semaphore", SER_SPACE_SEMAPHORE},
};

const char *ser_edge_name(ser_edge_kind kind)
{
    return EDGES[kind].name;
}

ser_space ser_edge_space(ser_edge_kind kind)
{
    return EDGES[kind].space;
}
