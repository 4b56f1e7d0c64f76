/* SPDX-License-Identifier: MIT */
/*
 * Known cases first; then flaws of the tests' own engine, one at a time, and a checker
 * that is shown altered events, so that it lacks one of its rules.
 */
#include "self_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "draw.h"
#include "known_cases.h"
#include "sample.h"
#include "task_search.h"

enum { MOST_TRACES = 20000 };

static bool answer_is_right(const known_case *known, const sample *s, int criterion)
{
    bool expected = criterion ? known->serializability : known->path;
    bool violated = s->blocks[0].answer[criterion] == AVP_VIOLATION;
    if (violated == expected)
        return true;
    printf("%s: %s by %s\n", known->what, violated ? "violation" : "none",
           criterion_names[criterion]);
    return false;
}

static bool case_is_right(const known_case *known)
{
    event_list raw = {0};
    sample s;
    difference found;
    known_case_events(known, &raw);
    bool good = sample_init(&s, &raw, "markers", 0, false) == SAMPLE_READY;
    ser_vector_free(&raw);
    if (!good) {
        printf("%s: not a trace\n", known->what);
        return false;
    }
    for (int criterion = 0; criterion < CRITERIA; criterion++)
        good &= answer_is_right(known, &s, criterion);
    if (trial_witnesses.fails(&trial_witnesses, &s, &found)) {
        printf("%s: %s\n", known->what, found.text);
        good = false;
    }
    sample_fini(&s);
    return good;
}

static bool fails_on(const trial *t, uint64_t seed)
{
    draw_limits limits = {
        {2, 5, 8, 16, PROFILE_ALL, false}, .any_profile = true, .any_length = true};
    event_list raw = {0};
    sample s;
    difference found;
    const char *atomic = draw_trace(&raw, &limits, seed);
    bool fails = false;
    if (sample_init(&s, &raw, atomic, seed, false) == SAMPLE_READY) {
        fails = t->fails(t, &s, &found);
        sample_fini(&s);
    }
    ser_vector_free(&raw);
    return fails;
}

static bool is_caught(const trial *t, const char *flaw)
{
    uint64_t seed = 1;
    while (seed <= MOST_TRACES && !fails_on(t, seed))
        seed++;
    if (seed <= MOST_TRACES)
        printf("%s: %s: caught at seed %" PRIu64 "\n", t->name, flaw, seed);
    else
        printf("%s: %s: NOT CAUGHT\n", t->name, flaw);
    return seed <= MOST_TRACES;
}

static bool engine_flaws_are_caught(void)
{
    bool good = true;
    for (int flaw = FLAW_NONE + 1; flaw < FLAW_COUNT; flaw++) {
        task_search_flaw = (task_flaw)flaw;
        good &= is_caught(&trial_tasks, task_flaw_names[flaw]);
    }
    task_search_flaw = FLAW_NONE;
    return good;
}

static void forget_inner(ser_event *event)
{
    if (ser_op_space((ser_op)event->op) == SER_SPACE_LOCK)
        event->flags &= (uint8_t)~SER_EVENT_INNER;
}

static void make_exclusive(ser_event *event)
{
    if (event->op == SER_OP_SHARED_ACQUIRE)
        event->op = SER_OP_ACQUIRE;
    else if (event->op == SER_OP_SHARED_RELEASE)
        event->op = SER_OP_RELEASE;
}

static void make_shared(ser_event *event)
{
    if (event->op == SER_OP_ACQUIRE)
        event->op = SER_OP_SHARED_ACQUIRE;
    else if (event->op == SER_OP_RELEASE)
        event->op = SER_OP_SHARED_RELEASE;
}

/* An operation that has no rule is a plain step. */
#define MAKE_PLAIN(name, lost)                                                                     \
    static void name(ser_event *event)                                                             \
    {                                                                                              \
        if (event->op == (lost))                                                                   \
            event->op = SER_OP_CALL;                                                               \
    }

MAKE_PLAIN(forget_tries, SER_OP_TRY_FAILED)
MAKE_PLAIN(forget_forks, SER_OP_FORK)
MAKE_PLAIN(forget_joins, SER_OP_JOIN)
MAKE_PLAIN(forget_waits, SER_OP_WAIT)
MAKE_PLAIN(forget_notifies, SER_OP_NOTIFY)
MAKE_PLAIN(forget_arrivals, SER_OP_ARRIVE)
MAKE_PLAIN(forget_takes, SER_OP_TAKE)

static void notify_one(ser_event *event)
{
    if (event->op == SER_OP_NOTIFY_ALL)
        event->op = SER_OP_NOTIFY;
}

static void write_only(ser_event *event)
{
    if (event->op == SER_OP_RMW)
        event->op = SER_OP_WRITE;
}

static void keep_memory(ser_event *event)
{
    if (event->op == SER_OP_FREE)
        event->op = SER_OP_WRITE;
}

static void leave_blocks_open(ser_event *event)
{
    event->flags &= (uint8_t)~SER_EVENT_CLOSES;
}

static void part_steps(ser_event *event)
{
    event->flags &= (uint8_t)~SER_EVENT_JOINED;
}

static void forget_late(ser_event *event)
{
    event->flags &= (uint8_t)~SER_EVENT_LATE;
}

static const struct {
    const char *flaw;
    event_alteration alter;
} alterations[] = {
    {"inner acquires and releases count", forget_inner},
    {"readers keep readers out", make_exclusive},
    {"nobody is kept out", make_shared},
    {"failed tries are forgotten", forget_tries},
    {"forks are forgotten", forget_forks},
    {"joins are forgotten", forget_joins},
    {"waits are forgotten", forget_waits},
    {"notifies are forgotten", forget_notifies},
    {"arrivals are forgotten", forget_arrivals},
    {"takes are forgotten", forget_takes},
    {"notifyall wakes one", notify_one},
    {"rmw does not read", write_only},
    {"a free is a write", keep_memory},
    {"blocks do not end", leave_blocks_open},
    {"steps come apart", part_steps},
    {"late events come early", forget_late},
};

static bool checker_flaws_are_caught(void)
{
    bool good = true;
    for (size_t i = 0; i < sizeof alterations / sizeof *alterations; i++) {
        trial altered = trial_orders;
        altered.subject = &alterations[i].alter;
        good &= is_caught(&altered, alterations[i].flaw);
    }
    return good;
}

bool self_test(void)
{
    bool good = true;
    for (size_t i = 0; i < known_case_count; i++)
        good &= case_is_right(&known_cases[i]);
    good &= engine_flaws_are_caught();
    good &= checker_flaws_are_caught();
    return good;
}
