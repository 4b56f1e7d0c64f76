/* SPDX-License-Identifier: MIT */
#include "session/run/judge/library.h"

#include <string.h>

#include "base/names.h"
#include "bugs/own_code.h"

/* ", allocated at x.cc:12 (1st)", which is the same of all parts of a block; NULL: no heap. */
static const char *block_of(const char *name)
{
    return strstr(name, ", allocated at ");
}

static bool is_count(const char *name)
{
    return strstr(name, "_count of class std::_Sp_counted_base") != NULL;
}

static bool is_state(const char *name)
{
    return strstr(name, " of class std::__future_base::_State_base") != NULL;
}

static bool is_of_standard_type(const char *name)
{
    return strstr(name, " of struct std::") || strstr(name, " of class std::");
}

/* The blocks of the heap in which the state of a future lies. */
static ser_names *find_futures(const ser_symbols *symbols)
{
    ser_names *blocks = ser_names_create();
    uint32_t count = ser_symbols_count(symbols, SER_SPACE_VARIABLE);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ser_symbols_name(symbols, SER_SPACE_VARIABLE, i);
        const char *block = is_state(name) ? block_of(name) : NULL;
        if (block)
            ser_names_add(blocks, block, strlen(block));
    }
    return blocks;
}

static bool is_own(const char *name, const ser_names *futures)
{
    const char *block = block_of(name);
    return is_count(name) || is_state(name) ||
           (block && is_of_standard_type(name) &&
            ser_names_find(futures, block, strlen(block)) != SER_NO_NAME);
}

bool *ser_library_variables(const ser_symbols *symbols)
{
    uint32_t count = ser_symbols_count(symbols, SER_SPACE_VARIABLE);
    bool *own = ser_alloc((size_t)count + 1, sizeof *own);
    ser_names *futures = find_futures(symbols);
    for (uint32_t i = 0; i < count; i++)
        own[i] = is_own(ser_symbols_name(symbols, SER_SPACE_VARIABLE, i), futures);
    ser_names_destroy(futures);
    return own;
}

/* --- what headers of other libraries do ---------------------------------------- */

/* By event of the run: the innermost call of the program's own code that it is in; 0: none. */
typedef struct own_calls {
    const ser_run *run;
    uint32_t *call_of;
} own_calls;

static bool is_of_library(const ser_run *run, uint32_t event)
{
    return ser_is_library_place(ser_symbols_location(run->symbols, run->events[event].site));
}

static void find_own_calls_of(const own_calls *calls, const ser_event_list *events)
{
    const ser_run *run = calls->run;
    ser_event_list stack = {0};
    for (size_t i = 0; i < events->count; i++) {
        uint32_t event = events->items[i], now = stack.count ? stack.items[stack.count - 1] : 0;
        ser_op op = (ser_op)run->events[event].op;
        calls->call_of[event] = now;
        if (ser_op_calls(op))
            ser_vector_push(&stack, is_of_library(run, event) ? now : event);
        else if (ser_op_returns(op) && stack.count > 0)
            stack.count--;
    }
    ser_vector_free(&stack);
}

static own_calls find_own_calls(const ser_run *run)
{
    own_calls calls = {run, ser_alloc((size_t)run->count + 1, sizeof *calls.call_of)};
    for (size_t i = 0; i < run->threads.count; i++)
        find_own_calls_of(&calls, &run->threads.items[i].events);
    return calls;
}

/* One that it has not taken around a call of the program's own code, which std::async does with
 * what runs once. */
static bool has_lock_of_library(const own_calls *calls, uint32_t event)
{
    const ser_run *run = calls->run;
    for (uint32_t held = ser_run_held(run, event); held;
         held = ser_run_next_held(run, event, held)) {
        uint32_t acquire = run->holds.items[held].acquire;
        if (is_of_library(run, acquire) && calls->call_of[acquire] == calls->call_of[event])
            return true;
    }
    return false;
}

/* Code of a header accesses atomically, or with a lock that such code has taken, or it takes, gives
 * back, waits and wakes itself. */
static bool is_synchronised(const own_calls *calls, uint32_t event)
{
    const ser_event *made = &calls->run->events[event];
    return is_of_library(calls->run, event) &&
           (!ser_op_is_access((ser_op)made->op) || made->flow & SER_FLOW_ATOMIC ||
            has_lock_of_library(calls, event));
}

static bool is_all_synchronised(const ser_run *run, const ser_witness_facts *facts)
{
    bool all = facts->path.count > 0;
    for (size_t i = 0; all && i < facts->path.count; i++)
        all = is_of_library(run, facts->path.items[i]) &&
              !ser_op_frees((ser_op)run->events[facts->path.items[i]].op);
    own_calls calls = all ? find_own_calls(run) : (own_calls){0};
    for (size_t i = 0; all && i < facts->path.count; i++)
        all = is_synchronised(&calls, facts->path.items[i]);
    free(calls.call_of);
    return all;
}

static bool is_all_own(const ser_run *run, const ser_witness_facts *facts)
{
    bool all = facts->path.count > 0;
    ser_names *futures = all ? find_futures(run->symbols) : NULL;
    for (size_t i = 0; all && i < facts->path.count; i++) {
        const ser_event *event = &run->events[facts->path.items[i]];
        ser_op op = (ser_op)event->op;
        all = ser_op_is_access(op) && !ser_op_frees(op) &&
              is_own(ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, event->object), futures);
    }
    ser_names_destroy(futures);
    return all;
}

bool ser_is_library_matter(const ser_run *run, const ser_witness_facts *facts)
{
    return is_all_own(run, facts) || is_all_synchronised(run, facts);
}

bool ser_counts_waiters(const char *name)
{
    return strstr(name, "std::__detail::__waiter_pool") != NULL;
}

bool ser_leads_through_waiters(const ser_run *run, const ser_witness_facts *facts)
{
    for (size_t i = 0; i < facts->path.count; i++) {
        const ser_event *event = &run->events[facts->path.items[i]];
        if (ser_op_is_access((ser_op)event->op) &&
            ser_counts_waiters(ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, event->object)))
            return true;
    }
    return false;
}

bool *ser_library_accesses(const ser_run *run)
{
    bool *accesses = ser_alloc((size_t)run->count + 1, sizeof *accesses);
    bool *own = ser_library_variables(run->symbols);
    own_calls calls = find_own_calls(run);
    for (uint32_t i = 1; i <= run->count; i++) {
        ser_op op = (ser_op)run->events[i].op;
        accesses[i] = ser_op_is_access(op) && !ser_op_frees(op) &&
                      (own[run->events[i].object] || is_synchronised(&calls, i));
    }
    free(calls.call_of);
    free(own);
    return accesses;
}
