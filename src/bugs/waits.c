/* SPDX-License-Identifier: MIT */
#include "bugs/waits.h"

#include <stdio.h>
#include <string.h>

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static ser_wait_line parse_line(const char *line)
{
    static const char held[] = ", which T";
    ser_wait_line wait = {.text = line, .length = (int)strcspn(line, "\n"), .holder = -1};
    const char *end = line + wait.length, *holder = strstr(line, held);
    const char *what = strstr(line, " for ");
    sscanf(line, "T%d", &wait.waiter);
    if (holder && holder < end)
        sscanf(holder + sizeof held - 1, "%d", &wait.holder);
    if (what && what < end) {
        int number, read = 0;
        wait.is_lock = has_prefix(what, " for lock ");
        wait.is_condition = has_prefix(what, " for condition ");
        wait.is_join = sscanf(what, " for T%d%n", &number, &read) == 1 && what + read == end;
    }
    return wait;
}

ser_wait_lines ser_waits_parse(const char *waits)
{
    ser_wait_lines all = {0};
    for (const char *line = waits; *line;) {
        ser_vector_push(&all, parse_line(line));
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return all;
}

const ser_wait_line *ser_wait_of(const ser_wait_lines *all, int thread)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].waiter == thread)
            return &all->items[i];
    return NULL;
}

bool ser_wait_is_in_cycle(const ser_wait_lines *all, const ser_wait_line *wait)
{
    const ser_wait_line *next = wait;
    for (size_t i = 0; i < all->count && next && next->is_lock; i++) {
        next = ser_wait_of(all, next->holder);
        if (next == wait)
            return true;
    }
    return false;
}

/* Does the thread wait only because of another one that waits? */
static bool waits_for_waiter(const ser_wait_lines *all, const ser_wait_line *wait)
{
    return wait->is_join || (wait->is_lock && ser_wait_of(all, wait->holder));
}

char *ser_waits_core(const char *waits)
{
    ser_wait_lines all = ser_waits_parse(waits);
    SER_VECTOR(char) core = {0};
    bool has_cycle = false;
    for (size_t i = 0; i < all.count && !has_cycle; i++)
        has_cycle = ser_wait_is_in_cycle(&all, &all.items[i]);
    for (size_t i = 0; i < all.count; i++) {
        const ser_wait_line *wait = &all.items[i];
        if (has_cycle ? !ser_wait_is_in_cycle(&all, wait) : waits_for_waiter(&all, wait))
            continue;
        for (int j = 0; j < wait->length; j++)
            ser_vector_push(&core, wait->text[j]);
        ser_vector_push(&core, '\n');
    }
    ser_vector_free(&all);
    if (core.count == 0)
        return ser_copy_text(waits, strlen(waits));
    ser_vector_push(&core, '\0');
    return core.items;
}
