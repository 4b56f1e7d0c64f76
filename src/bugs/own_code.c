/* SPDX-License-Identifier: MIT */
#include "bugs/own_code.h"

#include <string.h>

static bool starts_with_one(const char *text, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

bool ser_is_library_place(const char *location)
{
    static const char *const of_system[] = {"/usr/", NULL};
    static const char *const of_java[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/", NULL};
    return starts_with_one(location, of_system) || strstr(location, "/include/c++/") ||
           (strstr(location, ".java:") && starts_with_one(location, of_java));
}

static bool is_own(const ser_run *run, uint32_t event)
{
    const char *location = ser_symbols_location(run->symbols, run->events[event].site);
    return *location && !ser_is_library_place(location);
}

ser_event_list ser_stack_of(const ser_run *run, uint32_t event)
{
    ser_event_list stack = {0};
    for (uint32_t call = ser_run_call_around(run, event); call; call = run->match[call])
        ser_vector_push(&stack, call);
    for (size_t i = 0; i < stack.count / 2; i++) {
        uint32_t inner = stack.items[i];
        stack.items[i] = stack.items[stack.count - 1 - i];
        stack.items[stack.count - 1 - i] = inner;
    }
    return stack;
}

uint32_t ser_own_call(const ser_run *run, uint32_t event)
{
    uint32_t call = ser_run_call_around(run, event);
    while (call && !is_own(run, call))
        call = run->match[call];
    return call;
}

uint32_t ser_common_call(const ser_run *run, uint32_t event, uint32_t other)
{
    ser_event_list one = ser_stack_of(run, event), two = ser_stack_of(run, other);
    size_t depth = 0;
    while (depth < one.count && depth < two.count && one.items[depth] == two.items[depth])
        depth++;
    uint32_t call = depth ? one.items[depth - 1] : 0;
    ser_vector_free(&one);
    ser_vector_free(&two);
    return call;
}

uint32_t ser_call_towards(const ser_run *run, uint32_t outer, uint32_t event)
{
    ser_event_list stack = ser_stack_of(run, event);
    uint32_t way = 0;
    for (size_t i = 0; i + 1 < stack.count && !way; i++)
        if (stack.items[i] == outer)
            way = stack.items[i + 1];
    ser_vector_free(&stack);
    return way;
}

/* Is the event, which has a place, one of the call's own function? */
static bool is_of_call(const ser_run *run, uint32_t call, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return !ser_op_calls(op) && !ser_op_returns(op) && is_own(run, event) &&
           ser_symbols_site_function(run->symbols, run->events[event].site) ==
               run->events[call].object;
}

uint32_t ser_own_before(const ser_run *run, uint32_t call, uint32_t event)
{
    int depth = 0; /* of calls that have returned */
    for (uint32_t at = ser_run_previous(run, event); at > call; at = ser_run_previous(run, at)) {
        ser_op op = (ser_op)run->events[at].op;
        depth += ser_op_returns(op) ? 1 : ser_op_calls(op) && depth > 0 ? -1 : 0;
        if (depth == 0 && is_of_call(run, call, at))
            return at;
    }
    return 0;
}

uint32_t ser_own_after(const ser_run *run, uint32_t call, uint32_t event)
{
    ser_event_list stack = ser_stack_of(run, event);
    size_t level = 0;
    while (level < stack.count && stack.items[level] != call)
        level++;
    int depth = (int)stack.count - (int)level - 1; /* of calls that have not returned yet */
    ser_vector_free(&stack);
    depth += ser_op_calls((ser_op)run->events[event].op);
    for (uint32_t at = ser_run_next(run, event); at && depth >= 0; at = ser_run_next(run, at)) {
        ser_op op = (ser_op)run->events[at].op;
        depth += ser_op_calls(op) - ser_op_returns(op);
        if (depth == 0 && is_of_call(run, call, at))
            return at;
    }
    return 0;
}

uint32_t ser_own_event(const ser_run *run, uint32_t event)
{
    if (is_own(run, event))
        return event;
    uint32_t call = ser_own_call(run, event);
    if (!call)
        return 0;
    uint32_t near = ser_own_before(run, call, event);
    if (!near)
        near = ser_own_after(run, call, event);
    return near ? near : call;
}

bool ser_is_in_later_call(const ser_run *run, uint32_t first, uint32_t second)
{
    uint32_t left = 0;
    for (uint32_t at = ser_run_previous(run, second); at > first; at = ser_run_previous(run, at)) {
        ser_op op = (ser_op)run->events[at].op;
        if (ser_op_calls(op) && left == 0)
            return true;
        left = ser_op_calls(op) ? left - 1 : left + ser_op_returns(op);
    }
    return false;
}
