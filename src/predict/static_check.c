/* SPDX-License-Identifier: MIT */
#include "predict/static_check.h"

#include "base/idmap.h"

/* What other threads do to a variable in the segment. */
enum { OTHERS_READ = 1, OTHERS_WRITE = 2, FREE_READ = 4, FREE_WRITE = 8, ALL = 15 };

typedef struct block_facts {
    const ser_run *run;
    const ser_index *index;
    const ser_segment *segment;
    uint32_t thread;
    uint32_t first, last; /* event numbers between which all others' events lie */
    ser_event_list kept;  /* acquires of the locks held from first access to last */
    ser_idmap variables;  /* -> 1 + OTHERS_* */
} block_facts;

static bool is_shared(const ser_run *run, uint32_t acquire)
{
    return run->events[acquire].op == SER_OP_SHARED_ACQUIRE;
}

bool ser_holds_against(const ser_run *run, uint32_t event, uint32_t acquire)
{
    uint32_t lock = run->events[acquire].object;
    for (uint32_t held = run->held[event]; held; held = run->holds.items[held].next) {
        uint32_t other = run->holds.items[held].acquire;
        if (run->events[other].object == lock &&
            !(is_shared(run, other) && is_shared(run, acquire)))
            return true;
    }
    return false;
}

static void find_kept_locks(block_facts *facts, uint32_t first, uint32_t last)
{
    const ser_run *run = facts->run;
    for (uint32_t held = run->held[last]; held; held = run->holds.items[held].next)
        if (run->holds.items[held].acquire < first)
            ser_vector_push(&facts->kept, run->holds.items[held].acquire);
}

static bool is_locked_out(const block_facts *facts, uint32_t event)
{
    for (size_t i = 0; i < facts->kept.count; i++)
        if (ser_holds_against(facts->run, event, facts->kept.items[i]))
            return true;
    return false;
}

static void find_bounds(block_facts *facts)
{
    facts->first = facts->run->count + 1;
    for (uint32_t i = 0; i < facts->segment->threads; i++) {
        uint32_t from = facts->segment->from[i], to = facts->segment->to[i];
        if (i == facts->thread || from >= to)
            continue;
        uint32_t first = ser_run_at(facts->run, i, from), last = ser_run_at(facts->run, i, to - 1);
        facts->first = first < facts->first ? first : facts->first;
        facts->last = last > facts->last ? last : facts->last;
    }
}

static uint32_t look_at_variable(const block_facts *facts, uint32_t variable)
{
    uint32_t seen = 0;
    ser_event_span span =
        ser_index_between(&facts->index->accesses, variable, facts->first - 1, facts->last + 1);
    for (size_t i = 0; i < span.count && !(seen & FREE_WRITE); i++) {
        uint32_t event = span.items[i];
        if (facts->run->events[event].thread == facts->thread ||
            !ser_segment_holds(facts->segment, facts->run, event))
            continue;
        bool reads = facts->run->events[event].op == SER_OP_READ;
        seen |= reads ? OTHERS_READ : OTHERS_WRITE;
        if (!is_locked_out(facts, event))
            seen |= reads ? FREE_READ : FREE_WRITE;
    }
    return seen & FREE_WRITE ? ALL : seen;
}

static uint32_t others_on(block_facts *facts, uint32_t variable)
{
    uint32_t *seen = ser_idmap_add(&facts->variables, variable, 0);
    if (!*seen)
        *seen = 1 + look_at_variable(facts, variable);
    return *seen - 1;
}

/* How many accesses of the block conflict with others, counted up to two. */
typedef struct tally {
    uint32_t accesses, conflicting, free;
} tally;

static void count_access(block_facts *facts, uint32_t event, tally *counts)
{
    const ser_event *access = &facts->run->events[event];
    if (!ser_op_is_access((ser_op)access->op))
        return;
    uint32_t others = others_on(facts, access->object);
    bool reads = access->op == SER_OP_READ;
    counts->accesses++;
    counts->conflicting += (others & (reads ? OTHERS_WRITE : OTHERS_READ | OTHERS_WRITE)) != 0;
    counts->free += (others & (reads ? FREE_WRITE : FREE_READ | FREE_WRITE)) != 0;
}

ser_static_proof ser_static_check(const ser_order *order, const ser_index *index, uint32_t block,
                                  const ser_segment *frontiers)
{
    const ser_run *run = order->run;
    uint32_t first = ser_block_first_access(run, block), last = ser_block_last_access(run, block);
    if (first == last)
        return SER_STATIC_FEW_ACCESSES;
    block_facts facts = {.run = run, .index = index, .segment = frontiers};
    facts.thread = run->blocks.items[block].thread;
    find_bounds(&facts);
    find_kept_locks(&facts, first, last);
    tally counts = {0};
    for (uint32_t eid = run->eid[first]; eid <= run->eid[last] && counts.free < 2; eid++)
        count_access(&facts, ser_run_at(run, facts.thread, eid), &counts);
    ser_vector_free(&facts.kept);
    ser_idmap_fini(&facts.variables);
    if (counts.free >= 2)
        return SER_STATIC_OPEN;
    return counts.conflicting < 2 ? SER_STATIC_NO_CONFLICTS : SER_STATIC_LOCKED;
}
