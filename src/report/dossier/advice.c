/* SPDX-License-Identifier: MIT */
/*
 * What to change in the code, from the accesses that show a violation: which locks were held at
 * them tells which lock is missing where. The block is to hold one lock from its first access to
 * its last one; these are named as its own function sees them, by lines or by what it calls there.
 *
 * Main function: ser_make_advice. O(accesses x events of a thread).
 */
#include "report/dossier/advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bugs/naming.h"
#include "report/dossier/own_lines.h"
#include "report/short_function.h"
#include "report/source_line.h"

typedef struct advice {
    const ser_run *run;
    const ser_plain_names *names;
    const char *file; /* of the block: its lines are named without it */
    int file_length;
    uint32_t from, to;      /* the block's first and last access */
    uint32_t between, last; /* the first and the last access of another thread */
    uint32_t call;          /* the innermost that has both of the block's; 0: not known */
    FILE *text;
} advice;

/* --- places ---------------------------------------------------------------------- */

/* "line 12", or "list.c:12" in another file than the block. */
static void write_location(const advice *work, const char *location)
{
    uint32_t line;
    int length = ser_split_location(location, &line);
    const char *brief = ser_brief_location(location);
    int skipped = (int)(brief - location);
    bool is_here =
        length && length == work->file_length && strncmp(location, work->file, (size_t)length) == 0;
    if (is_here)
        fprintf(work->text, "line %" PRIu32, line);
    else if (length > skipped)
        fprintf(work->text, "%.*s:%" PRIu32, length - skipped, brief, line);
    else
        fputs(brief, work->text);
}

static void write_place(const advice *work, uint32_t event)
{
    char *location = ser_own_location(work->run, work->names, event);
    write_location(work, location);
    free(location);
}

static void write_function_of(const advice *work, uint32_t event)
{
    uint32_t own = ser_own_event(work->run, event);
    const char *name = ser_bug_function(work->run->symbols, &work->run->events[own ? own : event]);
    char *brief = ser_short_function(name);
    if (*brief)
        fprintf(work->text, "%s()", brief);
    else
        fputs("the other thread", work->text);
    free(brief);
}

/* The call by which the block's function leads to the event; 0: it is its own. */
static uint32_t way_to(const advice *work, uint32_t event)
{
    ser_event_list stack = ser_stack_of(work->run, event);
    uint32_t way = 0;
    for (size_t i = 0; i + 1 < stack.count && !way; i++)
        if (stack.items[i] == work->call)
            way = stack.items[i + 1];
    ser_vector_free(&stack);
    bool is_own = way && !ser_is_library_place(
                             ser_symbols_location(work->run->symbols, work->run->events[way].site));
    return is_own ? way : 0;
}

/* "line 12", "the call of get() (line 12)" */
static void write_end(const advice *work, uint32_t event)
{
    uint32_t way = way_to(work, event);
    if (!way) {
        write_place(work, event);
        return;
    }
    char *line = ser_find_call_line(work->run, work->call, way);
    char *function =
        ser_short_function(ser_bug_function(work->run->symbols, &work->run->events[way]));
    fprintf(work->text, "the call of %s()", function);
    if (line) {
        fputs(" (", work->text);
        write_location(work, line);
        fputs(")", work->text);
    }
    free(function);
    free(line);
}

/* Are two calls of the block's function in one line, as far as is known? */
static bool is_one_line(const advice *work, uint32_t one, uint32_t other)
{
    char *first = ser_find_call_line(work->run, work->call, one);
    char *second = ser_find_call_line(work->run, work->call, other);
    bool is_same = !first || !second || strcmp(first, second) == 0;
    free(first);
    free(second);
    return is_same;
}

/* Are both accesses at one place of the block's function, which comes there twice? */
static bool is_one_place(const advice *work)
{
    uint32_t one = way_to(work, work->from), other = way_to(work, work->to);
    const ser_event *events = work->run->events;
    if (one || other)
        return one && other && events[one].site == events[other].site && one != other &&
               is_one_line(work, one, other);
    return events[work->from].site == events[work->to].site;
}

/* Does the block let others in by giving up every lock in between? */
static bool is_taken_anew(const advice *work)
{
    return ser_run_held(work->run, work->from) && ser_run_held(work->run, work->to);
}

/* "from line 8 to line 12" */
static void write_span(const advice *work)
{
    if (is_one_place(work)) {
        fputs(way_to(work, work->from) ? "over both: " : "over all that it does at ", work->text);
        write_end(work, work->from);
        if (way_to(work, work->from))
            fputs(", and its next call", work->text);
        else if (is_taken_anew(work))
            fputs(", not anew each time", work->text);
        return;
    }
    fputs("from ", work->text);
    write_end(work, work->from);
    fputs(" to ", work->text);
    write_end(work, work->to);
}

static void write_where(const advice *work)
{
    fputs("in ", work->text);
    if (work->call) {
        char *brief = ser_short_function(
            ser_bug_function(work->run->symbols, &work->run->events[work->call]));
        fprintf(work->text, "%s(), ", brief);
        free(brief);
        return;
    }
    write_function_of(work, work->from);
    fputs(", ", work->text);
}

/* --- locks ----------------------------------------------------------------------- */

/* The acquire of the lock that the event's thread holds at the event; 0: it does not hold it. */
static uint32_t holds(const advice *work, uint32_t event, uint32_t lock)
{
    const ser_run *run = work->run;
    for (uint32_t held = ser_run_held(run, event); held; held = ser_run_next_held(run, event, held))
        if (run->events[run->holds.items[held].acquire].object == lock)
            return run->holds.items[held].acquire;
    return 0;
}

/* The innermost lock held at the event that `also` holds, too (0: any); SER_NO_OBJECT: none. */
static uint32_t lock_at(const advice *work, uint32_t event, uint32_t also)
{
    const ser_run *run = work->run;
    for (uint32_t held = ser_run_held(run, event); held;
         held = ser_run_next_held(run, event, held)) {
        uint32_t lock = run->events[run->holds.items[held].acquire].object;
        if (!also || holds(work, also, lock))
            return lock;
    }
    return SER_NO_OBJECT;
}

static const char *name_of(const advice *work, uint32_t lock)
{
    return ser_plain_name(work->names, SER_SPACE_LOCK, lock);
}

/* One that both of the block's accesses and the other thread's hold, each by itself. */
static uint32_t lock_of_all(const advice *work)
{
    const ser_run *run = work->run;
    for (uint32_t held = ser_run_held(run, work->from); held;
         held = ser_run_next_held(run, work->from, held)) {
        uint32_t lock = run->events[run->holds.items[held].acquire].object;
        if (holds(work, work->to, lock) && holds(work, work->between, lock))
            return lock;
    }
    return SER_NO_OBJECT;
}

/* One that is held from the first to the last access, without a release. */
static uint32_t lock_throughout(const advice *work)
{
    const ser_run *run = work->run;
    for (uint32_t held = ser_run_held(run, work->from); held;
         held = ser_run_next_held(run, work->from, held)) {
        uint32_t acquire = run->holds.items[held].acquire;
        if (holds(work, work->to, run->events[acquire].object) == acquire)
            return run->events[acquire].object;
    }
    return SER_NO_OBJECT;
}

/* --- what to change ---------------------------------------------------------------- */

/* The block holds a lock all the time, and the others do not. */
static void advise_others(const advice *work, uint32_t lock)
{
    uint32_t other = lock_at(work, work->between, 0);
    fprintf(work->text, "hold %s in ", name_of(work, lock));
    write_function_of(work, work->between);
    fputs(", too, at ", work->text);
    write_place(work, work->between);
    if (work->last != work->between &&
        work->run->events[work->last].site != work->run->events[work->between].site) {
        fputs(" to ", work->text);
        write_place(work, work->last);
    }
    if (other != SER_NO_OBJECT)
        fprintf(work->text, ": %s, which it holds there, is another lock", name_of(work, other));
}

/* All hold the lock, but the block gives it back in between. */
static void advise_span(const advice *work, uint32_t lock)
{
    uint32_t release = work->run->match[holds(work, work->from, lock)];
    bool has_calls = way_to(work, work->from) || way_to(work, work->to);
    write_where(work);
    fprintf(work->text, "hold %s ", name_of(work, lock));
    write_span(work);
    if (is_one_place(work))
        return;
    if (has_calls || !release) {
        fputs(", not in each of them alone", work->text);
        return;
    }
    fputs(": do not release it at ", work->text);
    write_place(work, release);
}

/* Each access has its lock, and the other thread holds both. */
static void advise_both(const advice *work, uint32_t first, uint32_t second)
{
    write_where(work);
    fprintf(work->text, "hold both %s and %s ", name_of(work, first), name_of(work, second));
    write_span(work);
}

static bool is_atomic(const advice *work, uint32_t event)
{
    return work->run->events[event].flow & SER_FLOW_ATOMIC ||
           ser_op_updates((ser_op)work->run->events[event].op);
}

/* There is no lock that both use. */
static void advise_new_lock(const advice *work)
{
    uint32_t known = lock_at(work, work->between, 0);
    bool is_same_code = work->run->events[work->between].site == work->run->events[work->to].site ||
                        work->run->events[work->between].site == work->run->events[work->from].site;
    bool is_one_atomic = is_atomic(work, work->from) && is_atomic(work, work->to) &&
                         work->run->events[work->from].object == work->run->events[work->to].object;
    write_where(work);
    if (is_one_atomic)
        fputs("use one atomic operation, such as compare-exchange, or ", work->text);
    if (known != SER_NO_OBJECT) {
        fprintf(work->text, "hold %s ", name_of(work, known));
        write_span(work);
        fputs(", as ", work->text);
        write_function_of(work, work->between);
        fputs(" does at ", work->text);
        write_place(work, work->between);
        return;
    }
    fputs("hold a lock ", work->text);
    write_span(work);
    if (is_same_code)
        return;
    fputs(", and the same one in ", work->text);
    write_function_of(work, work->between);
    fputs(" at ", work->text);
    write_place(work, work->between);
}

/* A counter that is changed atomically, and then read once more. */
static bool reads_own_update(const advice *work)
{
    const ser_event *from = &work->run->events[work->from], *to = &work->run->events[work->to];
    return ser_op_updates((ser_op)from->op) && ser_op_only_reads((ser_op)to->op) &&
           from->object == to->object;
}

/* A use of what another thread has freed; another lock around the use would not help. */
static bool is_use_after_free(const advice *work)
{
    const ser_event *freed = &work->run->events[work->last], *to = &work->run->events[work->to];
    return ser_op_frees((ser_op)freed->op) && freed->object == to->object;
}

static void advise_memory(const advice *work)
{
    fputs("do not free it in ", work->text);
    write_function_of(work, work->last);
    fputs(" (", work->text);
    write_place(work, work->last);
    fputs(") while another thread may use it: count its users, or hold one lock from where ",
          work->text);
    write_function_of(work, work->to);
    fputs(" or its caller gets the pointer until the last use", work->text);
}

static void advise(const advice *work, bool is_assignment)
{
    uint32_t throughout = lock_throughout(work), common = lock_of_all(work);
    uint32_t first = lock_at(work, work->from, work->between);
    uint32_t second = lock_at(work, work->to, work->last);
    if (is_use_after_free(work)) {
        advise_memory(work);
    } else if (common != SER_NO_OBJECT) {
        advise_span(work, common);
    } else if (throughout != SER_NO_OBJECT) {
        advise_others(work, throughout);
    } else if (first != SER_NO_OBJECT && second != SER_NO_OBJECT && first != second) {
        advise_both(work, first, second);
    } else if (reads_own_update(work)) {
        fputs("use the value that the atomic operation at ", work->text);
        write_place(work, work->from);
        fputs(" returns, rather than what is read later, at ", work->text);
        write_place(work, work->to);
    } else if (is_assignment && first == SER_NO_OBJECT) {
        fprintf(
            work->text, "hold a lock wherever %s is used, or make it atomic",
            ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object));
    } else {
        advise_new_lock(work);
    }
}

/* --- from a picture ----------------------------------------------------------------- */

static bool find_ends(advice *work, const ser_picture *picture)
{
    for (size_t i = 0; i < picture->steps.count; i++) {
        const ser_picture_step *step = &picture->steps.items[i];
        if (!(step->flags & SER_STEP_ON_PATH))
            continue;
        if (step->flags & SER_STEP_IN_BLOCK) {
            work->from = work->from ? work->from : step->event;
            work->to = step->event;
        } else {
            work->between = work->between ? work->between : step->event;
            work->last = step->event;
        }
    }
    return work->from && work->to && work->from != work->to && work->between;
}

char *ser_make_advice(const ser_picture *picture, const char *location, bool is_assignment)
{
    char *text = NULL;
    size_t size = 0;
    uint32_t line;
    advice work = {.run = picture->run,
                   .names = picture->names,
                   .file = location,
                   .file_length = ser_split_location(location, &line)};
    if (!find_ends(&work, picture))
        return NULL;
    work.call = ser_common_call(work.run, work.from, work.to);
    work.text = open_memstream(&text, &size);
    if (!work.text)
        ser_out_of_memory(size);
    advise(&work, is_assignment);
    fclose(work.text);
    return text;
}
