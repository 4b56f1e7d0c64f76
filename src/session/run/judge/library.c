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

static bool is_atomic(const char *name)
{
    return strstr(name, " of struct std::__atomic_base,") != NULL;
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
           (is_atomic(name) && block &&
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

static bool is_of_library(const ser_run *run, uint32_t event)
{
    return ser_is_library_place(ser_symbols_location(run->symbols, run->events[event].site));
}

static bool has_lock_of_library(const ser_run *run, uint32_t event)
{
    for (uint32_t held = ser_run_held(run, event); held; held = ser_run_next_held(run, event, held))
        if (is_of_library(run, run->holds.items[held].acquire))
            return true;
    return false;
}

/* Code of a header accesses atomically, or with a lock that such code has taken. */
static bool is_synchronised(const ser_run *run, uint32_t event)
{
    return is_of_library(run, event) &&
           (run->events[event].flow & SER_FLOW_ATOMIC || has_lock_of_library(run, event));
}

static bool is_all_synchronised(const ser_run *run, const ser_witness_facts *facts)
{
    for (size_t i = 0; i < facts->path.count; i++) {
        ser_op op = (ser_op)run->events[facts->path.items[i]].op;
        if (!ser_op_is_access(op) || ser_op_frees(op) ||
            !is_synchronised(run, facts->path.items[i]))
            return false;
    }
    return facts->path.count > 0;
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
