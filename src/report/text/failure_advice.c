/* SPDX-License-Identifier: MIT */
/*
 * What to change, of a failure that is reported by itself. Less is known of it than of a violated
 * block: which thread waits for what, or which value it read too early.
 */
#include "report/text/failure_advice.h"

#include <stdio.h>
#include <string.h>

#include "bugs/waits.h"
#include "report/source_line.h"

static const char *advise_wait(const ser_wait_lines *all, const ser_wait_line *wait)
{
    if (wait->is_lock && wait->holder == wait->waiter)
        return "do not lock what the same thread holds already: let the caller hold it, or release "
               "it before";
    if (ser_wait_is_in_cycle(all, wait))
        return "take these locks in the same order everywhere, or take both at once, or release "
               "the one before waiting for the other";
    if (wait->is_lock && wait->holder >= 0 && !ser_wait_of(all, wait->holder))
        return "release the lock on every way out of the code that holds it: its holder has ended";
    return NULL;
}

/* Behind " for semaphore ", to the end of the line; NULL: it waits for something else. */
static const char *semaphore_of(const ser_wait_line *wait)
{
    static const char taken[] = " for semaphore ";
    const char *found = strstr(wait->text, taken);
    return found && found < wait->text + wait->length ? found + sizeof taken - 1 : NULL;
}

/* Do threads wait for several semaphores? Who has taken one is not known. */
static bool wait_for_semaphores(const ser_wait_lines *all)
{
    const char *first = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const char *name = semaphore_of(&all->items[i]);
        size_t length = name ? strcspn(name, "\n") : 0;
        if (name && first && (length != strcspn(first, "\n") || strncmp(name, first, length) != 0))
            return true;
        first = first ? first : name;
    }
    return false;
}

static const char *advise_deadlock(const ser_failure *failure)
{
    ser_wait_lines all = ser_waits_parse(failure->waits);
    const char *advice = NULL;
    bool waits_for_condition = false;
    for (size_t i = 0; i < all.count && !advice; i++) {
        advice = advise_wait(&all, &all.items[i]);
        waits_for_condition |= all.items[i].is_condition;
    }
    if (!advice && waits_for_condition)
        advice = "change what a thread waits for, and notify, under the lock that it waits with, "
                 "and let it test that in a loop before it waits; wake all if several may wait";
    else if (!advice && wait_for_semaphores(&all))
        advice = "take these semaphores in the same order everywhere, or post the one that a "
                 "thread has taken before it waits for another";
    ser_vector_free(&all);
    return advice;
}

static char *copy(const char *text)
{
    return text ? ser_copy_text(text, strlen(text)) : NULL;
}

/* A value that was not there yet, and that another thread had written in the good run. */
static char *advise_order(const ser_difference *difference)
{
    const char *writer = difference->expected_writer, *reader = difference->thread;
    char *text = NULL, *how = NULL;
    if (!difference->variable || !*difference->variable || *difference->writer || !writer ||
        !*difference->expected_written_at)
        return NULL;
    int length =
        strcmp(writer, "T0") == 0
            ? asprintf(&how, "do that before %s is started, or let %s wait for it", reader, reader)
            : asprintf(&how, "let %s join %s, or wait for it", reader, writer);
    if (length < 0 || asprintf(&text, "%s has to write %s (%s) before %s reads it (%s): %s", writer,
                               difference->plain ? difference->plain : difference->variable,
                               ser_brief_location(difference->expected_written_at), reader,
                               ser_brief_location(difference->location), how) < 0)
        ser_out_of_memory(0);
    free(how);
    return text;
}

char *ser_failure_make_advice(const ser_failure *failure)
{
    switch (failure->kind) {
    case SER_FAILURE_DEADLOCK:
        return copy(advise_deadlock(failure));
    case SER_FAILURE_USE_AFTER_FREE:
        return copy("free it when no other thread can use it any more: wait for its users, or "
                    "count them");
    case SER_FAILURE_DOUBLE_FREE:
        return copy("let one owner free it: take the pointer out and test it in one step, under a "
                    "lock or by an atomic exchange");
    case SER_FAILURE_SIGNAL:
    case SER_FAILURE_EXIT:
        return advise_order(&failure->difference);
    case SER_FAILURE_EXCEPTION:
        break;
    }
    return NULL;
}
