/* SPDX-License-Identifier: MIT */
#include "session/run/judge/stale.h"

#include <string.h>

#include "base/idmap.h"
#include "session/run/judge/anew.h"
#include "session/run/judge/anyway.h"
#include "session/run/judge/recheck.h"
#include "symbolic/guards.h"

/* The last look of the block at a variable that it has not written since. */
typedef struct look {
    uint32_t event, section;
    bool is_taken; /* the block has changed the variable by a compare-exchange before */
} look;

/* All of them. A section that looks again at any of it knows more than what was looked at first:
 * parts of a container depend on each other. That does not make a value newer that is handed
 * to a caller, which stores what it makes of it. */
typedef struct look_list {
    SER_VECTOR(look) all;
    ser_idmap places; /* by variable: which of them */
    uint32_t again;   /* the last such section */
} look_list;

uint32_t ser_section_of(const ser_run *run, uint32_t block, uint32_t event)
{
    const ser_run_block *whole = &run->blocks.items[block];
    uint32_t outer = whole->kind == SER_BLOCK_LOCK ? whole->begin : 0;
    uint32_t section = event;
    for (uint32_t held = ser_run_held(run, event); held;
         held = ser_run_next_held(run, event, held)) {
        uint32_t acquire = run->holds.items[held].acquire;
        bool is_section = !(run->events[acquire].flow & SER_FLOW_ONCE);
        if (is_section && (acquire != outer || section == event))
            section = acquire;
    }
    return section;
}

/* --- would others have led to another decision? -------------------------------- */

typedef struct decision {
    ser_guards guards;
    uint64_t results[SER_MOST_GUARDS];
} decision;

static bool decides_otherwise(const decision *made, uint64_t value)
{
    uint64_t results[SER_MOST_GUARDS];
    return !ser_guards_evaluate(&made->guards, value, results) ||
           memcmp(results, made->results, made->guards.count * sizeof *results) != 0;
}

/* The written value, or what several such changes in a row lead to. */
static bool leads_elsewhere(const decision *made, const ser_event *write, uint64_t before)
{
    enum { MOST_DOUBLINGS = 20 };
    uint64_t change = write->value - before;
    for (int i = 0; i < MOST_DOUBLINGS; i++)
        if (decides_otherwise(made, write->value + (change << i) - change))
            return true;
    return false;
}

/* Of a thread: who has started it, and which events of that one come before or after all of it. */
typedef struct lifetime {
    uint32_t parent, fork, join;
} lifetime;

static lifetime find_lifetime(const ser_run *run, uint32_t thread)
{
    lifetime found = {.parent = UINT32_MAX, .join = UINT32_MAX};
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_forks((ser_op)event->op) && event->object == thread)
            found = (lifetime){event->thread, i, UINT32_MAX};
        else if (ser_op_joins((ser_op)event->op) && event->object == thread &&
                 event->thread == found.parent)
            found.join = i;
    }
    return found;
}

static bool may_meet(const lifetime *life, const ser_event *event, uint32_t number)
{
    return event->thread != life->parent || (number > life->fork && number < life->join);
}

/* Without a decision: does another thread write the variable meanwhile at all? */
static bool others_interfere(const ser_run *run, const ser_event *read, const decision *made)
{
    const lifetime life = find_lifetime(run, read->thread);
    uint64_t before = 0;
    bool is_known = false;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || event->object != read->object)
            continue;
        bool has_value = event->flags & SER_EVENT_HAS_VALUE;
        if (ser_op_writes((ser_op)event->op) && event->thread != read->thread &&
            may_meet(&life, event, i) &&
            (!made || !has_value || leads_elsewhere(made, event, is_known ? before : event->value)))
            return true;
        before = event->value;
        is_known = has_value;
    }
    return false;
}

/* Are there expressions over the value that tell how it decides? */
static bool find_guards(const ser_run *run, const ser_event *read, decision *made)
{
    uint32_t number = read->flow >> SER_GUARDS_SHIFT;
    if (!(read->flow & SER_FLOW_DECIDES) || !number || !(read->flags & SER_EVENT_HAS_VALUE))
        return false;
    unsigned ignored;
    const char *text = ser_guards_skip_delay(ser_symbols_guards(run->symbols, number), &ignored);
    return ser_guards_parse(&made->guards, text, strlen(text)) && made->guards.count > 0 &&
           ser_guards_evaluate(&made->guards, read->value, made->results);
}

static ser_staleness judge_look(const ser_run *run, const ser_event *read)
{
    decision made = {0};
    ser_staleness found = SER_STALE_LOOKED_AGAIN;
    bool has_guards = find_guards(run, read, &made);
    if (others_interfere(run, read, NULL))
        found = !has_guards || others_interfere(run, read, &made) ? SER_STALE : SER_STALE_BUT_TRUE;
    ser_guards_fini(&made.guards);
    return found;
}

/* --- what the block looks at, and writes ---------------------------------------- */

static look *look_at(look_list *looks, uint32_t variable)
{
    uint32_t place = *ser_idmap_add(&looks->places, variable, (uint32_t)looks->all.count);
    if (place == looks->all.count)
        ser_vector_push(&looks->all, ((look){0}));
    return &looks->all.items[place];
}

/* An update that returns what it has read looks again if it decides by that what was decided
 * before, or some of it.
 */
static bool is_no_look(const ser_run *run, const look *known, uint32_t event)
{
    const ser_event *access = &run->events[event];
    return access->flow & (SER_FLOW_DATA | SER_FLOW_BLIND) ||
           (ser_op_updates((ser_op)access->op) && access->flow & SER_FLOW_MODIFIES &&
            !ser_notices_some(run, known->event, event));
}

static void see_read(const ser_run *run, look_list *looks, uint32_t event, uint32_t section)
{
    const ser_event *access = &run->events[event];
    look *known = look_at(looks, access->object);
    bool is_later = known->event && known->section != section;
    if (is_later && is_no_look(run, known, event))
        return;
    if (is_later)
        looks->again = section;
    if (is_later && access->flow & SER_FLOW_ANYWAY)
        return;
    if ((!known->event || is_later) && access->flow & (SER_FLOW_DATA | SER_FLOW_DECIDES))
        *known = (look){event, section, known->is_taken};
    else if (is_later)
        known->event = 0;
}

/* Is it handed to a caller that stores it, or what is computed from it? */
static bool is_carried_over(const ser_event *read)
{
    const uint16_t wanted = SER_FLOW_DATA | SER_FLOW_HANDED;
    return (read->flow & wanted) == wanted;
}

/* Was the code seen by a compiler that says of reads what they decide, and whether they are handed
 * on? Of Java it is not known. */
static bool is_examined(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) &&
           event->flow & (SER_FLOW_DECIDES | SER_FLOW_ANYWAY | SER_FLOW_BLIND);
}

/* Of a return: does the caller not get to know what the call has read? */
static bool keeps_to_itself(const ser_run *run, uint32_t end)
{
    int open = 0;
    for (uint32_t i = end; i; i = ser_run_previous(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        open += ser_op_returns(op) - ser_op_calls(op);
        if (open == 0)
            return run->events[i].flow & SER_FLOW_KEEPS;
    }
    return false;
}

bool ser_is_forgotten(const ser_run *run, uint32_t read, uint32_t write)
{
    bool was_handed = run->events[read].flow & SER_FLOW_HANDED;
    int depth = 0;
    bool is_known = is_examined(&run->events[read]), is_lost = false;
    for (uint32_t i = ser_run_next(run, read); i && i < write && !(is_known && is_lost);
         i = ser_run_next(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        depth += ser_op_calls(op) - ser_op_returns(op);
        if (depth < 0) {
            is_lost |= !was_handed || keeps_to_itself(run, i);
            depth = 0;
        }
        is_known |= is_examined(&run->events[i]);
    }
    return is_known && is_lost;
}

/* Is what is written read right before, of another variable? Then it is made of that, and not of an
 * older look: an element that was taken from one list is put into another. */
static bool is_copied(const ser_run *run, uint32_t before, uint32_t write)
{
    const ser_event *from = &run->events[before], *to = &run->events[write];
    return before && ser_op_only_reads((ser_op)from->op) && from->flow & SER_FLOW_DATA &&
           from->object != to->object && from->flags & to->flags & SER_EVENT_HAS_VALUE &&
           from->value == to->value;
}

/* Who frees memory too early is told by who uses it then. */
static bool is_act(const ser_run *run, uint32_t before, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return ser_op_writes(op) && !ser_op_frees(op) && !is_copied(run, before, event);
}

/* Is the violation known, and shown by other variables? */
static bool is_aside(const ser_run *run, const ser_stale_hints *hints, uint32_t variable)
{
    for (size_t i = 0; hints && i < hints->path.count; i++)
        if (run->events[hints->path.events[i]].object == variable &&
            ser_op_is_access((ser_op)run->events[hints->path.events[i]].op))
            return false;
    return hints;
}

/* Is a variable that is read and written without a lock, and without a race, handed from thread to
 * thread? Of one by which the violation is shown it is not believed: the run may have been lucky.
 */
static bool is_handed_over(const ser_run *run, const ser_stale_hints *hints, const look *known,
                           uint32_t write, uint32_t section)
{
    uint32_t variable = run->events[write].object;
    return is_aside(run, hints, variable) && known->section == known->event && section == write &&
           !hints->racy[variable];
}

/* Is what is written a constant, as the links of a list are, though what was looked at is only
 * stored somewhere, and decides nothing? */
static bool is_constant(const ser_run *run, const ser_stale_hints *hints, uint32_t read,
                        uint32_t write)
{
    return is_aside(run, hints, run->events[write].object) &&
           (run->events[read].flow & (SER_FLOW_DATA | SER_FLOW_DECIDES)) == SER_FLOW_DATA &&
           run->events[write].flow & SER_FLOW_FIXED;
}

/* A lock that the program makes of an atomic variable: who has it waits for others to leave, and
 * then changes only its own part of the variable. */
static bool is_part_of_lock(const ser_run *run, const look *known, uint32_t write)
{
    return known->is_taken && ser_op_updates((ser_op)run->events[write].op) &&
           run->events[write].flow & SER_FLOW_MODIFIES;
}

/* Sets or clears constant bits, and does not ask what was there ("=v,2,or64"): a mark for others.
 * It changes nothing else, and to set it in vain, or twice, is as good as once. */
static bool is_mark(const ser_run *run, uint32_t write)
{
    const ser_event *event = &run->events[write];
    uint32_t number = ser_event_guards(event);
    if (!(event->flow & SER_FLOW_MODIFIES) || !(event->flow & SER_FLOW_DATA) || !number)
        return false;
    static const char made[] = "=v,";
    const char *text = ser_symbols_guards(run->symbols, number);
    if (strncmp(text, made, sizeof made - 1) != 0)
        return false;
    text += sizeof made - 1;
    text += strspn(text, "0123456789");
    return strncmp(text, ",or", 3) == 0 || strncmp(text, ",and", 4) == 0;
}

/* An old value may still be stored elsewhere. */
static bool is_put_back(const ser_run *run, const look *known, uint32_t write, uint32_t section)
{
    return !(run->events[known->event].flow & SER_FLOW_DATA) &&
           ser_is_put_back(run, known->section, known->event, section, write);
}

static void note_taken(const ser_run *run, look_list *looks, uint32_t write)
{
    const ser_event *event = &run->events[write];
    if (ser_op_updates((ser_op)event->op) && !(event->flow & SER_FLOW_MODIFIES))
        look_at(looks, event->object)->is_taken = true;
}

/* The act of a function may be stale in many ways; a block that is a look and its act is one only
 * if somebody comes between these, which it does not notice. */
static bool was_not_shown(const ser_run *run, const ser_stale_hints *hints, uint32_t read,
                          uint32_t write)
{
    bool is_check = run->blocks.items[run->block_of[write] - 1].kind == SER_BLOCK_CHECK;
    return ser_is_split(run, &hints->path, read, write) ||
           (is_check ? !ser_came_between(run, &hints->path, read, write)
                     : ser_may_have_turns(run, &hints->path, read, write));
}

static ser_staleness judge_write(const ser_run *run, const ser_stale_hints *hints, look_list *looks,
                                 uint32_t write, uint32_t section)
{
    look *known = look_at(looks, run->events[write].object);
    ser_staleness found = SER_STALE_LOOKED_AGAIN;
    const ser_event *read = &run->events[known->event];
    bool is_old = known->event && known->section != section &&
                  !(hints && hints->own[run->events[write].object]) &&
                  !is_handed_over(run, hints, known, write, section);
    if (is_old && (looks->again != section || is_carried_over(read)))
        found = judge_look(run, read);
    if (found == SER_STALE &&
        (ser_run_writes_anyway(run, hints ? hints->first : NULL, known->event, write) ||
         is_constant(run, hints, known->event, write) || is_part_of_lock(run, known, write) ||
         is_mark(run, write) || is_put_back(run, known, write, section) ||
         ser_is_forgotten(run, known->event, write) ||
         (hints && was_not_shown(run, hints, known->event, write))))
        found = SER_STALE_LOOKED_AGAIN;
    known->event = 0;
    return found;
}

ser_staleness ser_find_staleness(const ser_run *run, uint32_t block, const ser_stale_hints *hints)
{
    look_list looks = {0};
    ser_staleness found = SER_STALE_LOOKED_AGAIN;
    uint32_t before = 0; /* the last access */
    for (uint32_t i = run->blocks.items[block].begin;
         i && run->block_of[i] == block + 1 && found != SER_STALE; i = ser_run_next(run, i)) {
        const ser_event *access = &run->events[i];
        if (!ser_op_is_access((ser_op)access->op))
            continue;
        uint32_t section = ser_section_of(run, block, i);
        ser_staleness here = SER_STALE_LOOKED_AGAIN;
        if (ser_op_reads((ser_op)access->op))
            see_read(run, &looks, i, section);
        if (is_act(run, before, i))
            here = judge_write(run, hints, &looks, i, section);
        else if (ser_op_writes((ser_op)access->op))
            look_at(&looks, access->object)->event = 0;
        note_taken(run, &looks, i);
        found = here > found ? here : found;
        before = i;
    }
    ser_idmap_fini(&looks.places);
    ser_vector_free(&looks.all);
    return found;
}

bool ser_is_answer(const ser_run *run, uint32_t block, uint32_t event)
{
    const ser_event *access = &run->events[event];
    if (!ser_op_is_access((ser_op)access->op))
        return false;
    uint32_t read = ser_op_reads((ser_op)access->op) ? event : ser_run_previous(run, event);
    while (read && (run->events[read].object != access->object ||
                    !ser_op_is_access((ser_op)run->events[read].op)))
        read = ser_run_previous(run, read);
    uint32_t source = read && ser_op_reads((ser_op)run->events[read].op) ? run->couple[read] : 0;
    return source && run->block_of[source] == block + 1;
}
