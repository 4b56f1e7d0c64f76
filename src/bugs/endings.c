/* SPDX-License-Identifier: MIT */
#include "bugs/endings.h"

#include <stdio.h>
#include <string.h>

#include "bugs/failures.h"
#include "bugs/naming.h"
#include "bugs/own_code.h"

static bool is_variable_of(const ser_bug *bug, const ser_run *run, uint32_t event)
{
    const ser_event *access = &run->events[event];
    char *kind = ser_bug_kind_of_variable(
        ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)access->op), access->object));
    size_t i = 0;
    while (i < bug->variables.count && strcmp(bug->variables.items[i], kind) != 0)
        i++;
    free(kind);
    return i < bug->variables.count;
}

/* The call of the bug's function that the thread never returned from; 0: it has returned. */
static uint32_t find_open_call(const ser_bug *bug, const ser_run *run, uint32_t thread)
{
    const ser_event_list *own = &run->threads.items[thread].events;
    uint32_t last = own->count ? own->items[own->count - 1] : 0, open = 0;
    ser_event_list stack = {0};
    if (last && !ser_op_returns((ser_op)run->events[last].op))
        stack = ser_stack_of(run, last);
    for (size_t i = 0; i < stack.count; i++)
        if (strcmp(ser_bug_function(run->symbols, &run->events[stack.items[i]]), bug->function) ==
            0)
            open = stack.items[i];
    ser_vector_free(&stack);
    return open;
}

/* Has the thread read something of the bug's that another thread wrote in a call which is open? */
static bool has_seen_half(const ser_bug *bug, const ser_run *run, uint32_t thread)
{
    const ser_event_list *own = &run->threads.items[thread].events;
    uint32_t writer = UINT32_MAX, open = 0;
    for (size_t i = own->count; i > 0; i--) {
        uint32_t read = own->items[i - 1], write = run->couple[read];
        if (!ser_op_is_access((ser_op)run->events[read].op) || !write ||
            run->events[write].thread == thread || !is_variable_of(bug, run, read))
            continue;
        if (run->events[write].thread != writer) {
            writer = run->events[write].thread;
            open = find_open_call(bug, run, writer);
        }
        if (open && write > open)
            return true;
    }
    return false;
}

static const ser_bug_access *find_access(const ser_bug *bug, const ser_run *run, uint32_t event,
                                         bool in_block)
{
    uint32_t own = ser_own_event(run, event);
    const char *location =
        ser_symbols_shown_location(run->symbols, run->events[own ? own : event].site);
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        if (access->in_block == in_block && *location && strcmp(access->location, location) == 0)
            return access;
    }
    return NULL;
}

/* Is it a read of what the other side of the bug has written? */
static bool is_step_of(const ser_bug *bug, const ser_run *run, uint32_t last)
{
    uint32_t write = ser_op_is_access((ser_op)run->events[last].op) ? run->couple[last] : 0;
    if (!write || run->events[write].thread == run->events[last].thread ||
        !is_variable_of(bug, run, last))
        return false;
    return (find_access(bug, run, last, false) && find_access(bug, run, write, true)) ||
           (find_access(bug, run, last, true) && find_access(bug, run, write, false));
}

bool ser_bug_explains_end(const ser_bug *bug, const ser_run *run)
{
    uint32_t last = ser_find_last_event(run);
    return last && *bug->function &&
           (is_step_of(bug, run, last) || has_seen_half(bug, run, run->events[last].thread));
}

bool ser_bug_is_looked_at_last(const ser_bug *bug, const ser_run *run)
{
    uint32_t last = ser_find_last_event(run);
    return last && ser_op_is_access((ser_op)run->events[last].op) &&
           ser_op_reads((ser_op)run->events[last].op) && is_variable_of(bug, run, last);
}

bool ser_bug_is_looked_at_by(const ser_bug *bug, const ser_run *run, const char *thread)
{
    for (uint32_t i = run->count; i > 0; i--) {
        const ser_event *event = &run->events[i];
        const char *name = ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, event->thread);
        if (ser_op_is_access((ser_op)event->op) && strcmp(name, thread) == 0)
            return is_variable_of(bug, run, i);
    }
    return false;
}

/* "T1 waits at a.c:9 for something" */
static bool waits_at(const char *line, size_t length, const char *location)
{
    char wait[4096];
    int size = snprintf(wait, sizeof wait, " waits at %s for something", location);
    return size > 0 && (size_t)size <= length && (size_t)size < sizeof wait &&
           memcmp(line + length - (size_t)size, wait, (size_t)size) == 0;
}

bool ser_bug_is_waited_in(const ser_bug *bug, const char *waits)
{
    for (const char *line = waits; *line;) {
        size_t length = strcspn(line, "\n");
        for (size_t i = 0; i < bug->accesses.count; i++)
            if (bug->accesses.items[i].in_block &&
                waits_at(line, length, bug->accesses.items[i].location))
                return true;
        line += length + (line[length] == '\n');
    }
    return false;
}
