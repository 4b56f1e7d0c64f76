/* SPDX-License-Identifier: MIT */
#include "replay/follow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output/topics.h"

void ser_follower_init(ser_follower *follower, const ser_plan *plan, bool by_place)
{
    *follower = (ser_follower){.plan = plan, .by_place = by_place};
}

void ser_follower_fini(ser_follower *follower)
{
    ser_definitions_fini(&follower->definitions);
    ser_pairmap_fini(&follower->places);
    ser_vector_free(&follower->followed);
}

/* "w(count) at bank.c:12", as it was recorded. */
static void describe_expected(const ser_follower *follower, uint32_t event, char *text, size_t size)
{
    const ser_run *run = follower->plan->run;
    const ser_event *expected = &run->events[event];
    ser_op op = (ser_op)expected->op;
    const char *location = ser_symbols_shown_location(run->symbols, expected->site);
    snprintf(text, size, "%s(%s)%s%s of %s", ser_op_name(op),
             ser_symbols_shown_name(run->symbols, ser_op_space(op), expected->object),
             *location ? " at " : "", location,
             ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, expected->thread));
}

static ser_op operation_of(const ser_record *record)
{
#define SER_X(raw, operation)                                                                      \
    if (record->op == SER_RAW_##raw)                                                               \
        return SER_OP_##operation;
    SER_RAW_OPERATIONS(SER_X)
#undef SER_X
    return (ser_op)record->op;
}

static bool is_operation(uint8_t op)
{
#define SER_X(raw, operation) || op == SER_RAW_##raw
    return op < SER_OP_COUNT SER_RAW_OPERATIONS(SER_X);
#undef SER_X
}

static bool is_call(uint8_t op)
{
    return op < SER_OP_COUNT && ser_op_space((ser_op)op) == SER_SPACE_FUNCTION;
}

static bool may_be_elided(const ser_record *record)
{
    ser_op op = operation_of(record);
    return is_call(record->op) || ser_op_is_access(op) ||
           ser_op_space(op) == SER_SPACE_CONDITION || /* of a variable that is used as a lock */
           record->op == SER_RAW_STREAM ||            /* whose other end is outside */
           record->op == SER_RAW_MEETS;               /* where one thread only comes */
}

/* Empty where the place is not known: it then counts as the expected one. */
static void locate(const ser_follower *follower, const ser_record *record, char *text, size_t size)
{
    uint64_t number = record->site;
    if (!number && is_call(record->op))
        number = record->object;
    ser_defined_site site = ser_definitions_site(&follower->definitions, number);
    const char *file = ser_definitions_text(&follower->definitions, site.file);
    *text = '\0';
    if (file && *file && site.line)
        snprintf(text, size, "%s:%" PRIu32, file, site.line);
}

static const char *function_of(const ser_follower *follower, const ser_record *record)
{
    uint64_t site = is_call(record->op) ? record->object : record->site;
    uint32_t text = ser_definitions_site(&follower->definitions, site).function;
    const char *name = ser_definitions_text(&follower->definitions, text);
    return name ? name : "";
}

static const char *recorded_function(const ser_run *run, const ser_event *event)
{
    uint32_t function =
        is_call(event->op) ? event->object : ser_symbols_site_function(run->symbols, event->site);
    return ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, function);
}

/* The same line, or the same function, so that a schedule stays good when the code around it
 * moves. A place that is not known counts as the same. */
static bool compare_places(const ser_follower *follower, const ser_record *record,
                           const ser_event *expected)
{
    const ser_run *run = follower->plan->run;
    const char *location = ser_symbols_location(run->symbols, expected->site);
    const char *function = function_of(follower, record);
    char seen[4096];
    locate(follower, record, seen, sizeof seen);
    if (!*seen || !*location || strcmp(seen, location) == 0)
        return true;
    return *function && strcmp(function, recorded_function(run, expected)) == 0;
}

/* Texts are compared once only: programs have few places, and reach them often. */
static bool is_same_place(ser_follower *follower, const ser_record *record,
                          const ser_event *expected)
{
    enum { UNKNOWN = 2 };
    bool calls = is_call(record->op);
    uint64_t seen = (uint64_t)record->site << 32 | (calls ? (uint32_t)record->object : 0);
    uint64_t wanted = (uint64_t)expected->site << 32 | (calls ? expected->object : 0);
    uint32_t *known = ser_pairmap_add(&follower->places, seen, wanted, UNKNOWN);
    if (*known == UNKNOWN)
        *known = compare_places(follower, record, expected);
    return *known;
}

/* Operations on a lock that was handed over are recorded as those of a semaphore, which begin by
 * taking it (record/memory/handovers.h); accesses of a variable that is used as a lock, as those
 * of a lock (record/memory/word_locks.h). */
static bool is_same_operation(ser_op seen, ser_op expected)
{
    return seen == expected || (ser_op_takes(expected) && ser_op_space(seen) == SER_SPACE_LOCK) ||
           (ser_op_is_access(seen) && ser_op_space(expected) == SER_SPACE_LOCK);
}

/* A compare-exchange that fails is a read. Where a schedule lets it read something else than
 * recorded it may fail, or not fail, instead; its thread does nothing more in the schedule. */
static bool is_same_exchange(ser_op seen, const ser_event *expected)
{
    bool reads = ser_op_reads(seen) && ser_op_reads((ser_op)expected->op);
    return reads && !(expected->flow & SER_FLOW_MODIFIES);
}

static bool is_same(ser_follower *follower, const ser_record *record, uint32_t event, bool is_last)
{
    const ser_event *expected = &follower->plan->run->events[event];
    ser_op seen = operation_of(record);
    bool sends = record->op == SER_RAW_STREAM && ser_op_posts((ser_op)expected->op);
    return (is_same_operation(seen, (ser_op)expected->op) || sends ||
            (is_last && is_same_exchange(seen, expected))) &&
           is_same_place(follower, record, expected);
}

static const ser_plan_thread *thread_of(const ser_follower *follower, uint32_t number)
{
    return number < follower->plan->threads.count ? &follower->plan->threads.items[number] : NULL;
}

/* The event that the thread's next operation in the trace begins with; 0 if it has no more.
 * *elided: how many operations come before it. */
static uint32_t next_event(ser_follower *follower, uint32_t number, uint64_t *elided)
{
    const ser_plan_thread *thread = thread_of(follower, number);
    const ser_followed_thread *followed = ser_vector_slot(&follower->followed, number);
    if (!thread || followed->next >= thread->starts.count)
        return 0;
    uint32_t event = thread->starts.items[followed->next];
    *elided = follower->plan->numbers[event] - followed->done - 1;
    return event;
}

/* In a replay by place, the report names what the first thread that left its path did. */
static void diverge(ser_follower *follower, uint32_t thread, const char *saw)
{
    char expected[400] = "nothing more";
    uint64_t elided = 0;
    uint32_t event = next_event(follower, thread, &elided);
    ser_followed_thread *followed = &follower->followed.items[thread];
    if (!followed->astray)
        followed->left = event;
    followed->astray = true;
    if (follower->diverged)
        return;
    if (event)
        describe_expected(follower, event, expected, sizeof expected);
    follower->diverged = true;
    follower->event = event;
    snprintf(follower->reason, sizeof follower->reason, "expected %s%s, saw %s",
             elided ? "accesses or calls that were not recorded, then " : "", expected, saw);
    ser_log_info(REPLAY, "diverged after %" PRIu64 " operations: %s", follower->total,
                 follower->reason);
}

static bool is_wait(ser_op op)
{
    return ser_op_waits(op) || ser_op_notifies(op);
}

static bool is_wait_expected(ser_follower *follower, const ser_record *record)
{
    uint64_t elided = 0;
    uint32_t next = next_event(follower, record->thread, &elided);
    return next && is_wait((ser_op)follower->plan->run->events[next].op);
}

static void diverge_by(ser_follower *follower, const ser_record *record)
{
    char place[4096], saw[4400];
    ser_op op = operation_of(record);
    locate(follower, record, place, sizeof place);
    follower->waited |= !follower->diverged && (is_wait(op) || is_wait_expected(follower, record));
    snprintf(saw, sizeof saw, "%s%s%s", ser_op_name(op), *place ? " at " : "", place);
    diverge(follower, record->thread, saw);
}

/* Both runs have elided them. */
static void pass_elided(ser_follower *follower, const ser_record *record)
{
    ser_vector_slot(&follower->followed, record->thread)->done += record->value;
    follower->total += record->value;
}

static void look_at_operation(ser_follower *follower, const ser_record *record)
{
    if (is_call(record->op))
        pass_elided(follower, record);
    const ser_plan_thread *thread = thread_of(follower, record->thread);
    uint64_t elided = 0;
    uint32_t next = next_event(follower, record->thread, &elided);
    uint32_t event = elided ? 0 : next;
    ser_followed_thread *followed = &follower->followed.items[record->thread];
    bool is_planned = thread && followed->done < thread->planned && !followed->astray;
    bool is_last = thread && followed->done + 1 == thread->planned;
    if (is_planned && !(event ? is_same(follower, record, event, is_last) : may_be_elided(record)))
        diverge_by(follower, record);
    follower->last = event;
    followed->next += event != 0;
    followed->done++;
    follower->total++;
}

static const char *why_it_stands(uint64_t why)
{
    switch (why) {
    case SER_DIVERGED_NO_THREAD:
        return "that the thread was not created";
    case SER_DIVERGED_ENDED:
        return "that the thread has ended";
    case SER_DIVERGED_BLOCKED:
        return "that it waits for another thread";
    case SER_DIVERGED_ASTRAY:
        return "that it does not come where its turn ends";
    default:
        return "no step of it for too long";
    }
}

/* A thread does not go on. If it waits where its next step is one that never does, such as an
 * access, it waits for something that was not recorded. */
static void stand(ser_follower *follower, const ser_record *record)
{
    uint64_t elided = 0;
    uint32_t next = next_event(follower, record->thread, &elided);
    ser_op op = next ? (ser_op)follower->plan->run->events[next].op : SER_OP_COUNT;
    bool never_waits = next && (ser_op_is_access(op) || ser_op_calls(op) || ser_op_returns(op));
    follower->waited |= !follower->diverged && record->value == SER_DIVERGED_BLOCKED && never_waits;
    diverge(follower, record->thread, why_it_stands(record->value));
}

/* A thread that has left its path may well end, or wait, before it comes where its turn ends. */
static void lose_turn(ser_follower *follower, const ser_record *record)
{
    const ser_followed_thread *followed = ser_vector_slot(&follower->followed, record->thread);
    bool follows = record->value == SER_DIVERGED_ENDED || record->value == SER_DIVERGED_BLOCKED;
    follower->lost++;
    follower->bounds += !followed->astray || !follows;
}

static void look_at(ser_follower *follower, const ser_record *record)
{
    if (record->op == SER_RAW_REPLAYED)
        follower->replayed = true;
    else if (record->op == SER_RAW_DIVERGED && follower->by_place)
        follower->given_up = true;
    else if (record->op == SER_RAW_DIVERGED)
        stand(follower, record);
    else if (record->op == SER_RAW_TURN_LOST)
        lose_turn(follower, record);
    else if (record->op == SER_RAW_INPUT)
        follower->missing_inputs += record->size;
    else if (record->op == SER_OP_SKIP)
        pass_elided(follower, record);
    else if (is_operation(record->op) && !ser_record_continues(record))
        look_at_operation(follower, record);
}

static bool is_over(const ser_follower *follower)
{
    return follower->replayed || follower->given_up || (follower->diverged && !follower->by_place);
}

bool ser_follower_look(void *context, ser_program *program, const ser_record *records, size_t count)
{
    (void)program;
    ser_follower *follower = context;
    for (size_t i = 0; i < count && !is_over(follower); i++)
        if (!ser_definitions_take(&follower->definitions, &records[i]))
            look_at(follower, &records[i]);
    return follower->by_place || !follower->diverged;
}

bool ser_follower_is_done(const void *context)
{
    const ser_follower *follower = context;
    return follower->replayed || follower->given_up;
}
