/* SPDX-License-Identifier: MIT */
/*
 * While the path that violates the block is one of accesses that are ignored, all such accesses of
 * its variable become accesses of variables of their own, and the checker looks again.
 */
#include "session/run/judge/waits/attempts.h"

#include <string.h>

#include "session/run/judge/library.h"
#include "session/run/judge/waits/awaited.h"
#include "session/run/judge/waits/polling.h"
#include "session/run/judge/waits/protocols.h"
#include "session/run/judge/waits/versions.h"
#include "session/run/survey/references.h"

/* --- accesses that are ignored ------------------------------------------------ */

/* By variable: counts of references, and what std::atomic's wait and notify keep about who waits.
 */
static bool *find_counts(const ser_run *run)
{
    bool *counts = ser_references_find(run);
    for (uint32_t i = 0; i < ser_symbols_count(run->symbols, SER_SPACE_VARIABLE); i++)
        if (ser_counts_waiters(ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, i)))
            counts[i] = true;
    return counts;
}

/* Does the thread do nothing before it accesses the variable again? */
static bool looks_again(const ser_run *run, uint32_t access)
{
    uint32_t next = ser_run_next(run, access);
    while (next && !ser_op_is_access((ser_op)run->events[next].op))
        next = ser_run_next(run, next);
    return ser_op_only_reads((ser_op)run->events[access].op) && next &&
           run->events[next].object == run->events[access].object;
}

/* Sites at which reads are failed compare-exchanges: asked once for each. */
enum { UNKNOWN, NO, YES };

static bool is_failed_exchange(const ser_run *run, uint8_t *known, uint32_t access)
{
    const ser_event *event = &run->events[access];
    if (!ser_op_only_reads((ser_op)event->op) || event->site == SER_NO_SITE)
        return false;
    if (known[event->site] == UNKNOWN)
        known[event->site] = ser_is_failed_exchange(run, event) ? YES : NO;
    return known[event->site] == YES;
}

static bool is_attempt(const ser_run *run, uint8_t *known, uint32_t access)
{
    return ser_leaves_value(run, access) || looks_again(run, access) ||
           is_failed_exchange(run, known, access);
}

/* A read-modify-write that may be what gets a lock. */
static bool takes(const ser_run *run, uint32_t access)
{
    return ser_op_updates((ser_op)run->events[access].op) && !ser_leaves_value(run, access);
}

/* Has the block changed the variable in such a way before? */
static bool may_hold(const ser_run *run, uint32_t begin, uint32_t access)
{
    uint32_t variable = run->events[access].object;
    for (uint32_t i = begin; i && i < access; i = ser_run_next(run, i))
        if (run->events[i].object == variable && takes(run, i))
            return true;
    return false;
}

static bool is_access_of_other(const ser_run *run, uint32_t begin, uint32_t access)
{
    const ser_event *event = &run->events[access];
    return ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op) &&
           event->thread != run->events[begin].thread;
}

/* A read that its thread only repeats. */
static bool is_without_effect(const ser_run *run, uint32_t begin, uint32_t access)
{
    return ser_is_idle_look(run, access) || ser_is_read_in_vain(run, begin, access);
}

/* An update by which a counter changes, and whose old value nobody uses: it may come in any order
 * with others of the kind. What a stream does is no such update: the order is seen. */
static bool counts_blindly(const ser_event *event)
{
    const uint16_t wanted = SER_FLOW_MODIFIES | SER_FLOW_DATA | SER_FLOW_ATOMIC;
    return ser_op_updates((ser_op)event->op) && (event->flow & wanted) == wanted;
}

/* Does the block, too, only count there? */
static bool only_counts(const ser_run *run, uint32_t begin, uint32_t variable)
{
    bool found = false;
    for (uint32_t i = begin; i && run->block_of[i] == run->block_of[begin];
         i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (event->object != variable || !ser_op_is_access((ser_op)event->op))
            continue;
        if (!counts_blindly(event))
            return false;
        found = true;
    }
    return found;
}

/* --- the run without them ----------------------------------------------------- */

typedef struct view {
    const ser_run *run;
    ser_event *events; /* of the run, but for what is ignored */
    uint8_t *known;    /* by site */
    bool *counts;      /* by variable */
    uint32_t fresh;    /* a number that no variable has */
    ser_event_list order;
} view;

static void open_view(view *made, const ser_run *run)
{
    size_t size = ((size_t)run->count + 1) * sizeof *run->events;
    *made = (view){.run = run,
                   .events = ser_alloc(run->count + 1, sizeof *run->events),
                   .known = ser_alloc(ser_symbols_site_count(run->symbols) + (size_t)1, 1),
                   .counts = find_counts(run)};
    memcpy(made->events, run->events, size);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_is_access((ser_op)event->op) && event->object >= made->fresh)
            made->fresh = event->object + 1;
        if (ser_op_takes_part((ser_op)event->op))
            ser_vector_push(&made->order, i);
    }
}

static void close_view(view *made)
{
    free(made->events);
    free(made->known);
    free(made->counts);
    ser_vector_free(&made->order);
}

/* The variable of the first access of the path that is ignored. False: there is none. */
static bool find_ignored(const view *made, uint32_t begin, const ser_witness_facts *facts,
                         uint32_t *variable)
{
    const ser_run *run = made->run;
    for (size_t i = 0; i < facts->path.count; i++) {
        uint32_t access = facts->path.items[i];
        *variable = run->events[access].object;
        if (is_access_of_other(run, begin, access) &&
            (made->counts[*variable] || is_without_effect(run, begin, access) ||
             (counts_blindly(&run->events[access]) && only_counts(run, begin, *variable)) ||
             (is_attempt(run, made->known, access) && may_hold(run, begin, access))))
            return true;
    }
    return false;
}

/* From the block's first event on. */
static void ignore(view *made, uint32_t begin, uint32_t variable)
{
    const ser_run *run = made->run;
    bool holds = false, counts = made->counts[variable];
    bool is_counter = only_counts(run, begin, variable);
    for (uint32_t i = begin; i <= run->count; i++) {
        if (run->events[i].object != variable || !ser_op_is_access((ser_op)run->events[i].op))
            continue;
        if (is_access_of_other(run, begin, i) && (counts || is_without_effect(run, begin, i) ||
                                                  (is_counter && counts_blindly(&run->events[i])) ||
                                                  (holds && is_attempt(run, made->known, i))))
            made->events[i].object = made->fresh++;
        holds |= run->events[i].thread == run->events[begin].thread && takes(run, i);
    }
}

/* Is it a write of what its block then frees, as destructors make them? */
static bool is_last_write(const ser_run *run, uint32_t write)
{
    const ser_event *event = &run->events[write];
    if (!ser_op_is_access((ser_op)event->op) || ser_op_reads((ser_op)event->op))
        return false;
    for (uint32_t i = write; i && run->block_of[i] == run->block_of[write];
         i = ser_run_next(run, i))
        if (run->events[i].object == event->object && ser_op_frees((ser_op)run->events[i].op))
            return true;
    return false;
}

/* By another thread than the block's, before it is freed. */
static bool is_used_later(const ser_run *run, uint32_t write)
{
    const ser_event *event = &run->events[write];
    for (uint32_t i = write + 1; i <= run->count; i++) {
        const ser_event *later = &run->events[i];
        if (!ser_op_is_access((ser_op)later->op) || later->object != event->object)
            continue;
        if (later->thread != event->thread || ser_op_frees((ser_op)later->op))
            return later->thread != event->thread;
    }
    return false;
}

/* The block frees what others have used before: that is how it must be. It would be a mistake if
 * they used it afterwards. */
static void ignore_own_frees(view *made, uint32_t begin)
{
    const ser_run *run = made->run;
    uint32_t block = run->block_of[begin];
    for (uint32_t i = begin; i && run->block_of[i] == block; i = ser_run_next(run, i))
        if (ser_op_frees((ser_op)run->events[i].op) ||
            (is_last_write(run, i) && !is_used_later(run, i)))
            made->events[i].object = made->fresh++;
}

/* Counts of references are no locks, and protect nothing. */
static void ignore_counts(view *made)
{
    for (uint32_t i = 1; i <= made->run->count; i++) {
        const ser_event *event = &made->run->events[i];
        ser_op op = (ser_op)event->op;
        if (ser_op_is_access(op) && !ser_op_frees(op) && made->counts[event->object])
            made->events[i].object = made->fresh++;
    }
}

static bool ends_in_free(const ser_run *run, const ser_witness_facts *facts)
{
    uint32_t last = facts->path.count ? facts->path.items[facts->path.count - 1] : 0;
    return last && (ser_op_frees((ser_op)run->events[last].op) || is_last_write(run, last));
}

static bool is_violated(const view *made, uint32_t begin, ser_witness_facts *facts)
{
    const ser_checker_model model = {.happened = true};
    ser_error ignored;
    ser_checker *checker = ser_checker_create(made->events, made->run->count, &model);
    ser_status status = ser_checker_check(checker, begin, false, made->order.items,
                                          made->order.count, facts, &ignored);
    ser_checker_destroy(checker);
    return status == SER_OK;
}

/* Frees of what others have used before are ignored as well. */
static bool is_violated_but_by_frees(view *made, uint32_t begin, ser_witness_facts *facts)
{
    if (!is_violated(made, begin, facts))
        return false;
    if (!ends_in_free(made->run, facts))
        return true;
    ignore_own_frees(made, begin);
    return is_violated(made, begin, facts);
}

bool ser_is_only_attempts(const ser_run *run, uint32_t begin, const ser_witness_facts *facts)
{
    enum { MOST_VARIABLES = 8 };
    uint32_t variable;
    if (ser_op_begins((ser_op)run->events[begin].op))
        return false;
    view made;
    ser_witness_facts now = {0};
    open_view(&made, run);
    bool violated = true, more = find_ignored(&made, begin, facts, &variable);
    for (int i = 0; i < MOST_VARIABLES && violated && more; i++) {
        ignore(&made, begin, variable);
        violated = is_violated_but_by_frees(&made, begin, &now);
        more = violated && find_ignored(&made, begin, &now, &variable);
    }
    ser_witness_facts_fini(&now);
    close_view(&made);
    return !violated;
}

/* --- what such a lock protects ------------------------------------------------ */

/* Does the block take the variable by a read-modify-write, and write it later? */
static bool is_own_lock(const ser_run *run, uint32_t begin, uint32_t variable)
{
    bool held = false;
    uint32_t block = run->block_of[begin];
    for (uint32_t i = begin; i && run->block_of[i] == block; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (event->object != variable || !ser_op_is_access((ser_op)event->op))
            continue;
        if (held && ser_op_writes((ser_op)event->op))
            return true;
        held = held || takes(run, i);
    }
    return false;
}

/* The variable of the first access of the path that is one. False: there is none. */
static bool find_own_lock(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                          uint32_t *variable)
{
    for (size_t i = 0; i < facts->path.count; i++) {
        const ser_event *event = &run->events[facts->path.items[i]];
        *variable = event->object;
        if (ser_op_is_access((ser_op)event->op) &&
            (is_own_lock(run, begin, *variable) || ser_is_agreed_upon(run, *variable)))
            return true;
    }
    return false;
}

static void ignore_all(view *made, uint32_t variable)
{
    for (uint32_t i = 1; i <= made->run->count; i++)
        if (made->run->events[i].object == variable &&
            ser_op_is_access((ser_op)made->run->events[i].op))
            made->events[i].object = made->fresh++;
}

bool ser_is_violated_behind(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                            ser_witness_facts *behind)
{
    enum { MOST_LOCKS = 8 };
    uint32_t variable;
    bool violated = false, more = find_own_lock(run, begin, facts, &variable);
    if (!more)
        return false;
    view made;
    open_view(&made, run);
    ignore_counts(&made);
    for (int i = 0; i < MOST_LOCKS && more; i++) {
        ignore_all(&made, variable);
        violated = is_violated_but_by_frees(&made, begin, behind);
        more = violated && find_own_lock(run, begin, behind, &variable);
    }
    close_view(&made);
    return violated && !more;
}

static void ignore_library(view *made)
{
    bool *own = ser_library_accesses(made->run);
    for (uint32_t i = 1; i <= made->run->count; i++)
        if (own[i])
            made->events[i].object = made->fresh++;
    free(own);
}

bool ser_is_violated_beside_library(const ser_run *run, uint32_t begin, ser_witness_facts *beside)
{
    view made;
    open_view(&made, run);
    ignore_counts(&made);
    ignore_library(&made);
    bool violated = is_violated_but_by_frees(&made, begin, beside);
    close_view(&made);
    return violated;
}

bool ser_is_overwriting(const ser_run *run, const ser_witness_facts *facts)
{
    const ser_event *first = &run->events[facts->path.items[0]];
    const ser_event *last = &run->events[facts->path.items[facts->path.count - 1]];
    for (size_t i = 0; i < facts->path.count; i++)
        if (run->events[facts->path.items[i]].object != first->object)
            return false;
    return ser_op_only_reads((ser_op)first->op) && ser_op_writes((ser_op)last->op);
}
