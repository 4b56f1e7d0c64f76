/* SPDX-License-Identifier: MIT */
/*
 * One walk over the events from the last to the first (visit). Each thread keeps for the place
 * where the walk is what comes next behind it: the limits of a read there.
 */
#include "predict/model/data_limits.h"

#include "predict/model/outside_calls.h"

/* All are events, first ones of a step, or SER_LIMIT_END, SER_LIMIT_NONE. */
typedef struct limits_behind {
    uint32_t step;    /* the next step */
    uint32_t write;   /* the next one that writes */
    uint32_t elided;  /* the next before which operations were elided */
    uint32_t meeting; /* the next that orders elided accesses of another thread after it */
    uint32_t outside; /* the next before which code that is not instrumented may have run */
    uint32_t outside_behind_write; /* the same, but behind `write` */
    ser_outside_order others;
    bool knows_others;
} limits_behind;

/* A variable that one thread uses, and that gets nothing but fixed values, has the recorded one
 * at each read, whatever the thread has read before: no limit follows, although it counts as dirty.
 */
typedef struct own_variable {
    uint32_t user; /* 1 + thread; 0: none */
    bool varies;   /* another one uses it, or it gets other values */
} own_variable;

typedef struct setter {
    ser_reads *reads;  /* NULL: only listed */
    uint32_t *as_data; /* by event: limits of all reads, and updates; NULL: not listed */
    const ser_run *run;
    const bool *torn;
    ser_outside_calls calls;
    SER_VECTOR(limits_behind) threads;
    SER_VECTOR(own_variable) variables;
    bool elides; /* operations were elided somewhere */
} setter;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool elides(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_event_elided(&run->events[i]) > 0)
            return true;
    return false;
}

static void find_own_variables(setter *set)
{
    for (uint32_t i = 1; i <= set->run->count; i++) {
        const ser_event *event = &set->run->events[i];
        ser_op op = (ser_op)event->op;
        if (!ser_op_is_access(op))
            continue;
        own_variable *variable = ser_vector_slot(&set->variables, event->object);
        bool varies =
            ser_op_writes(op) && (!ser_op_only_writes(op) || !(event->flow & SER_FLOW_FIXED));
        variable->varies |= varies || (variable->user && variable->user != event->thread + 1u);
        variable->user = event->thread + 1u;
    }
}

static ser_outside_order others_of(setter *set, uint32_t thread)
{
    limits_behind *behind = &set->threads.items[thread];
    if (!behind->knows_others)
        behind->others = ser_outside_order_of(&set->calls, thread);
    behind->knows_others = true;
    return behind->others;
}

/* Of a step that writes itself if `writes`. */
static uint32_t limit_of(setter *set, uint32_t thread, bool writes)
{
    const limits_behind *behind = &set->threads.items[thread];
    uint32_t limit = least(behind->elided, writes ? behind->outside : behind->outside_behind_write);
    if (set->elides)
        limit = least(least(limit, behind->meeting), SER_LIMIT_END);
    ser_outside_order others = others_of(set, thread);
    if (others == SER_OUTSIDE_DURING)
        limit = writes ? SER_LIMIT_NEXT : least(limit, behind->write);
    return others == SER_OUTSIDE_BEFORE ? limit : least(limit, SER_LIMIT_END);
}

static bool have_all(const ser_run *run, uint32_t first, uint32_t last, uint16_t flow)
{
    for (uint32_t i = first; i <= last; i++)
        if (!(run->events[i].flow & flow))
            return false;
    return true;
}

/* All events of a step are the same operation, and get the same rule if it updates. */
static void set_rules(setter *set, uint32_t first, uint32_t last)
{
    const ser_run *run = set->run;
    ser_op op = (ser_op)run->events[first].op;
    uint32_t thread = run->events[first].thread;
    bool updates = ser_op_writes(op);
    if (!ser_op_reads(op) || (updates && !have_all(run, first, last, SER_FLOW_MODIFIES)))
        return;
    for (uint32_t i = first; i <= last && set->as_data; i++)
        set->as_data[i] = limit_of(set, thread, updates);
    if (!set->reads)
        return;
    bool write_is_safe = !updates || others_of(set, thread) != SER_OUTSIDE_DURING;
    for (uint32_t i = first; i <= last; i++) {
        if (updates)
            set->reads->writes_anyway.items[i] = write_is_safe;
        if (run->events[i].flow & SER_FLOW_DATA && !set->torn[i])
            set->reads->rules.items[i].limit = limit_of(set, thread, updates);
        if (!set->variables.items[run->events[i].object].varies && !set->torn[i])
            set->reads->rules.items[i].limit = SER_LIMIT_NONE;
    }
}

/* A step that may order elided accesses of another thread after what this one did. */
static bool meets(ser_op op)
{
    return ser_op_forks(op) || ser_op_has_in(op, SER_SIGNALS, SER_SPACE_BARRIER);
}

static void visit_step(setter *set, uint32_t first, uint32_t last)
{
    const ser_event *event = &set->run->events[first];
    limits_behind *behind = &set->threads.items[event->thread];
    if (ser_outside_is_away(&set->calls, last))
        behind->outside = behind->step;
    set_rules(set, first, last);
    behind = &set->threads.items[event->thread];
    if (ser_op_writes((ser_op)event->op)) {
        behind->write = first;
        behind->outside_behind_write = behind->outside;
    }
    if (meets((ser_op)event->op))
        behind->meeting = first;
    behind->step = first;
    if (ser_event_elided(event) > 0)
        behind->elided = first;
}

static void visit_skip(setter *set, const ser_event *event)
{
    limits_behind *behind = &set->threads.items[event->thread];
    if (ser_event_elided(event) > 0)
        behind->elided = behind->step;
    if (event->flow & (SER_FLOW_RAN | SER_FLOW_LEAVES | SER_FLOW_RETURNS))
        behind->outside = behind->step;
}

/* Nothing is behind the end of a thread, which is a step. */
static void prepare_threads(setter *set)
{
    size_t count = set->run->threads.count;
    for (uint32_t i = 1; i <= set->run->count; i++) /* threads of which only skips are left */
        if (set->run->events[i].thread >= count)
            count = set->run->events[i].thread + 1u;
    ser_vector_extend(&set->threads, count);
    for (size_t i = 0; i < count; i++)
        set->threads.items[i] = (limits_behind){.step = SER_LIMIT_END,
                                                .write = SER_LIMIT_NONE,
                                                .elided = SER_LIMIT_NONE,
                                                .meeting = SER_LIMIT_NONE,
                                                .outside = SER_LIMIT_NONE,
                                                .outside_behind_write = SER_LIMIT_NONE};
}

static void walk(setter *set)
{
    const ser_run *run = set->run;
    set->elides = elides(run);
    ser_outside_calls_init(&set->calls, run);
    prepare_threads(set);
    find_own_variables(set);
    for (uint32_t last = run->count, first; last > 0; last = first - 1) {
        first = last;
        while (first > 1 && ser_run_is_joined(run, first - 1))
            first--;
        if (ser_op_takes_part((ser_op)run->events[last].op))
            visit_step(set, first, last);
        else
            visit_skip(set, &run->events[last]);
    }
    ser_vector_free(&set->threads);
    ser_vector_free(&set->variables);
    ser_outside_calls_fini(&set->calls);
}

void ser_data_limits_set(ser_reads *reads, const ser_run *run, const bool *torn)
{
    setter set = {.reads = reads, .run = run, .torn = torn};
    walk(&set);
}

void ser_data_limits_list(uint32_t *limits, const ser_run *run, const bool *torn)
{
    setter set = {.as_data = limits, .run = run, .torn = torn};
    walk(&set);
}
