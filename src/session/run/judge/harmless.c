/* SPDX-License-Identifier: MIT */
#include "session/run/judge/harmless.h"

#include <string.h>

#include "session/run/judge/anew.h"
#include "session/run/judge/dispatched.h"
#include "session/run/judge/found_out.h"
#include "session/run/judge/library.h"
#include "session/run/judge/meant.h"
#include "session/run/judge/stale.h"
#include "session/run/judge/turns.h"
#include "session/run/survey/races.h"
#include "session/run/survey/spun.h"

/* Does the block write what it has taken by a read-modify-write before: a lock that the program
 * makes itself? */
static bool gives_back(const ser_run *run, uint32_t block, uint32_t write)
{
    if (!ser_op_only_writes((ser_op)run->events[write].op))
        return false;
    for (uint32_t i = run->blocks.items[block].begin; i && i < write; i = ser_run_next(run, i))
        if (run->events[i].object == run->events[write].object &&
            ser_op_updates((ser_op)run->events[i].op))
            return true;
    return false;
}

/* Are a read and a write, both without a lock, in one critical section of a lock that the program
 * makes itself? Then something orders all writes of the variable, other than these themselves. */
static bool have_own_lock(const ser_care *care, uint32_t block, uint32_t read, uint32_t write)
{
    const ser_run *run = care->run;
    if (ser_section_of(run, block, read) != read || ser_section_of(run, block, write) != write)
        return false;
    for (uint32_t i = ser_run_next(run, read); i && i < write; i = ser_run_next(run, i))
        if (gives_back(run, block, i))
            return false;
    return !ser_writes_race_without(run, run->events[write].object);
}

/* Is the write an operation that a dispatcher calls, which does not get the value that was read? */
static bool are_separate(const ser_run *run, uint32_t read, uint32_t write)
{
    uint16_t given = run->events[read].flow & (SER_FLOW_HANDED | SER_FLOW_DECIDES);
    return given != SER_FLOW_HANDED && ser_are_dispatched(run, read, write);
}

/* Memory that is freed too early is told by who uses it then. */
static bool is_blind_write(ser_op op)
{
    return ser_op_only_writes(op) && !ser_op_frees(op);
}

/* Does the block write a variable that it has only read so far, in another section, so that others
 * may have written it meanwhile? They come before the event `last` of the block. */
static bool overwrites(const ser_care *care, uint32_t block, uint32_t variable,
                       const ser_shown_path *path)
{
    const ser_run *run = care->run;
    bool ends_in_block =
        path->count > 0 && run->block_of[path->events[path->count - 1]] == block + 1;
    uint32_t last = ends_in_block ? path->events[path->count - 1] : UINT32_MAX;
    uint32_t read = 0, read_at = 0; /* the section, if it was not written since, and the event */
    for (uint32_t i = run->blocks.items[block].begin; i && run->block_of[i] == block + 1;
         i = ser_run_next(run, i)) {
        const ser_event *access = &run->events[i];
        if (access->object != variable || !ser_uses_others_write(&care->uses, access))
            continue;
        bool writes = ser_op_writes((ser_op)access->op);
        uint32_t section = ser_section_of(run, block, i);
        if (is_blind_write((ser_op)access->op) && read && read != section &&
            !have_own_lock(care, block, read_at, i) && !ser_is_forgotten(run, read_at, i) &&
            !are_separate(run, read_at, i) && !ser_may_have_turns(run, path, read_at, i) &&
            !ser_is_split(run, path, read_at, i))
            return true;
        read = writes || i >= last ? 0 : section;
        read_at = i;
    }
    return false;
}

static void look_at_run(ser_care *care)
{
    if (care->racy)
        return;
    ser_uses_find(&care->uses, care->run);
    care->spun = ser_spun_find(care->run);
    care->racy = ser_races_find(care->run, care->spun);
    care->own = ser_library_variables(care->run->symbols);
}

/* Are the accesses of a critical section, those among the events, all in further ones inside of it?
 * Then its own lock is for something else, and it is like a function. */
static bool has_inner_locks(const ser_run *run, uint32_t block, const uint32_t *events,
                            size_t count)
{
    uint32_t outer = run->blocks.items[block].begin;
    for (size_t i = 0; i < count; i++)
        if (run->block_of[events[i]] == block + 1 &&
            ser_op_is_access((ser_op)run->events[events[i]].op) &&
            ser_section_of(run, block, events[i]) == outer)
            return false;
    return true;
}

/* Does the block read at last what it has written at first? */
static bool reads_back(const ser_run *run, const uint32_t *events, size_t count)
{
    const ser_event *first = &run->events[events[0]], *last = &run->events[events[count - 1]];
    return ser_op_only_writes((ser_op)first->op) && ser_op_only_reads((ser_op)last->op) &&
           first->object == last->object && first->thread == last->thread;
}

/* Does the violation go from one variable to another, and one of the two is always written
 * with the same value, as if it was found out by each thread that needs it? */
static bool is_found_out_by_each(const ser_run *run, uint32_t block, const uint32_t *events,
                                 size_t count)
{
    if (count < 3 || run->block_of[events[count - 1]] != block + 1)
        return false;
    const ser_event *first = &run->events[events[0]], *last = &run->events[events[count - 1]];
    uint64_t value = 0;
    return ser_op_is_access((ser_op)first->op) && ser_op_is_access((ser_op)last->op) &&
           first->object != last->object &&
           (ser_has_one_value(run, first->object, &value) ||
            ser_has_one_value(run, last->object, &value));
}

/* Is the value compared with constants at once, and kept nowhere? */
static bool is_only_compared(const ser_run *run, const ser_event *event)
{
    uint32_t number = ser_event_guards(event);
    return ser_op_only_reads((ser_op)event->op) && !(event->flow & SER_FLOW_DATA) && number &&
           !strpbrk(ser_symbols_guards(run->symbols, number), "@$=");
}

static bool is_only_looked_at(const ser_run *run, uint32_t block, uint32_t variable)
{
    for (uint32_t i = run->blocks.items[block].begin; i && run->block_of[i] == block + 1;
         i = ser_run_next(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op) && run->events[i].object == variable &&
            !is_only_compared(run, &run->events[i]))
            return false;
    return true;
}

/* Is the violation one of a single variable that the block only looks at, and that others set to
 * constants: a flag? Who is told to stop between two looks notices it at the second one. */
static bool is_flag(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &run->events[events[i]];
        bool is_set = ser_op_only_writes((ser_op)event->op) && event->flow & SER_FLOW_FIXED;
        if (!ser_op_is_access((ser_op)event->op) ||
            event->object != run->events[events[0]].object ||
            (run->block_of[events[i]] != block + 1 && !is_set))
            return false;
    }
    return count > 2 && is_only_looked_at(run, block, run->events[events[0]].object);
}

/* Are both ends of the violation in the block, but not of one operation? */
static bool is_dispatched(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    return count > 2 && run->block_of[events[0]] == block + 1 &&
           run->block_of[events[count - 1]] == block + 1 && events[0] < events[count - 1] &&
           ser_are_dispatched(run, events[0], events[count - 1]);
}

/* Does the path come to this event, or leave it, by the event's variable? It passes over others in
 * their thread's order, and a race of theirs says nothing of the block. */
static bool is_met(const ser_run *run, const uint32_t *events, size_t count, size_t i)
{
    uint32_t variable = run->events[events[i]].object;
    for (size_t k = i > 0 ? i - 1 : 0; k < count && k <= i + 1; k++)
        if (k != i && ser_op_is_access((ser_op)run->events[events[k]].op) &&
            run->events[events[k]].object == variable)
            return true;
    return false;
}

bool ser_care_is_taken(ser_care *care, uint32_t block, const uint32_t *events, size_t count)
{
    ser_block_kind kind = care->run->blocks.items[block].kind;
    if (kind == SER_BLOCK_WHOLE)
        return true;
    look_at_run(care);
    const ser_shown_path path = {events, count, care->order, care->spun};
    const ser_stale_hints hints = {care->racy, care->own, path, care->first};
    if (kind == SER_BLOCK_CHECK && count > 0 && reads_back(care->run, events, count))
        return !care->racy[care->run->events[events[0]].object];
    if (kind == SER_BLOCK_CHECK)
        return ser_find_staleness(care->run, block, &hints) == SER_STALE_LOOKED_AGAIN;
    if (kind == SER_BLOCK_LOCK && !has_inner_locks(care->run, block, events, count))
        return false;
    if (kind != SER_BLOCK_CALL && kind != SER_BLOCK_ROUND && kind != SER_BLOCK_LOCK)
        return false;
    if (is_found_out_by_each(care->run, block, events, count) ||
        ser_is_found_out_again(care->run, block, events, count) ||
        is_flag(care->run, block, events, count))
        return true;
    if (!ser_looks_anew(care->run, block, events, count) &&
        !is_dispatched(care->run, block, events, count) &&
        ser_find_staleness(care->run, block, &hints) == SER_STALE)
        return false;
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &care->run->events[events[i]];
        if (ser_op_is_access((ser_op)event->op) &&
            ((care->racy[event->object] && is_met(care->run, events, count, i)) ||
             overwrites(care, block, event->object, &path)))
            return false;
    }
    return true;
}

void ser_care_fini(ser_care *care)
{
    ser_vector_free(&care->uses);
    free(care->racy);
    free(care->spun);
    free(care->own);
    ser_plain_names_destroy(care->names);
}

void ser_care_note(ser_care *care, ser_bug *bug, bool is_new, uint32_t block,
                   const uint32_t *events, size_t count)
{
    bug->is_careful = (is_new || bug->is_careful) && ser_care_is_taken(care, block, events, count);
    bool is_guess = ser_takes_effect_at_once(care->run, block, events, count);
    if (!ser_block_is_meant(care->run, block, care->guessed))
        is_guess |= care->guessed || ser_is_unseen(care->run, block, events, count);
    bug->is_guessed = (is_new || bug->is_guessed) && is_guess;
}

void ser_care_carry_over(ser_bug *better, const ser_bug *bug)
{
    better->blocks = bug->blocks;
    better->is_careful = bug->is_careful;
    better->is_guessed = bug->is_guessed;
}

void ser_bug_note_minor(ser_bug *bug, const char *why)
{
    if (!bug->consequence)
        bug->consequence = ser_copy_text(why, strlen(why));
}

bool ser_blocks_are_guessed(const char *atomic)
{
    static const char *const guesses[] = {"auto", "functions", "rounds", "updates", "locks"};
    bool is_guess = !atomic;
    for (size_t i = 0; !is_guess && i < sizeof guesses / sizeof *guesses; i++)
        is_guess = strcmp(atomic, guesses[i]) == 0;
    return is_guess;
}

static bool is_harmless(const ser_bug *bug)
{
    return bug->is_guessed && bug->is_careful && !bug->was_felt &&
           bug->status >= SER_BUG_OBSERVED && !ser_bug_memory_error(bug);
}

static bool was_not_shown(const ser_bug *bug)
{
    return bug->is_guessed && bug->is_careful && bug->status < SER_BUG_OBSERVED &&
           !ser_bug_memory_error(bug);
}

static void set_aside(ser_bug *bug, const char *why)
{
    free(bug->consequence);
    bug->consequence = ser_copy_text(why, strlen(why));
    bug->is_minor = true;
}

void ser_run_mark_harmless(ser_run_report *report, bool replays)
{
    for (size_t i = 0; i < report->bugs.list.count; i++) {
        ser_bug *bug = &report->bugs.list.items[i];
        if (bug->is_uncertain && bug->status < SER_BUG_OBSERVED)
            set_aside(bug, "it relies on an atomic operation not to write, and no replay has "
                           "confirmed it");
        else if (replays && was_not_shown(bug))
            set_aside(bug, "there is no data race, nothing that was changed meanwhile is "
                           "overwritten, and no replay has shown it");
        else if (is_harmless(bug))
            set_aside(bug, "there is no data race, nothing that was changed meanwhile is "
                           "overwritten, and the program did the same");
    }
}
