/* SPDX-License-Identifier: MIT */
#include "predict/static/static_check.h"

#include "base/idmap.h"

/* What other threads do to a variable in the segment. */
enum { OTHERS_READ = 1, OTHERS_WRITE = 2, FREE_READ = 4, FREE_WRITE = 8, ALL = 15 };

enum { MOST_ROUNDS = 8 };

enum { ACCESSES_PER_STEP = 64 }; /* of the meter */

typedef struct block_facts {
    const ser_order *order; /* NULL: not known */
    const ser_run *run;
    const ser_lock_guards *guards; /* to look at the whole run, or: */
    const ser_index *index;        /* to look at the segment */
    const ser_segment *segment;
    ser_meter *meter;
    uint32_t thread;
    uint32_t upper, lower; /* accesses of the block: what lies between may be on a path */
    bool narrowed;         /* they are not the first and last one of the block any more */
    uint32_t first, last;  /* event numbers between which all others' events lie */
    ser_event_list kept;   /* acquires of the locks held from first access to last */
    ser_idmap variables;   /* -> 1 + OTHERS_* */
} block_facts;

static bool is_shared(const ser_run *run, uint32_t acquire)
{
    return ser_op_is_shared((ser_op)run->events[acquire].op);
}

bool ser_holds_one_against(const ser_run *run, uint32_t event, uint32_t acquire, ser_meter *meter)
{
    uint32_t lock = run->events[acquire].object, held = ser_run_held(run, event);
    for (; held && !ser_meter_over(meter); held = ser_run_next_held(run, event, held)) {
        uint32_t other = run->holds.items[held].acquire;
        if (run->events[other].object == lock &&
            !(is_shared(run, other) && is_shared(run, acquire)))
            return true;
    }
    return false;
}

static void find_kept_locks(block_facts *facts)
{
    const ser_run *run = facts->run;
    facts->kept.count = 0;
    uint32_t held = ser_run_held(run, facts->lower);
    for (; held; held = ser_run_next_held(run, facts->lower, held))
        if (run->holds.items[held].acquire < facts->upper)
            ser_vector_push(&facts->kept, run->holds.items[held].acquire);
}

static bool is_locked_out(const block_facts *facts, uint32_t event)
{
    for (size_t i = 0; i < facts->kept.count; i++)
        if (ser_holds_against(facts->run, event, facts->kept.items[i], facts->meter))
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

/* Can the event of another thread happen after `upper` and before `lower`? */
static bool is_between(const block_facts *facts, uint32_t event)
{
    if (!facts->order)
        return true;
    return !ser_order_before(facts->order, event, facts->upper) &&
           (!ser_order_before(facts->order, facts->lower, event) ||
            ser_order_only_by_couple(facts->order, facts->lower, event));
}

/* Adds what an access of another thread in the segment does. Not inlined, so that the loop around
 * it, which passes over most accesses, keeps all it needs in registers. */
static __attribute__((noinline)) uint32_t see_access(const block_facts *facts, uint32_t event,
                                                     uint32_t seen)
{
    bool writes = ser_op_writes((ser_op)facts->run->events[event].op);
    if (facts->narrowed && !is_between(facts, event))
        return seen;
    seen |= writes ? OTHERS_WRITE : OTHERS_READ;
    if (!(seen & (writes ? FREE_WRITE : FREE_READ)) && !is_locked_out(facts, event))
        seen |= writes ? FREE_WRITE : FREE_READ;
    return seen;
}

/* Adds what these accesses of a variable do, until one is a free write. */
static inline uint32_t look_at_accesses(const block_facts *facts, const uint32_t *accesses,
                                        size_t count, uint32_t seen)
{
    const ser_event *events = facts->run->events;
    const uint32_t *eid = facts->run->eid;
    const uint32_t *from = facts->segment->from, *to = facts->segment->to;
    uint32_t own = facts->thread;
    for (size_t i = 0; i < count && !(seen & FREE_WRITE); i++) {
        uint32_t event = accesses[i], thread = events[event].thread, at = eid[event];
        if (thread != own && from[thread] <= at && at < to[thread])
            seen = see_access(facts, event, seen);
    }
    return seen;
}

/* Not inlined, as the other way to look at a variable is the frequent one. */
static __attribute__((noinline)) uint32_t look_at_variable(const block_facts *facts,
                                                           uint32_t variable)
{
    uint32_t seen = 0;
    ser_event_span span =
        ser_index_between(&facts->index->accesses, variable, facts->first - 1, facts->last + 1);
    for (size_t i = 0; i < span.count && !(seen & FREE_WRITE) && !ser_meter_over(facts->meter);
         i += ACCESSES_PER_STEP) {
        size_t left = span.count - i;
        seen = look_at_accesses(facts, span.items + i,
                                left < ACCESSES_PER_STEP ? left : ACCESSES_PER_STEP, seen);
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

/* --- facts about the whole run -------------------------------------------------- */

static bool are_others(const block_facts *facts, uint32_t users)
{
    return users != SER_GUARD_NOBODY && users != facts->thread;
}

/* What others do to the variable anywhere in the run, as if they all were free. */
static uint32_t others_in_run(const block_facts *facts, const ser_guard *guard)
{
    return (are_others(facts, guard->readers) ? OTHERS_READ | FREE_READ : 0) |
           (are_others(facts, guard->writers) ? OTHERS_WRITE | FREE_WRITE : 0);
}

/* The acquire by which the block holds the guard all the time, the writer's side if it
 * has both; 0: it does not. */
static uint32_t find_guard(const block_facts *facts, const ser_guard *guard)
{
    uint32_t found = 0;
    for (size_t i = 0; i < facts->kept.count; i++) {
        uint32_t acquire = facts->kept.items[i];
        if (facts->run->events[acquire].object == guard->lock &&
            (!found || !is_shared(facts->run, acquire)))
            found = acquire;
    }
    return found;
}

/* What others can do although the block holds the guard. */
static uint32_t free_of_guard(const block_facts *facts, const ser_guard *guard, uint32_t acquire)
{
    uint32_t seen = 0;
    if (is_shared(facts->run, acquire))
        seen = (guard->shared_reads ? FREE_READ : 0) | (guard->shared_writes ? FREE_WRITE : 0);
    for (uint32_t at = guard->exceptions; at; at = facts->guards->exceptions.items[at].next) {
        uint32_t event = facts->guards->exceptions.items[at].event;
        if (facts->run->events[event].thread != facts->thread && is_between(facts, event) &&
            !is_locked_out(facts, event))
            seen |= ser_op_writes((ser_op)facts->run->events[event].op) ? FREE_WRITE : FREE_READ;
    }
    return seen;
}

/* At least what look_at_variable would see. */
static uint32_t guess_others_on(const block_facts *facts, uint32_t variable)
{
    if (variable >= facts->guards->variables.count)
        return 0;
    const ser_guard *guard = &facts->guards->variables.items[variable];
    uint32_t others = others_in_run(facts, guard);
    uint32_t acquire = others && guard->lock != SER_NO_OBJECT ? find_guard(facts, guard) : 0;
    if (!acquire)
        return others;
    return (others & (OTHERS_READ | OTHERS_WRITE)) |
           (others & free_of_guard(facts, guard, acquire));
}

/* --- the checks --------------------------------------------------------------------- */

/* Does an event of the block conflict with one of those kinds? */
static bool meets(block_facts *facts, uint32_t event, uint32_t reading, uint32_t writing)
{
    const ser_event *access = &facts->run->events[event];
    if (!ser_op_is_access((ser_op)access->op))
        return false;
    uint32_t others =
        facts->guards ? guess_others_on(facts, access->object) : others_on(facts, access->object);
    return others & (ser_op_writes((ser_op)access->op) ? reading | writing : writing);
}

static bool meets_free(block_facts *facts, uint32_t event)
{
    return meets(facts, event, FREE_READ, FREE_WRITE);
}

/* Drops accesses at both ends that meet no free one. */
static void narrow(block_facts *facts)
{
    const ser_run *run = facts->run;
    uint32_t low = run->eid[facts->upper], high = run->eid[facts->lower];
    while (low < high && !meets_free(facts, ser_run_at(run, facts->thread, low)) &&
           !ser_meter_over(facts->meter))
        low++;
    while (low < high && !meets_free(facts, ser_run_at(run, facts->thread, high)) &&
           !ser_meter_over(facts->meter))
        high--;
    facts->upper = ser_run_at(run, facts->thread, low);
    facts->lower = ser_run_at(run, facts->thread, high);
}

/* A path leaves and returns at accesses that meet free ones. So it lies between the
 * first and the last of them, where more locks may be held; then fewer may be free. */
static bool is_locked(block_facts *facts)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        uint32_t upper = facts->upper, lower = facts->lower;
        ser_idmap_fini(&facts->variables);
        find_kept_locks(facts);
        narrow(facts);
        if (facts->upper == facts->lower)
            return true;
        if (facts->upper == upper && facts->lower == lower)
            return false;
        facts->narrowed = true;
    }
    return false;
}

/* Are there no two accesses that conflict with others', whatever the locks? */
static bool is_without_conflicts(block_facts *facts, uint32_t first, uint32_t last)
{
    const ser_run *run = facts->run;
    uint32_t conflicting = 0;
    facts->upper = first;
    facts->lower = last;
    facts->narrowed = false;
    ser_idmap_fini(&facts->variables);
    for (uint32_t eid = run->eid[first]; eid <= run->eid[last] && conflicting < 2; eid++)
        conflicting += meets(facts, ser_run_at(run, facts->thread, eid), OTHERS_READ, OTHERS_WRITE);
    return conflicting < 2;
}

static ser_static_proof check(uint32_t block, block_facts *facts)
{
    facts->thread = facts->run->blocks.items[block].thread;
    uint32_t first = ser_block_first_access(facts->run, block);
    uint32_t last = ser_block_last_access(facts->run, block);
    if (first == last)
        return SER_STATIC_FEW_ACCESSES;
    facts->upper = first;
    facts->lower = last;
    if (facts->segment)
        find_bounds(facts);
    ser_static_proof proof = SER_STATIC_OPEN;
    if (is_locked(facts))
        proof =
            is_without_conflicts(facts, first, last) ? SER_STATIC_NO_CONFLICTS : SER_STATIC_LOCKED;
    ser_vector_free(&facts->kept);
    ser_idmap_fini(&facts->variables);
    return proof;
}

ser_static_proof ser_static_check_run(const ser_run *run, const ser_order *order,
                                      const ser_lock_guards *guards, uint32_t block,
                                      ser_meter *meter)
{
    block_facts facts = {.run = run, .order = order, .guards = guards, .meter = meter};
    return check(block, &facts);
}

ser_static_proof ser_static_check(const ser_order *order, const ser_index *index, uint32_t block,
                                  const ser_segment *frontiers, ser_meter *meter)
{
    block_facts facts = {
        .run = order->run, .order = order, .index = index, .segment = frontiers, .meter = meter};
    return check(block, &facts);
}
