/* SPDX-License-Identifier: MIT */
/*
 * What to change in the code, from the accesses that show a violation: which locks were held at
 * them tells which lock is missing where. The block is to hold one lock from its first access to
 * its last one; these are named as its own function sees them, by lines or by what it calls there.
 *
 * Main function: ser_make_advice. O(accesses x events of a thread).
 */
#include "report/dossier/advice.h"

#include "report/dossier/advice_words.h"
#include "report/source_line.h"

/* The acquire of the lock that the event's thread holds at the event; 0: it does not hold it. */
static uint32_t holds(const ser_advice *work, uint32_t event, uint32_t lock)
{
    const ser_run *run = work->run;
    for (uint32_t held = ser_run_held(run, event); held; held = ser_run_next_held(run, event, held))
        if (run->events[run->holds.items[held].acquire].object == lock)
            return run->holds.items[held].acquire;
    return 0;
}

/* The innermost lock held at the event that `also` holds, too (0: any); SER_NO_OBJECT: none. */
static uint32_t lock_at(const ser_advice *work, uint32_t event, uint32_t also)
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

/* One that both of the block's accesses and the other thread's hold, each by itself. */
static uint32_t lock_of_all(const ser_advice *work)
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
static uint32_t lock_throughout(const ser_advice *work)
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

/* The block holds a lock all the time, and the others do not. */
static void advise_others(const ser_advice *work, uint32_t lock)
{
    uint32_t other = lock_at(work, work->between, 0);
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
    uint32_t release = work->run->match[holds(work, work->from, lock)];
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

/* There is no lock that both use. */
static void advise_new_lock(const ser_advice *work)
{
    uint32_t known = lock_at(work, work->between, 0);
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
    fputs("hold a lock ", work->text);
    ser_advice_span(work);
    if (is_same_code)
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

/* A use of what another thread has freed; another lock around the use would not help. */
static bool is_use_after_free(const ser_advice *work)
{
    const ser_event *freed = &work->run->events[work->last], *to = &work->run->events[work->to];
    return ser_op_frees((ser_op)freed->op) && freed->object == to->object;
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

static void advise(const ser_advice *work, bool is_assignment)
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
        ser_advice_place(work, work->from);
        fputs(" returns, rather than what is read later, at ", work->text);
        ser_advice_place(work, work->to);
    } else if (is_assignment && first == SER_NO_OBJECT) {
        fprintf(
            work->text, "hold a lock wherever %s is used, or make it atomic",
            ser_plain_name(work->names, SER_SPACE_VARIABLE, work->run->events[work->from].object));
    } else {
        advise_new_lock(work);
    }
}

static bool find_ends(ser_advice *work, const ser_picture *picture)
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
    ser_advice work = {.run = picture->run,
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
