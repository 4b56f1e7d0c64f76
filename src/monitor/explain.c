/* SPDX-License-Identifier: MIT */
/*
 * The conflict layer (conflicts.h) runs with tokens that stand for single events, and only for
 * events of transactions that lie on a cycle: all others get token 0. So the source of every edge
 * is such an event, and the edge is part of the cycle if the current event belongs to the next
 * transaction on it.
 */
#include "monitor/explain.h"

#include "base/status.h"
#include "monitor/conflicts/conflicts.h"
#include "monitor/legs.h"

/* An event of a transaction on a cycle. */
typedef struct moment_slot {
    ser_moment moment;
    uint64_t transaction; /* its first event */
    uint32_t references;
} moment_slot;

typedef struct thread_state {
    SER_VECTOR(ser_transaction) transactions; /* of this thread, on cycles, by first event */
    size_t next;                              /* the first that is still to come */
    uint64_t transaction;                     /* first event of the one around the current
                                                 event; 0: it is on no cycle */
    ser_moment previous;                      /* the thread's event before the current one, */
    uint64_t previous_transaction;            /* and its transaction; 0: on no cycle */
    uint64_t block_begin;                     /* of its open block; 0 outside blocks */
    uint32_t block;                           /* that block, if it is part of a finding */
    ser_event block_first;
} thread_state;

/* The finding for the block that begins with an event. */
typedef struct violated_block {
    uint64_t begin;
    uint32_t finding;
} violated_block;

struct ser_explainer {
    ser_legs legs;
    SER_VECTOR(ser_finding) findings;
    SER_VECTOR(violated_block) violated; /* by begin */
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

/* The steps that the two events show and that are still to be shown. */
static void show_steps(ser_explainer *explainer, const ser_moment *from, uint64_t transaction,
                       ser_edge_kind by, uint32_t object)
{
    const ser_moment *now = &explainer->now;
    uint64_t own = explainer->threads.items[now->event.thread].transaction;
    const ser_leg *leg;
    while ((leg = ser_legs_take(&explainer->legs, transaction, own, from->number, now->number)))
        explainer->findings.items[leg->finding].steps.items[leg->step] =
            (ser_step){*from, *now, by, object};
}

static inline void edge(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object)
{
    ser_explainer *explainer = owner;
    const moment_slot *slot = &explainer->moments.items[token - 1];
    if (explainer->threads.items[explainer->now.event.thread].transaction)
        show_steps(explainer, &slot->moment, slot->transaction, kind, object);
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
    for (size_t i = 0; i < explainer->threads.count; i++)
        ser_vector_free(&explainer->threads.items[i].transactions);
    for (size_t i = 0; i < explainer->findings.count; i++)
        ser_vector_free(&explainer->findings.items[i].steps);
    ser_conflicts_fini(&explainer->conflicts);
    ser_legs_fini(&explainer->legs);
    ser_vector_free(&explainer->violated);
    ser_vector_free(&explainer->findings);
    ser_vector_free(&explainer->blocks);
    ser_vector_free(&explainer->threads);
    ser_vector_free(&explainer->moments);
    ser_vector_free(&explainer->unused);
    free(explainer);
}

static void add_transaction(ser_explainer *explainer, ser_transaction transaction)
{
    ser_vector_push(&state_of(explainer, transaction.thread)->transactions, transaction);
}

/* The event that closes a cycle is of its first transaction, too. */
static ser_transaction transaction_at(const ser_violation *violation, size_t index)
{
    ser_transaction transaction = violation->cycle[index % violation->cycle_length];
    if (index % violation->cycle_length == 0 && transaction.last < violation->event)
        transaction.last = violation->event;
    return transaction;
}

static void add_cycle(ser_explainer *explainer, const ser_violation *violation)
{
    for (size_t i = 0; i < violation->cycle_length; i++) {
        ser_leg leg = {transaction_at(violation, i), transaction_at(violation, i + 1),
                       (uint32_t)explainer->findings.count, (uint32_t)i};
        add_transaction(explainer, leg.from);
        ser_vector_push(&explainer->legs.list, leg);
    }
}

void ser_explainer_add(ser_explainer *explainer, const ser_violation *violation)
{
    ser_check(!explainer->started && violation->cycle_length != 1);
    if (violation->cycle_length)
        add_cycle(explainer, violation);
    else
        add_transaction(explainer,
                        (ser_transaction){violation->thread, violation->block, violation->event});
    violated_block block = {violation->block, (uint32_t)explainer->findings.count};
    ser_vector_push(&explainer->violated, block);

    ser_finding finding = {
        .thread = violation->thread, .begin = violation->block, .block = SER_NO_BLOCK};
    finding.event.number = violation->event;
    finding.event.event.site = SER_NO_SITE;
    ser_vector_extend(&finding.steps, violation->cycle_length);
    ser_vector_push(&explainer->findings, finding);
    if (explainer->last_event < violation->event)
        explainer->last_event = violation->event;
}

static int by_begin(const void *a, const void *b)
{
    uint64_t first = ((const violated_block *)a)->begin;
    uint64_t second = ((const violated_block *)b)->begin;
    return (first > second) - (first < second);
}

static int by_first_event(const void *a, const void *b)
{
    uint64_t first = ((const ser_transaction *)a)->first;
    uint64_t second = ((const ser_transaction *)b)->first;
    return (first > second) - (first < second);
}

/* A transaction on several cycles was added several times, each time with its last event known
 * then. */
static void unite_transactions(thread_state *thread)
{
    size_t kept = 0;
    qsort(thread->transactions.items, thread->transactions.count,
          sizeof *thread->transactions.items, by_first_event);
    for (size_t i = 1; i < thread->transactions.count; i++) {
        ser_transaction *last = &thread->transactions.items[kept];
        const ser_transaction *next = &thread->transactions.items[i];
        if (next->first != last->first)
            thread->transactions.items[++kept] = *next;
        else if (last->last < next->last)
            last->last = next->last;
    }
    thread->transactions.count = kept + 1;
}

static void start(ser_explainer *explainer)
{
    for (size_t i = 0; i < explainer->threads.count; i++)
        if (explainer->threads.items[i].transactions.count)
            unite_transactions(&explainer->threads.items[i]);
    if (explainer->violated.count)
        qsort(explainer->violated.items, explainer->violated.count,
              sizeof *explainer->violated.items, by_begin);
    ser_legs_group(&explainer->legs);
    explainer->started = true;
}

/* Which transaction on a cycle is the current event part of, if any? */
static void update_transaction(ser_explainer *explainer, thread_state *thread)
{
    uint64_t number = explainer->now.number;
    while (thread->next < thread->transactions.count &&
           thread->transactions.items[thread->next].first <= number)
        thread->transaction = thread->transactions.items[thread->next++].first;
    if (thread->transaction && thread->transactions.items[thread->next - 1].last < number)
        thread->transaction = 0;
}

/* Numbers the block of the current event once it is part of a finding. */
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
    if (!thread->transaction)
        return 0;
    uint32_t index;
    if (explainer->unused.count) {
        index = explainer->unused.items[--explainer->unused.count];
    } else {
        index = (uint32_t)explainer->moments.count;
        ser_vector_extend(&explainer->moments, explainer->moments.count + 1);
    }
    explainer->moments.items[index] = (moment_slot){explainer->now, thread->transaction, 0};
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

/* The current event opens a block: findings about it refer to it from now on. */
static void find_violated_block(ser_explainer *explainer)
{
    violated_block here = {.begin = explainer->now.number};
    const violated_block *found =
        bsearch(&here, explainer->violated.items, explainer->violated.count,
                sizeof *explainer->violated.items, by_begin);
    if (found) /* each block is violated once */
        explainer->findings.items[found->finding].block = explainer->now.block;
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
    update_transaction(explainer, thread);
    if (thread->transaction) {
        explainer->now.block = block_of_now(explainer, thread);
        if (event->flags & SER_EVENT_OPENS)
            find_violated_block(explainer);
        if (thread->previous_transaction)
            show_steps(explainer, &thread->previous, thread->previous_transaction,
                       SER_EDGE_PROGRAM_ORDER, event->thread);
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
    thread->previous_transaction = thread->transaction;
    if (event->flags & SER_EVENT_CLOSES)
        close_block(explainer, thread);
}

void ser_explainer_feed(ser_explainer *explainer, const ser_event *events, size_t count,
                        uint64_t first)
{
    if (!explainer->started)
        start(explainer);
    for (size_t i = 0; i < count && ser_explainer_wants_more(explainer); i++) {
        if (!ser_op_takes_part((ser_op)events[i].op))
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

void ser_explainer_finish(ser_explainer *explainer)
{
    for (size_t i = 0; i < explainer->findings.count; i++) {
        ser_finding *finding = &explainer->findings.items[i];
        if (ser_finding_is_shown(finding)) {
            ser_finding_insert_program_order(finding);
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
