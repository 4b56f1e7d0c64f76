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
#include <string.h>

#include "report/dossier/advice_words.h"
#include "report/dossier/held_locks.h"
#include "report/source_line.h"

/* The block holds a lock all the time, and the others do not. */
static void advise_others(const ser_advice *work, uint32_t lock)
{
    uint32_t other = ser_lock_at(work->run, work->between, 0);
    fputs("hold ", work->text);
    ser_advice_lock(work, lock);
    fputs(" in ", work->text);
    ser_advice_function(work, work->between);
    fputs(", too, at ", work->text);
    ser_advice_place(work, work->between);
    if (work->last != work->between &&
        work->run->events[work->last].site != work->run->events[work->between].site) {
        fputs(" to ", work->text);
        ser_advice_place(work, work->last);
    }
    if (other == SER_NO_OBJECT)
        return;
    fputs(": ", work->text);
    ser_advice_lock(work, other);
    fputs(", which it holds there, is another lock", work->text);
}

/* All hold the lock, but the block gives it back in between. */
static void advise_span(const ser_advice *work, uint32_t lock)
{
    uint32_t release = work->run->match[ser_acquire_held(work->run, work->from, lock)];
    bool has_calls = ser_advice_way(work, work->from) || ser_advice_way(work, work->to);
    ser_advice_where(work);
    fputs("hold ", work->text);
    ser_advice_lock(work, lock);
    fputs(" ", work->text);
    ser_advice_span(work);
    if (ser_advice_is_one_place(work))
        return;
    if (has_calls || !release) {
        fputs(", not in each of them alone", work->text);
        return;
    }
    fputs(": do not release it at ", work->text);
    ser_advice_place(work, release);
}

/* Each access has its lock, and the other thread holds both. */
static void advise_both(const ser_advice *work, uint32_t first, uint32_t second)
{
    ser_advice_where(work);
    fputs("hold both ", work->text);
    ser_advice_lock(work, first);
    fputs(" and ", work->text);
    ser_advice_lock(work, second);
    fputs(" ", work->text);
    ser_advice_span(work);
}

static bool is_atomic(const ser_advice *work, uint32_t event)
{
    return work->run->events[event].flow & SER_FLOW_ATOMIC ||
           ser_op_updates((ser_op)work->run->events[event].op);
}

static void widen(const ser_advice *work, uint32_t event, uint32_t *first, uint32_t *last)
{
    uint32_t line = ser_advice_line(work, event);
    *first = line < *first ? line : *first;
    *last = line > *last ? line : *last;
}

/* Does the other thread come in between in the same function? */
static bool is_same_function(const ser_advice *work)
{
    uint32_t other = ser_own_call(work->run, work->between);
    return work->call && other &&
           work->run->events[other].object == work->run->events[work->call].object;
}

/* Or in what it calls? */
static bool is_within_function(const ser_advice *work)
{
    ser_event_list calls = ser_stack_of(work->run, work->between);
    bool found = false;
    for (size_t i = 0; work->call && i < calls.count && !found; i++)
        found = work->run->events[calls.items[i]].object == work->run->events[work->call].object;
    ser_vector_free(&calls);
    return found;
}

/* The function is to hold one lock over all that both do there. */
static bool advise_function(const ser_advice *work)
{
    uint32_t first = UINT32_MAX, last = 0;
    if (!is_same_function(work) || ser_advice_way(work, work->from) ||
        ser_advice_way(work, work->to))
        return false;
    widen(work, work->from, &first, &last);
    widen(work, work->to, &first, &last);
    widen(work, work->between, &first, &last);
    if (first == 0 || first == last)
        return false;
    fprintf(work->text, "hold a lock from line %" PRIu32 " to line %" PRIu32, first, last);
    return true;
}

/* There is no lock that both use. */
static void advise_new_lock(const ser_advice *work)
{
    uint32_t known = ser_lock_at(work->run, work->between, 0);
    bool is_same_code = work->run->events[work->between].site == work->run->events[work->to].site ||
                        work->run->events[work->between].site == work->run->events[work->from].site;
    bool is_one_atomic = is_atomic(work, work->from) && is_atomic(work, work->to) &&
                         work->run->events[work->from].object == work->run->events[work->to].object;
    ser_advice_where(work);
    if (is_one_atomic)
        fputs("use one atomic operation, such as compare-exchange, or ", work->text);
    if (known != SER_NO_OBJECT) {
        fputs("hold ", work->text);
        ser_advice_lock(work, known);
        fputs(" ", work->text);
        ser_advice_span(work);
        fputs(", as ", work->text);
        ser_advice_function(work, work->between);
        fputs(" does at ", work->text);
        ser_advice_place(work, work->between);
        return;
    }
    if (!is_same_code && advise_function(work))
        return;
    fputs("hold a lock ", work->text);
    ser_advice_span(work);
    if (is_same_code || is_within_function(work))
        return;
    fputs(", and the same one in ", work->text);
    ser_advice_function(work, work->between);
    fputs(" at ", work->text);
    ser_advice_place(work, work->between);
}

/* A counter that is changed atomically, and then read once more. */
static bool reads_own_update(const ser_advice *work)
{
    const ser_event *from = &work->run->events[work->from], *to = &work->run->events[work->to];
    return ser_op_updates((ser_op)from->op) && ser_op_only_reads((ser_op)to->op) &&
           from->object == to->object;
}

/* A use of what another thread has freed; another lock around the use would not help. Who has given
 * up its count of the users before is not one of them any more. */
static bool is_use_after_free(const ser_advice *work)
{
    const ser_event *freed = &work->run->events[work->last], *to = &work->run->events[work->to];
    return ser_op_frees((ser_op)freed->op) && freed->object == to->object &&
           !reads_own_update(work);
}

static void advise_memory(const ser_advice *work)
{
    fputs("do not free it in ", work->text);
    ser_advice_function(work, work->last);
    fputs(" (", work->text);
    ser_advice_place(work, work->last);
    fputs(") while another thread may use it: count its users, or hold one lock from where ",
          work->text);
    ser_advice_function(work, work->to);
    fputs(" or its caller gets the pointer until the last use", work->text);
}

/* What it writes for itself, others write, too, before it has read it without a lock. */
static bool reads_own_write(const ser_advice *work)
{
    const ser_event *from = &work->run->events[work->from], *to = &work->run->events[work->to];
    return ser_op_only_writes((ser_op)from->op) && ser_op_only_reads((ser_op)to->op) &&
           from->object == to->object && !ser_run_held(work->run, work->to) &&
           ser_op_only_writes((ser_op)work->run->events[work->between].op);
}

/* "give each thread its own buffer, or ..." for buffer[0] */
static void advise_own(const ser_advice *work)
{
    const char *name =
        ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object);
    uint32_t lock = ser_lock_at(work->run, work->from, 0);
    fprintf(work->text, "give each thread its own %.*s, or ", (int)strcspn(name, "["), name);
    if (lock == SER_NO_OBJECT) {
        advise_new_lock(work);
        return;
    }
    fputs("read it before ", work->text);
    ser_advice_lock(work, lock);
    fputs(" is released", work->text);
}

static bool is_in_allocated_memory(const ser_advice *work, uint32_t event)
{
    return strchr(ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[event].object),
                  '{');
}

/* A pointer by which others find memory that is written only afterwards. */
static bool publishes_early(const ser_advice *work)
{
    enum { LEAST_POINTER = 1 << 16 };
    const ser_event *from = &work->run->events[work->from], *to = &work->run->events[work->to];
    const ser_event *seen = &work->run->events[work->between];
    return ser_op_only_writes((ser_op)from->op) && ser_op_only_writes((ser_op)to->op) &&
           ser_op_only_reads((ser_op)seen->op) && seen->object == from->object &&
           from->flags & SER_EVENT_HAS_VALUE && from->value >= LEAST_POINTER &&
           work->last != work->between && work->run->events[work->last].object == to->object &&
           !is_in_allocated_memory(work, work->from) && is_in_allocated_memory(work, work->to) &&
           ser_lock_at(work->run, work->between, 0) == SER_NO_OBJECT;
}

static void advise_order(const ser_advice *work)
{
    ser_advice_where(work);
    fprintf(work->text, "set %s (",
            ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object));
    ser_advice_place(work, work->from);
    fputs(") only when all that it points to is ready (", work->text);
    ser_advice_place(work, work->to);
    fputs("): other threads use it at once", work->text);
}

/* A lock that the block is to hold for longer than it does. */
static void keep_lock(ser_advice *work, uint32_t lock)
{
    const char *name = ser_plain_name(work->names, SER_SPACE_LOCK, lock);
    work->lock = ser_copy_text(name, strlen(name));
}

/* The wait that the block comes to between its two accesses; 0: none. Only the report of a thread
 * that does not look again, and marked blocks, have one. */
static uint32_t wait_between(const ser_advice *work)
{
    uint32_t at = ser_run_next(work->run, work->from);
    while (at && at < work->to && !ser_op_waits((ser_op)work->run->events[at].op))
        at = ser_run_next(work->run, at);
    return at < work->to ? at : 0;
}

static void advise_wait(const ser_advice *work, uint32_t wait)
{
    ser_advice_where(work);
    fprintf(work->text, "look again at %s when the wait at ",
            ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object));
    ser_advice_place(work, wait);
    fputs(" is over, and wait again if another thread was faster: `while` instead of `if`",
          work->text);
}

static void advise(ser_advice *work, bool is_assignment)
{
    uint32_t wait = wait_between(work);
    uint32_t throughout = ser_lock_throughout(work->run, work->from, work->to);
    uint32_t common = ser_lock_of_all(work->run, work->from, work->to, work->between);
    uint32_t ends = ser_lock_at(work->run, work->from, work->to);
    uint32_t first = ser_lock_at(work->run, work->from, work->between);
    uint32_t second = ser_lock_at(work->run, work->to, work->last);
    uint32_t known = ser_lock_at(work->run, work->between, 0);
    if (is_use_after_free(work)) {
        advise_memory(work);
    } else if (wait) {
        advise_wait(work, wait);
    } else if (common != SER_NO_OBJECT) {
        advise_span(work, common);
        keep_lock(work, common);
    } else if (throughout != SER_NO_OBJECT) {
        advise_others(work, throughout);
    } else if (ends != SER_NO_OBJECT && is_within_function(work)) {
        advise_span(work, ends);
        keep_lock(work, ends);
    } else if (first != SER_NO_OBJECT && second != SER_NO_OBJECT && first != second) {
        advise_both(work, first, second);
    } else if (publishes_early(work)) {
        advise_order(work);
    } else if (reads_own_update(work)) {
        fputs("use the value that the atomic operation at ", work->text);
        ser_advice_place(work, work->from);
        fputs(" returns, rather than what is read later, at ", work->text);
        ser_advice_place(work, work->to);
    } else if (reads_own_write(work)) {
        advise_own(work);
    } else if (is_assignment && first == SER_NO_OBJECT) {
        fprintf(
            work->text, "hold a lock wherever %s is used, or make it atomic",
            ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object));
    } else {
        advise_new_lock(work);
        if (known != SER_NO_OBJECT)
            keep_lock(work, known);
    }
}

/* Does the thread of the block do it after a wait that has ended the block? */
static bool goes_on(const ser_advice *work, uint32_t event)
{
    return work->from && work->run->events[event].thread == work->run->events[work->from].thread;
}

static bool find_ends(ser_advice *work, const ser_picture *picture)
{
    for (size_t i = 0; i < picture->steps.count; i++) {
        const ser_picture_step *step = &picture->steps.items[i];
        if (!(step->flags & SER_STEP_ON_PATH))
            continue;
        if (step->flags & SER_STEP_IN_BLOCK || goes_on(work, step->event)) {
            work->from = work->from ? work->from : step->event;
            work->to = step->event;
        } else {
            work->between = work->between ? work->between : step->event;
            work->last = step->event;
        }
    }
    return work->from && work->to && work->from != work->to && work->between;
}

static bool is_access_of(const ser_run *run, uint32_t event, uint32_t variable)
{
    return run->events[event].object == variable && ser_op_is_access((ser_op)run->events[event].op);
}

/* Where the block acts upon what it has read there, which it has not written before `from`; 0: it
 * does not. */
static uint32_t find_act(const ser_run *run, uint32_t read, uint32_t from)
{
    uint32_t block = run->block_of[read], variable = run->events[read].object;
    for (uint32_t i = ser_run_next(run, read); i && run->block_of[i] == block;
         i = ser_run_next(run, i))
        if (is_access_of(run, i, variable) && ser_op_writes((ser_op)run->events[i].op))
            return i >= from ? i : 0;
    return 0;
}

/* The violation may show only what follows from a look that was out of date: `if (open) { free(p);
 * open = false; }`. The look and its act belong together. */
static void add_check(ser_advice *work)
{
    const ser_run *run = work->run;
    uint32_t block = run->block_of[work->from], act;
    for (uint32_t i = work->from; i && block && run->block_of[i] == block;
         i = ser_run_previous(run, i)) {
        const ser_event *event = &run->events[i];
        if (ser_op_is_access((ser_op)event->op) && ser_op_only_reads((ser_op)event->op) &&
            event->flow & SER_FLOW_DECIDES && (act = find_act(run, i, work->from)) > 0) {
            work->from = i;
            work->to = act > work->to ? act : work->to;
            return;
        }
    }
}

char *ser_make_advice(const ser_picture *picture, const char *location, bool is_assignment,
                      char **lock, bool *in_section)
{
    char *text = NULL;
    size_t size = 0;
    uint32_t line;
    ser_advice work = {.run = picture->run,
                       .names = picture->names,
                       .file = location,
                       .file_length = ser_split_location(location, &line)};
    *lock = NULL;
    *in_section = false;
    if (!find_ends(&work, picture))
        return NULL;
    if (!is_assignment)
        add_check(&work);
    work.call = ser_common_call(work.run, work.from, work.to);
    work.text = open_memstream(&text, &size);
    if (!work.text)
        ser_out_of_memory(size);
    advise(&work, is_assignment);
    fclose(work.text);
    *in_section = ser_lock_throughout(work.run, work.from, work.to) != SER_NO_OBJECT &&
                  ser_lock_of_all(work.run, work.from, work.to, work.between) == SER_NO_OBJECT;
    *lock = work.lock;
    return text;
}
