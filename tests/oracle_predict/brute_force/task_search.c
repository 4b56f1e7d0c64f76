/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search over the states of a task. As in avp_search.c, a state says how
 * far each thread is, what variables hold, and which groups of accesses reach which.
 */
#include "task_search.h"

#include <string.h>

#include "base/status.h"
#include "state_set.h"

enum { MOST_THREADS = 8, MOST_VARIABLES = 16, MOST_STEPS = 64, MOST_GROUPS = 32 };

task_flaw task_search_flaw;

const char *const task_flaw_names[FLAW_COUNT] = {
    [FLAW_NONE] = "none",
    [FLAW_NO_LOCKS] = "locks keep nobody out",
    [FLAW_SHARED_IS_EXCLUSIVE] = "readers keep readers out",
    [FLAW_STOPPED_RELEASES] = "a thread that stops gives up its locks",
    [FLAW_NO_NEEDS] = "nothing has to happen before",
    [FLAW_BROKEN_IS_ENOUGH] = "a thread that stopped at its end is joined",
    [FLAW_NO_CLEAR] = "any wait may be pending at a notify",
    [FLAW_BROKEN_GOES_ON] = "a broken read does not stop its thread",
    [FLAW_BROKEN_NEVER_HAPPENS] = "broken reads do not happen",
    [FLAW_BROKEN_RMW_WRITES] = "a broken rmw writes",
    [FLAW_READS_CONFLICT] = "reads conflict",
    [FLAW_NO_PROGRAM_ORDER] = "paths follow conflicts only",
    [FLAW_NO_TRANSACTIONS] = "other blocks are not contracted",
    [FLAW_NO_MOVES] = "moves come apart",
    [FLAW_FREED_GOES_ON] = "an access of a freed variable does not stop its thread",
    [FLAW_NO_WAY_BACK] = "paths do not go back within a move",
};

static bool has_flaw(task_flaw flaw)
{
    return task_search_flaw == flaw;
}

typedef struct position {
    uint8_t at[MOST_THREADS]; /* steps taken */
    bool stopped[MOST_THREADS];
    uint8_t limit[MOST_THREADS];        /* 1 + step that does not happen; 0: none */
    bool changed[MOST_THREADS];         /* it has a broken read */
    bool failed[MOST_THREADS];          /* the rmws of its last move did not write */
    uint8_t last_write[MOST_VARIABLES]; /* 1 + step; 0: what it held at the start */
    bool dirty[MOST_VARIABLES];
    bool spoiled; /* there was a broken move */
    uint32_t reach[MOST_GROUPS];
} position;

typedef struct search {
    const ser_task *task;
    bool serializability;
    uint8_t group[MOST_STEPS]; /* the block is group 0 */
    size_t groups;
    state_set seen;
    ser_answer *answer;
} search;

static const ser_task_step *step_at(const search *s, uint32_t step)
{
    return &s->task->steps.items[step];
}

static uint32_t move_of(const search *s, uint32_t step)
{
    return has_flaw(FLAW_NO_MOVES) ? step : ser_task_move_first(s->task, step);
}

static uint32_t move_end(const search *s, uint32_t step)
{
    return has_flaw(FLAW_NO_MOVES) ? step + 1 : ser_task_move_end(s->task, step);
}

static uint32_t place_of(const search *s, uint32_t step)
{
    return step - s->task->threads.items[step_at(s, step)->thread].first;
}

static bool has_happened(const search *s, const position *p, uint32_t step)
{
    return place_of(s, step) < p->at[step_at(s, step)->thread];
}

/* It happened, and its thread has taken no step since. */
static bool is_last(const search *s, const position *p, uint32_t step)
{
    return place_of(s, step) + 1 == p->at[step_at(s, step)->thread];
}

/* Is it of the move at which its thread stopped? */
static bool is_broken(const search *s, const position *p, uint32_t step)
{
    uint32_t thread = step_at(s, step)->thread;
    if (!p->stopped[thread])
        return false;
    uint32_t last = s->task->threads.items[thread].first + p->at[thread] - 1;
    return move_of(s, step) == move_of(s, last);
}

static bool held_at_start(const search *s, uint32_t thread, uint32_t lock, bool shared)
{
    const ser_task_lock *state = &s->task->locks.items[lock];
    if (!shared)
        return state->holder == thread;
    for (size_t i = 0; i < state->sharers.count; i++)
        if (state->sharers.items[i] == thread)
            return true;
    return false;
}

/* The step by which the thread holds the lock in that mode, SER_TASK_START if it does
 * so since the start, SER_TASK_NONE if it does not. */
static uint32_t held_by(const search *s, const position *p, uint32_t thread, uint32_t lock,
                        bool shared)
{
    uint8_t acquire = shared ? SER_LOCK_ACQUIRE_SHARED : SER_LOCK_ACQUIRE;
    uint8_t release = shared ? SER_LOCK_RELEASE_SHARED : SER_LOCK_RELEASE;
    if (p->stopped[thread] && has_flaw(FLAW_STOPPED_RELEASES))
        return SER_TASK_NONE;
    for (uint32_t place = p->at[thread]; place-- > 0;) {
        uint32_t step = s->task->threads.items[thread].first + place;
        if (step_at(s, step)->action == acquire && step_at(s, step)->lock == lock)
            return step;
        if (step_at(s, step)->action == release && step_at(s, step)->lock == lock)
            return SER_TASK_NONE;
    }
    return held_at_start(s, thread, lock, shared) ? SER_TASK_START : SER_TASK_NONE;
}

static bool lock_is_free(const search *s, const position *p, const ser_task_step *step)
{
    bool exclusive = step->action == SER_LOCK_ACQUIRE;
    if ((!exclusive && step->action != SER_LOCK_ACQUIRE_SHARED) || has_flaw(FLAW_NO_LOCKS))
        return true;
    exclusive = exclusive || has_flaw(FLAW_SHARED_IS_EXCLUSIVE);
    for (uint32_t thread = 0; thread < s->task->threads.count; thread++) {
        if (thread == step->thread)
            continue;
        if (held_by(s, p, thread, step->lock, false) != SER_TASK_NONE)
            return false;
        if (exclusive && held_by(s, p, thread, step->lock, true) != SER_TASK_NONE)
            return false;
    }
    return true;
}

/* A source at the start is a lock's exclusive holder there. */
static bool test_holds(const search *s, const position *p, const ser_task_step *step)
{
    for (uint32_t thread = 0; thread < s->task->threads.count; thread++)
        if (held_by(s, p, thread, step->lock, false) == step->source ||
            (step->source != SER_TASK_START &&
             held_by(s, p, thread, step->lock, true) == step->source))
            return true;
    return false;
}

static bool is_accepted(const search *s, const ser_task_step *read, uint32_t write)
{
    bool accepted = read->source == write;
    for (uint32_t i = 0; i < read->accepts.count; i++)
        accepted = accepted || s->task->lists.items[read->accepts.first + i] == write;
    return accepted;
}

static bool breaks(const search *s, const position *p, uint32_t number)
{
    const ser_task_step *step = step_at(s, number);
    if (step->action == SER_LOCK_TEST)
        return !test_holds(s, p, step);
    if (step->access != SER_ACCESS_READ && step->access != SER_ACCESS_RMW)
        return false;
    if (step->source < s->task->steps.count && move_of(s, step->source) == move_of(s, number))
        return false;
    uint32_t last = p->last_write[step->variable];
    return p->dirty[step->variable] || !is_accepted(s, step, last ? last - 1 : SER_TASK_START);
}

static bool move_breaks(const search *s, const position *p, uint32_t first)
{
    for (uint32_t i = first; i < move_end(s, first); i++)
        if (breaks(s, p, i))
            return true;
    return false;
}

static bool is_done(const search *s, const position *p, uint32_t need)
{
    if (has_flaw(FLAW_NO_NEEDS))
        return true;
    return has_happened(s, p, need) && (!is_broken(s, p, need) || has_flaw(FLAW_BROKEN_IS_ENOUGH));
}

static bool is_below_limit(const position *p, uint32_t thread, uint32_t step)
{
    return !p->limit[thread] || step + 1 < p->limit[thread];
}

static bool may_happen(const search *s, const position *p, uint32_t number)
{
    const ser_task_step *step = step_at(s, number);
    if (step->unspoiled && p->spoiled)
        return false;
    if (step->ends != SER_TASK_NONE && !has_flaw(FLAW_BROKEN_IS_ENOUGH) &&
        !is_below_limit(p, step_at(s, step->ends)->thread, step->ends + 1))
        return false;
    for (uint32_t i = 0; i < step->needs.count; i++)
        if (!is_done(s, p, s->task->lists.items[step->needs.first + i]))
            return false;
    for (uint32_t i = 0; i < step->clear.count && !has_flaw(FLAW_NO_CLEAR); i++)
        if (is_last(s, p, s->task->lists.items[step->clear.first + i]))
            return false;
    if (has_flaw(FLAW_BROKEN_NEVER_HAPPENS) && move_breaks(s, p, number))
        return false;
    return lock_is_free(s, p, step);
}

static bool wrote(const search *s, const position *p, uint32_t step)
{
    uint8_t access = step_at(s, step)->access;
    uint32_t thread = step_at(s, step)->thread;
    uint32_t last = s->task->threads.items[thread].first + p->at[thread] - 1;
    bool failed = p->failed[thread] && move_of(s, step) == move_of(s, last) &&
                  !has_flaw(FLAW_BROKEN_RMW_WRITES);
    return access == SER_ACCESS_WRITE || (access == SER_ACCESS_RMW && !failed);
}

static bool leads_to(const search *s, const position *p, uint32_t from, uint32_t to)
{
    const ser_task_step *a = step_at(s, from), *b = step_at(s, to);
    if (a->thread == b->thread)
        return !has_flaw(FLAW_NO_PROGRAM_ORDER);
    return a->variable == b->variable &&
           (wrote(s, p, from) || wrote(s, p, to) || has_flaw(FLAW_READS_CONFLICT));
}

static void add_edges(const search *s, position *p, uint32_t to)
{
    uint32_t into = s->group[to];
    for (uint32_t from = 0; from < s->task->steps.count; from++) {
        if (!step_at(s, from)->access || from == to || s->group[from] == into ||
            !has_happened(s, p, from) || !leads_to(s, p, from, to))
            continue;
        uint32_t gained = p->reach[into] | UINT32_C(1) << into;
        for (size_t group = 0; group < (s->serializability ? s->groups : 1); group++)
            if (group == s->group[from] || (p->reach[group] & UINT32_C(1) << s->group[from]))
                p->reach[group] |= gained;
    }
}

static bool is_freed(const search *s, const position *p, uint32_t step)
{
    ser_step_list frees = ser_task_frees_of(s->task, step);
    for (uint32_t i = 0; i < frees.count && !has_flaw(FLAW_FREED_GOES_ON); i++)
        if (has_happened(s, p, s->task->lists.items[frees.first + i]))
            return true;
    return false;
}

static bool move_uses_freed(const search *s, const position *p, uint32_t first)
{
    for (uint32_t i = first; i < move_end(s, first); i++)
        if (step_at(s, i)->access && is_freed(s, p, i))
            return true;
    return false;
}

/* Of most moves there is one step. */
static void take_move(search *s, position *p, uint32_t first)
{
    uint32_t thread = step_at(s, first)->thread, end = move_end(s, first);
    bool broken = move_breaks(s, p, first), is_end = move_uses_freed(s, p, first);
    p->at[thread] += (uint8_t)(end - first);
    bool was_changed = p->changed[thread];
    p->failed[thread] = broken && !step_at(s, first)->writes_anyway;
    p->changed[thread] |= broken;
    p->spoiled |= broken;
    for (uint32_t i = first; i < end && broken && !has_flaw(FLAW_BROKEN_GOES_ON); i++) {
        uint32_t limit = step_at(s, i)->limit;
        if (limit != SER_TASK_NONE && (!p->limit[thread] || limit + 1 < p->limit[thread]))
            p->limit[thread] = (uint8_t)(limit + 1);
    }
    p->stopped[thread] = broken && p->limit[thread] && p->limit[thread] <= end + 1;
    if (is_end) {
        p->limit[thread] = (uint8_t)(end + 1);
        p->stopped[thread] = true;
    }
    for (uint32_t i = first; i < end; i++) {
        const ser_task_step *step = step_at(s, i);
        if (step->access && wrote(s, p, i)) {
            p->last_write[step->variable] = (uint8_t)(i + 1);
            p->dirty[step->variable] =
                s->task->may_change && (step->writes_known ? was_changed : p->changed[thread]);
        }
        if (step->access)
            add_edges(s, p, i);
        ser_vector_push(&s->answer->order, i);
    }
}

static bool explore(search *s, const position *p)
{
    if (p->reach[0] & 1)
        return true;
    if (!state_set_add(&s->seen, (const uint8_t *)p, sizeof *p))
        return false;
    for (uint32_t thread = 0; thread < s->task->threads.count; thread++) {
        const ser_task_thread *steps = &s->task->threads.items[thread];
        uint32_t next = steps->first + p->at[thread];
        if (!is_below_limit(p, thread, next) || p->at[thread] == steps->count ||
            !may_happen(s, p, next))
            continue;
        position after = *p;
        size_t count = s->answer->order.count;
        take_move(s, &after, next);
        if (explore(s, &after))
            return true;
        s->answer->order.count = count;
    }
    return false;
}

static void form_groups(search *s)
{
    s->groups = 1;
    for (uint32_t step = 0; step < s->task->steps.count; step++) {
        if (step_at(s, step)->in_block || !step_at(s, step)->access)
            continue;
        uint32_t like = s->serializability && !has_flaw(FLAW_NO_TRANSACTIONS) ? 0 : step;
        while (step_at(s, like)->transaction != step_at(s, step)->transaction ||
               !step_at(s, like)->access)
            like++;
        if (!s->serializability && !has_flaw(FLAW_NO_WAY_BACK) && move_of(s, step) < step)
            like = step - 1; /* both ways within a move */
        s->group[step] = like < step ? s->group[like] : (uint8_t)s->groups++;
    }
}

static void run_task(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    search s = {.task = task, .answer = answer};
    s.serializability = options->criterion == SER_CRITERION_SERIALIZABILITY;
    ser_check(task->steps.count <= MOST_STEPS && task->threads.count <= MOST_THREADS &&
              task->variables <= MOST_VARIABLES);
    form_groups(&s);
    ser_check(s.groups <= MOST_GROUPS);
    state_set_init(&s.seen);
    position start;
    memset(&start, 0, sizeof start);
    *answer = (ser_answer){0};
    answer->outcome = explore(&s, &start) ? SER_VIOLATED : SER_NO_VIOLATION;
    answer->explored = s.seen.count;
    state_set_fini(&s.seen);
}

const ser_search_engine task_search_engine = {"tasks", run_task};
