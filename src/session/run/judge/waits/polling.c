/* SPDX-License-Identifier: MIT */
#include "session/run/judge/waits/polling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { A_LOOP = 3 }; /* so many visits of a place are a loop, whatever other calls do */

static bool waits_between(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i && i < to; i = ser_run_next(run, i))
        if (ser_op_lets_others_in((ser_op)run->events[i].op))
            return true;
    return false;
}

static bool is_plain_write(const ser_event *event)
{
    return !ser_op_reads((ser_op)event->op);
}

/* What a walk through a thread's events sees: which functions are open, as one hash for each depth,
 * and where the last lock was taken. It does not matter where the first function was called. */
typedef struct open_calls {
    uint32_t begin;
    SER_VECTOR(uint64_t) functions;
    uint64_t lock;
} open_calls;

static uint64_t innermost(const open_calls *calls)
{
    return calls->functions.count ? calls->functions.items[calls->functions.count - 1] : 0;
}

static uint64_t hash_of_place(const ser_run *run, const ser_event *event)
{
    const char *place =
        event->site == SER_NO_SITE ? "" : ser_symbols_location(run->symbols, event->site);
    return ser_hash_key(place, strlen(place));
}

/* A function of a library has no calls in the trace, and is called in many places: `find` and
 * `insert` of one container read in the same lines. The lock that the program took distinguishes
 * them. */
static bool is_of_library(const ser_run *run, const ser_event *access)
{
    static const char system_folder[] = "/usr/";
    return access->site != SER_NO_SITE && strncmp(ser_symbols_location(run->symbols, access->site),
                                                  system_folder, sizeof system_folder - 1) == 0;
}

/* How the access was reached, by the functions that are open then. */
static uint64_t path_to(const open_calls *calls, const ser_run *run, const ser_event *access)
{
    uint64_t path = innermost(calls);
    return is_of_library(run, access) ? ser_hash_mix(path, calls->lock) : path;
}

static const char *name_of_call(const ser_run *run, const ser_event *call)
{
    return ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, call->object);
}

/* A function that is called in another place is another one: `put(key); put(value);` is no loop. */
static uint64_t hash_of_call(const open_calls *calls, const ser_run *run, uint32_t call)
{
    const char *name = name_of_call(run, &run->events[call]);
    uint32_t site = call == calls->begin ? SER_NO_SITE : ser_run_called_at(run, call);
    const char *place = ser_symbols_location(run->symbols, site);
    return ser_hash_mix(ser_hash_key(name, strlen(name)), ser_hash_key(place, strlen(place)));
}

/* By names and places, which other runs have as well. */
static void follow(open_calls *calls, const ser_run *run, uint32_t number)
{
    const ser_event *event = &run->events[number];
    if (ser_op_calls((ser_op)event->op)) {
        ser_vector_push(&calls->functions,
                        ser_hash_mix(innermost(calls), hash_of_call(calls, run, number)));
    } else if (ser_op_returns((ser_op)event->op) && calls->functions.count) {
        calls->functions.count--;
    } else if (ser_op_acquires((ser_op)event->op)) {
        calls->lock = hash_of_place(run, event);
    }
}

/* How the block reaches an access of it. */
static uint64_t find_path(const ser_run *run, uint32_t begin, uint32_t access)
{
    open_calls calls = {.begin = begin};
    for (uint32_t i = begin; i && i < access; i = ser_run_next(run, i))
        follow(&calls, run, i);
    uint64_t path = path_to(&calls, run, &run->events[access]);
    ser_vector_free(&calls.functions);
    return path;
}

static bool always_updates(const ser_event *access)
{
    return ser_op_updates((ser_op)access->op) && access->flow & SER_FLOW_MODIFIES;
}

/* A read that is the first half of an operation that writes in any case, as `<<` of a stream: who
 * does that several times in one line does not wait for anything. */
static bool begins_update(const ser_event *access)
{
    return ser_op_only_reads((ser_op)access->op) && access->flow & SER_FLOW_MODIFIES;
}

/* No branch depends on what was read, at any time: nobody waits for anything so. */
static bool asks_nothing(const ser_event *access)
{
    return ser_op_reads((ser_op)access->op) && access->flow & SER_FLOW_BLIND &&
           !(access->flow & SER_FLOW_ANYWAY);
}

/* Do they belong to the same operation of the program, if they are at one place? A compare-exchange
 * that fails only reads; other updates always write. Two reads of one line may decide different
 * things. */
static bool are_of_one_kind(const ser_event *one, const ser_event *other)
{
    return always_updates(one) == always_updates(other) &&
           is_plain_write(one) == is_plain_write(other) &&
           (one->op != other->op || one->flow == other->flow);
}

static bool are_alike(const ser_event *one, const ser_event *other)
{
    return one->site == other->site && are_of_one_kind(one, other);
}

/* How often the block accesses the same variable at the same place, called in the same way. */
static unsigned count_visits(const ser_run *run, uint32_t begin, uint32_t access)
{
    unsigned visits = 0;
    const ser_event *wanted = &run->events[access];
    uint32_t block = run->block_of[begin];
    uint64_t path = find_path(run, begin, access);
    open_calls calls = {.begin = begin};
    for (uint32_t i = begin; i && run->block_of[i] == block; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        follow(&calls, run, i);
        visits += ser_op_is_access((ser_op)event->op) && event->object == wanted->object &&
                  are_alike(event, wanted) && path_to(&calls, run, event) == path;
    }
    ser_vector_free(&calls.functions);
    return visits;
}

/* An operation that calls of a function reach. */
typedef struct visited {
    const char *function, *location;
    uint64_t path;           /* how it is reached, from that function on */
    const ser_event *access; /* by such a one, as a line may have several */
} visited;

static bool is_visit(const ser_run *run, const ser_event *event, const visited *place)
{
    return ser_op_is_access((ser_op)event->op) && event->site != SER_NO_SITE &&
           are_of_one_kind(event, place->access) &&
           strcmp(ser_symbols_location(run->symbols, event->site), place->location) == 0;
}

/* How often a call comes there, for the first variable that it accesses there. */
static unsigned visits_of_call(const ser_run *run, uint32_t call, const visited *place)
{
    unsigned visits = 0;
    uint32_t variable = 0;
    open_calls calls = {.begin = call};
    for (uint32_t i = call; i && (i == call || calls.functions.count); i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        follow(&calls, run, i);
        if (!is_visit(run, event, place) || path_to(&calls, run, event) != place->path)
            continue;
        variable = visits ? variable : event->object;
        visits += event->object == variable;
    }
    ser_vector_free(&calls.functions);
    return visits;
}

/* Does a call of the function come there, but only once? */
static bool has_single_visit(const ser_run *run, const visited *place)
{
    for (uint32_t i = 1; run && i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_calls((ser_op)event->op) &&
            strcmp(name_of_call(run, event), place->function) == 0 &&
            visits_of_call(run, i, place) == 1)
            return true;
    }
    return false;
}

/* Does the innermost call that has both events of the block go through a loop? */
static bool are_in_loop(const ser_run *run, uint32_t begin, uint32_t from, uint32_t to)
{
    SER_VECTOR(uint32_t) calls = {0};
    size_t common = SIZE_MAX; /* calls that are open at both */
    for (uint32_t i = begin; i && i < to; i = ser_run_next(run, i)) {
        if (ser_op_calls((ser_op)run->events[i].op))
            ser_vector_push(&calls, i);
        else if (ser_op_returns((ser_op)run->events[i].op) && calls.count)
            calls.count--;
        if (i >= from && calls.count < common)
            common = calls.count;
    }
    bool found = common > 0 && common <= calls.count &&
                 run->events[calls.items[common - 1]].flow & SER_FLOW_LOOPS;
    ser_vector_free(&calls);
    return found;
}

static bool is_loop(const ser_run *run, uint32_t begin, uint32_t event, uint32_t later,
                    const ser_run *first)
{
    unsigned visits = count_visits(run, begin, event);
    const ser_event *call = &run->events[begin], *access = &run->events[event];
    if (visits >= A_LOOP || are_in_loop(run, begin, event, later))
        return true;
    if (visits < 2 || !ser_op_calls((ser_op)call->op) || access->site == SER_NO_SITE)
        return false;
    const visited place = {name_of_call(run, call),
                           ser_symbols_location(run->symbols, access->site),
                           find_path(run, begin, event), access};
    return has_single_visit(run, &place) || has_single_visit(first, &place);
}

/* To a wait, which may be made in a function that is called for it. */
static bool is_on_the_way(ser_op op)
{
    return !ser_op_lets_others_in(op) && (ser_op_only_reads(op) || ser_op_calls(op));
}

/* Does a thread wait next, when it has read there? Then it is asked there whether to wait. */
static bool is_asked_before_waits(const ser_run *run, const ser_event *access)
{
    bool found = false, *has_read = ser_alloc(run->threads.count, sizeof *has_read);
    for (uint32_t i = 1; i <= run->count && !found; i++) {
        const ser_event *event = &run->events[i];
        if (!run->eid[i]) /* of no thread */
            continue;
        bool *asks = &has_read[event->thread]; /* and has done nothing else since then */
        ser_op op = (ser_op)event->op;
        found = *asks && ser_op_lets_others_in(op);
        *asks = (*asks && is_on_the_way(op)) || (ser_op_is_access(op) && are_alike(event, access));
    }
    free(has_read);
    return found;
}

static bool is_accessed_between(const ser_run *run, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i && i < end; i = ser_run_next(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op) &&
            run->events[i].object == run->events[end].object)
            return true;
    return false;
}

/* Does the block look there for the first time whether others have done what it then waits for? It
 * lets them in, also if they are done already. */
static bool begins_to_wait(const ser_run *run, uint32_t begin, uint32_t look)
{
    const ser_event *event = &run->events[look];
    return ser_op_only_reads((ser_op)event->op) && event->site != SER_NO_SITE && look > begin &&
           !is_accessed_between(run, begin, look) && is_asked_before_waits(run, event);
}

bool ser_is_failed_exchange(const ser_run *run, const ser_event *access)
{
    if (!ser_op_only_reads((ser_op)access->op) || access->site == SER_NO_SITE)
        return false;
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_updates((ser_op)run->events[i].op) && are_alike(&run->events[i], access))
            return true;
    return false;
}

/* Is the lock the object that was read there? Objects of Java have their number in their name. */
static bool was_read_as_lock(const ser_run *run, uint32_t read, uint32_t acquire)
{
    char number[32];
    const char *name = ser_symbols_name(run->symbols, SER_SPACE_LOCK, run->events[acquire].object);
    snprintf(number, sizeof number, "@%" PRIx64, (uint64_t)run->events[read].value);
    size_t length = strlen(number), all = name ? strlen(name) : 0;
    return all >= length && strcmp(name + all - length, number) == 0;
}

/* Nothing depends on what was read, neither there nor in a caller: it is only used. */
static bool is_no_look(const ser_event *access)
{
    return access->flow & SER_FLOW_BLIND && !(access->flow & (SER_FLOW_DECIDES | SER_FLOW_HANDED));
}

/* The second read has a lock that the first had not, and nothing was written between. A lock that
 * is the very object that was read is another one when that has changed. */
static bool looks_again(const ser_run *run, uint32_t from, uint32_t to)
{
    bool locked = false;
    if (is_no_look(&run->events[to]))
        return false;
    for (uint32_t i = ser_run_next(run, from); i && i < to; i = ser_run_next(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_writes(op) || ser_op_releases(op))
            return false;
        if (ser_op_excludes(op) && was_read_as_lock(run, from, i))
            return false;
        locked = locked || ser_op_excludes(op);
    }
    return locked && ser_op_only_reads((ser_op)run->events[from].op) &&
           ser_op_only_reads((ser_op)run->events[to].op);
}

bool ser_leaves_value(const ser_run *run, uint32_t access)
{
    const ser_event *event = &run->events[access], *source = &run->events[run->couple[access]];
    return ser_op_updates((ser_op)event->op) && run->couple[access] &&
           event->flags & source->flags & SER_EVENT_HAS_VALUE && event->value == source->value;
}

/* An exchange that found what it wanted to write: the flag was taken. The thread has looked at
 * nothing but the flag since then. */
static bool is_still_without(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = ser_run_next(run, from); i && i < to; i = ser_run_next(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op) &&
            run->events[i].object != run->events[from].object)
            return false;
    return ser_leaves_value(run, from);
}

/* Waits of std::atomic, barriers, latches and semaphores: loops in headers of the library. */
static bool is_of_wait(const ser_run *run, const ser_event *access)
{
    static const char *const headers[] = {"/bits/atomic_wait.h:", "/bits/atomic_timed_wait.h:",
                                          "/bits/semaphore_base.h:", "/barrier:", "/latch:"};
    if (!is_of_library(run, access))
        return false;
    const char *place = ser_symbols_location(run->symbols, access->site);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strstr(place, headers[i]))
            return true;
    return false;
}

bool ser_is_polling(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                    const ser_run *first_run)
{
    if (ser_op_begins((ser_op)run->events[begin].op) || facts->path.count < 2)
        return false;
    uint32_t from = facts->path.items[0], to = facts->path.items[facts->path.count - 1];
    const ser_event *first = &run->events[from], *last = &run->events[to];
    if (waits_between(run, from, to) || begins_to_wait(run, begin, to))
        return true;
    if (first->object != last->object || is_plain_write(first) || is_plain_write(last))
        return false;
    bool is_same_place = are_alike(first, last) && !begins_update(first) && !asks_nothing(first) &&
                         find_path(run, begin, from) == find_path(run, begin, to);
    bool is_asked_again = is_same_place && (is_loop(run, begin, from, to, first_run) ||
                                            is_asked_before_waits(run, first));
    return is_asked_again || looks_again(run, from, to) || is_still_without(run, from, to) ||
           is_of_wait(run, last) || ser_is_failed_exchange(run, first) ||
           ser_is_failed_exchange(run, last);
}

bool ser_is_working_loop(const ser_run *run, const ser_witness_facts *facts)
{
    return facts->path.count &&
           run->events[facts->path.items[0]].flow & (SER_FLOW_DATA | SER_FLOW_BLIND);
}
