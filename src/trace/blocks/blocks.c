/* SPDX-License-Identifier: MIT */
/*
 * Marks blocks by what opens them: begin markers, the first lock a thread takes,
 * the call of an atomic function, the read of a compound assignment, or what a thread acts upon
 * later (checks.h). ser_blocks_mark is the main function.
 *
 * A thread has at most one open block, which is closed only by the counterpart of what opened it.
 * So blocks that would nest in it, or overlap it, are not marked.
 */
#include "trace/blocks/blocks.h"

#include "base/vector.h"
#include "trace/blocks/checks.h"
#include "trace/blocks/compounds.h"
#include "trace/blocks/function_spec.h"
#include "trace/blocks/function_survey.h"

typedef enum mode { MARKERS, LOCKS, FUNCTIONS, AUTO, NAMED_FUNCTIONS } mode;

enum opener { NOTHING, LOCK, CALL, COMPOUND, CHECK };

typedef struct thread_state {
    enum opener opener;   /* what opened the block that is open */
    bool reopens;         /* a wait ended a span of locks: the next event starts another */
    uint32_t locks;       /* locks held */
    uint32_t calls;       /* calls open */
    uint32_t block_calls; /* with opener CALL: how many were open with the block's own call */
    uint64_t block_end;   /* with opener CHECK: its position */
} thread_state;

/* Whether a function is atomic, computed on demand. */
enum answer { UNKNOWN, NO, YES };

struct ser_blocks {
    mode mode;
    bool by_locks;
    bool by_calls;
    unsigned rounds; /* of survey, completed */
    const ser_symbols *symbols;
    ser_function_survey *survey;
    ser_compounds compounds;
    ser_checks *checks; /* NULL: not asked for */
    bool any_checks;
    uint64_t position; /* of the event that is marked */
    ser_function_spec *spec;
    SER_VECTOR(uint8_t) atomic; /* by function: enum answer */
    SER_VECTOR(thread_state) threads;
    SER_VECTOR(bool) inside; /* by thread, with markers: in a block */
    bool in_step;            /* the event before is joined to this one, */
    bool step_is_marked;     /* and is the first of a step outside blocks, or in it */
    size_t reopening;        /* threads with `reopens` */
    uint64_t count;          /* blocks opened */
};

static mode mode_of(const char *spec)
{
    static const char *const words[] = {"markers", "locks", "functions", "auto"};
    if (!spec)
        return MARKERS;
    for (int i = MARKERS; i <= AUTO; i++)
        if (strcmp(spec, words[i]) == 0)
            return (mode)i;
    return NAMED_FUNCTIONS;
}

ser_status ser_blocks_create(ser_blocks **blocks, const char *spec, const ser_symbols *symbols,
                             ser_error *error)
{
    *blocks = NULL;
    mode wanted = mode_of(spec);
    ser_function_spec *names = NULL;
    if (wanted == NAMED_FUNCTIONS) {
        ser_status status = ser_function_spec_read(&names, spec, error);
        if (status)
            return status;
    }
    ser_blocks *made = ser_alloc(1, sizeof *made);
    made->mode = wanted;
    made->by_locks = wanted == LOCKS || wanted == AUTO;
    made->by_calls = wanted != MARKERS && wanted != LOCKS;
    made->symbols = made->compounds.symbols = symbols;
    made->spec = names;
    if (ser_blocks_spec_wants_survey(spec)) {
        made->survey = ser_function_survey_create();
        made->checks = ser_checks_create();
    }
    *blocks = made;
    return SER_OK;
}

void ser_blocks_destroy(ser_blocks *blocks)
{
    if (!blocks)
        return;
    ser_function_survey_destroy(blocks->survey);
    ser_compounds_fini(&blocks->compounds);
    ser_checks_destroy(blocks->checks);
    ser_function_spec_destroy(blocks->spec);
    ser_vector_free(&blocks->atomic);
    ser_vector_free(&blocks->threads);
    ser_vector_free(&blocks->inside);
    free(blocks);
}

bool ser_blocks_spec_wants_survey(const char *spec)
{
    mode wanted = mode_of(spec);
    return wanted == FUNCTIONS || wanted == AUTO;
}

bool ser_blocks_wants_survey(const ser_blocks *blocks)
{
    if (blocks->mode != FUNCTIONS && blocks->mode != AUTO)
        return false;
    return blocks->rounds == 0 ||
           (blocks->rounds == 1 && ser_function_survey_saw_calls(blocks->survey));
}

bool ser_blocks_want_sites(const ser_blocks *blocks)
{
    return blocks->survey && blocks->mode != MARKERS &&
           ser_function_survey_saw_calls(blocks->survey);
}

static bool is_shared_access(const ser_blocks *blocks, const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) &&
           ser_function_survey_is_shared(blocks->survey, event->object);
}

bool ser_blocks_survey(ser_blocks *blocks, const ser_event *events, size_t count)
{
    if (blocks->rounds > 0) {
        ser_function_survey_calls(blocks->survey, events, count);
        for (size_t i = 0; i < count; i++) {
            ser_compounds_see(&blocks->compounds, &events[i]);
            ser_checks_see(blocks->checks, &events[i], is_shared_access(blocks, &events[i]));
        }
        return true;
    }
    ser_function_survey_sharing(blocks->survey, events, count);
    return !(blocks->mode == AUTO && ser_function_survey_saw_markers(blocks->survey));
}

void ser_blocks_end_survey(ser_blocks *blocks)
{
    if (blocks->rounds++ > 0) {
        ser_function_survey_finish(blocks->survey);
        blocks->any_checks = ser_checks_any(blocks->checks);
    } else if (blocks->mode == AUTO && ser_function_survey_saw_markers(blocks->survey))
        blocks->mode = MARKERS;
}

void ser_blocks_restart(ser_blocks *blocks)
{
    blocks->threads.count = blocks->inside.count = 0;
    blocks->in_step = false;
    blocks->reopening = 0;
    blocks->count = blocks->position = 0;
}

static bool ask_whether_atomic(const ser_blocks *blocks, uint32_t function)
{
    if (!blocks->spec)
        return ser_function_survey_names(blocks->survey, function);
    return ser_function_spec_names(blocks->spec,
                                   ser_symbols_name(blocks->symbols, SER_SPACE_FUNCTION, function));
}

static bool is_atomic(ser_blocks *blocks, uint32_t function)
{
    ser_vector_extend(&blocks->atomic, (size_t)function + 1);
    uint8_t *answer = &blocks->atomic.items[function];
    if (*answer == UNKNOWN)
        *answer = ask_whether_atomic(blocks, function) ? YES : NO;
    return *answer == YES;
}

static void open_block(ser_blocks *blocks, thread_state *thread, ser_event *event, enum opener by)
{
    if (thread->opener != NOTHING)
        return;
    thread->opener = by;
    event->flags |= SER_EVENT_OPENS;
    blocks->count++;
}

static void close_block(thread_state *thread, ser_event *event, enum opener by)
{
    if (thread->opener != by)
        return;
    thread->opener = NOTHING;
    event->flags |= SER_EVENT_CLOSES;
}

static void mark_acquire(ser_blocks *blocks, thread_state *thread, ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (thread->locks++ == 0 && blocks->by_locks)
        open_block(blocks, thread, event, LOCK);
}

static void mark_release(thread_state *thread, ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (--thread->locks == 0)
        close_block(thread, event, LOCK);
}

static void mark_wait(ser_blocks *blocks, thread_state *thread, ser_event *event)
{
    if (thread->opener != LOCK)
        return;
    close_block(thread, event, LOCK);
    thread->reopens = true;
    blocks->reopening++;
}

static void mark_call(ser_blocks *blocks, thread_state *thread, ser_event *event)
{
    thread->calls++;
    if (!blocks->by_calls || thread->opener != NOTHING || !is_atomic(blocks, event->object))
        return;
    open_block(blocks, thread, event, CALL);
    thread->block_calls = thread->calls;
}

static void mark_return(thread_state *thread, ser_event *event)
{
    if (thread->calls-- == thread->block_calls)
        close_block(thread, event, CALL);
}

/* Only the write can follow: that was looked at. */
static void mark_compound(ser_blocks *blocks, thread_state *thread, ser_event *event)
{
    if (thread->opener == COMPOUND)
        close_block(thread, event, COMPOUND);
    else if (ser_compounds_begin(&blocks->compounds, event) &&
             ser_function_survey_is_shared(blocks->survey, event->object))
        open_block(blocks, thread, event, COMPOUND);
}

/* From the section in which something is looked at to that in which is acted upon it. */
static void begin_check(ser_blocks *blocks, thread_state *thread, ser_event *event)
{
    uint64_t end = ser_checks_end_of(blocks->checks, blocks->position);
    if (!end || thread->opener != NOTHING)
        return;
    open_block(blocks, thread, event, CHECK);
    thread->block_end = end;
    event->flow |= SER_FLOW_CHECKS;
}

static void mark_event(ser_blocks *blocks, ser_event *event)
{
    ser_vector_extend(&blocks->threads, (size_t)event->thread + 1);
    thread_state *thread = &blocks->threads.items[event->thread];
    if (thread->reopens) {
        thread->reopens = false;
        blocks->reopening--;
        open_block(blocks, thread, event, LOCK);
    }
    ser_op op = (ser_op)event->op;
    if (blocks->any_checks)
        begin_check(blocks, thread, event);
    if (blocks->compounds.any)
        mark_compound(blocks, thread, event);
    if (ser_op_acquires(op))
        mark_acquire(blocks, thread, event);
    else if (ser_op_releases(op))
        mark_release(thread, event);
    else if (ser_op_waits(op))
        mark_wait(blocks, thread, event);
    else if (ser_op_calls(op))
        mark_call(blocks, thread, event);
    else if (ser_op_returns(op))
        mark_return(thread, event);
    if (thread->opener == CHECK && thread->block_end == blocks->position)
        close_block(thread, event, CHECK);
}

static inline bool is_of_step(const ser_blocks *blocks, const ser_event *event)
{
    return __builtin_expect(blocks->in_step || (event->flags & SER_EVENT_JOINED), 0);
}

/* A multi-variable access outside blocks is a transaction, since it is indivisible. */
static void mark_step(ser_blocks *blocks, ser_event *event, bool inside)
{
    if (!blocks->in_step) {
        blocks->step_is_marked = !inside;
        if (!inside)
            event->flags |= SER_EVENT_OPENS | SER_EVENT_STEP;
    }
    blocks->in_step = event->flags & SER_EVENT_JOINED;
    if (!blocks->in_step && blocks->step_is_marked)
        event->flags |= SER_EVENT_CLOSES | SER_EVENT_STEP;
}

static void mark_markers(ser_blocks *blocks, ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_of_step(blocks, &events[i]))
            mark_step(blocks, &events[i], *ser_vector_slot(&blocks->inside, events[i].thread));
        if (events[i].flags & SER_EVENT_INNER)
            continue;
        if (ser_op_begins((ser_op)events[i].op)) {
            events[i].flags |= SER_EVENT_OPENS;
            *ser_vector_slot(&blocks->inside, events[i].thread) = true;
            blocks->count++;
        } else if (ser_op_ends((ser_op)events[i].op)) {
            events[i].flags |= SER_EVENT_CLOSES;
            *ser_vector_slot(&blocks->inside, events[i].thread) = false;
        }
    }
}

void ser_blocks_mark(ser_blocks *blocks, ser_event *events, size_t count)
{
    if (blocks->mode == MARKERS) {
        mark_markers(blocks, events, count);
        return;
    }
    for (size_t i = 0; i < count; i++, blocks->position++) {
        ser_event *event = &events[i];
        /* An access opens or closes nothing, unless it follows a wait, or is of a compound. */
        bool access = ser_op_is_access((ser_op)event->op);
        if (ser_op_takes_part((ser_op)event->op) &&
            (!access || blocks->reopening || blocks->compounds.any || blocks->any_checks))
            mark_event(blocks, event);
        if (is_of_step(blocks, event))
            mark_step(blocks, event,
                      ser_vector_slot(&blocks->threads, event->thread)->opener != NOTHING);
    }
}

uint64_t ser_blocks_count(const ser_blocks *blocks)
{
    return blocks->count;
}
