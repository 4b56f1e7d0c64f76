/* SPDX-License-Identifier: MIT */
#include "session/run/survey/references.h"

#include <string.h>

typedef struct count {
    uint64_t value;
    bool is_known;  /* the value */
    bool is_no;     /* no count of references */
    bool has_grown; /* by one */
    bool is_over;   /* it has come to zero */
} count;

/* What std::_Sp_counted_base keeps is one, whatever has happened to it. */
static bool is_count_of_library(const char *name)
{
    return strstr(name, "std::_Sp_counted_base") && strstr(name, "_count of ");
}

static bool is_on_heap(const char *name)
{
    return strstr(name, ", allocated at ");
}

/* Sizes of counts differ: 32 bits wrap where 64 do not. */
static bool is_positive(uint64_t value)
{
    return value > 0 && value <= INT32_MAX;
}

static void update(count *now, const ser_event *event)
{
    bool up = event->value == now->value + 1, down = event->value + 1 == now->value;
    bool is_asked = !(event->flow & SER_FLOW_DATA);
    now->is_no |= !(event->flow & SER_FLOW_MODIFIES) || !now->is_known ||
                  !is_positive(now->value) || !(up || (down && is_asked));
    now->has_grown |= up;
    now->is_over |= event->value == 0;
}

/* Before others know of the memory the count may be set in any way. */
static void see(count *now, const ser_event *event, bool is_shared)
{
    ser_op op = (ser_op)event->op;
    bool has_value = event->flags & SER_EVENT_HAS_VALUE;
    now->is_no |= now->is_over || !has_value;
    if (ser_op_updates(op))
        update(now, event);
    else if (ser_op_writes(op))
        now->is_no |= is_shared || now->has_grown;
    else
        now->is_no |= now->is_known && event->value != now->value;
    now->value = event->value;
    now->is_known = has_value;
}

bool *ser_references_find(const ser_run *run)
{
    uint32_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE);
    bool *found = ser_alloc((size_t)variables + 1, sizeof *found);
    count *counts = ser_alloc((size_t)variables + 1, sizeof *counts);
    uint32_t *owners = ser_alloc((size_t)variables + 1, sizeof *owners);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || ser_op_frees((ser_op)event->op))
            continue;
        uint32_t *owner = &owners[event->object];
        *owner = *owner ? *owner : event->thread + 1;
        see(&counts[event->object], event, *owner != event->thread + 1);
    }
    for (uint32_t i = 0; i < variables; i++) {
        const char *name = ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, i);
        found[i] = is_count_of_library(name) || (is_on_heap(name) && !counts[i].is_no &&
                                                 counts[i].has_grown && counts[i].is_over);
    }
    free(counts);
    free(owners);
    return found;
}

static bool is_atomic(const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return ser_op_is_access(op) && !ser_op_frees(op) &&
           (ser_op_updates(op) || event->flow & SER_FLOW_ATOMIC);
}

bool ser_is_about_references(const ser_run *run, const ser_witness_facts *facts)
{
    bool all = facts->path.count > 0;
    for (size_t i = 0; i < facts->path.count; i++)
        all &= is_atomic(&run->events[facts->path.items[i]]);
    if (!all)
        return false;
    bool *counts = ser_references_find(run);
    for (size_t i = 0; i < facts->path.count; i++)
        all &= counts[run->events[facts->path.items[i]].object];
    free(counts);
    return all;
}
