/* SPDX-License-Identifier: MIT */
/*
 * Every open call has a frame that counts what happened in it; a frame is folded
 * into its caller's and into its function's record when the call returns, so the
 * work of an event does not depend on the depth of the stack.
 */
#include "trace/blocks/function_survey.h"

#include "base/vector.h"
#include "trace/blocks/lock_like.h"

/* Owners of variables: none yet, thread number + OWNED, or several threads; of these, all but the
 * first may only have read it (INITIALISED; PUBLISHED if some of them ran already when it was
 * written), or it is CHANGED while it is shared. */
enum { UNTOUCHED = 0, INITIALISED = 1, PUBLISHED = 2, CHANGED = 3, OWNED = 4 };

/* Accesses of shared data that make a function a candidate. */
enum { ENOUGH_TOUCHES = 2 };

/* Places of shared data that a thread's first function may have, to be looked at. */
enum { MOST_PLACES = 32 };

/* Of one place, before it is a loop: those of the same variable count twice. */
enum { MOST_VISITS = 2 };

/* What a loop over other functions does to shared data before it counts as a driver. */
enum { MANY_TOUCHES = 64, SECTIONS_REMEMBERED = 4 };

typedef struct frame {
    uint32_t function;
    uint32_t sections[SECTIONS_REMEMBERED]; /* 1 + functions called that lock by themselves */
    uint64_t all_touches;
    uint64_t uses;   /* touches of shared data that changes */
    uint64_t callee; /* the most of them in one call from here */
    bool locks;      /* takes a lock, in itself or what it calls */
    bool repeats;    /* calls one of these functions twice, in itself or what it calls */
    uint8_t touches; /* of shared data, up to ENOUGH_TOUCHES */
    bool waits;      /* for a semaphore, before it uses anything */
    bool drives;     /* forks or joins threads, or waits for a semaphore after that */
    bool looks;      /* not all touches are updates that commute */
} frame;

/* Where a thread reads, or writes. One line may do both, and read several times: what is known
 * about the code tells these apart. */
typedef struct place {
    uint32_t site, variable;
    uint16_t flow;
    bool reads;
} place;

typedef struct stack {
    SER_VECTOR(frame) frames;
    uint64_t touches;         /* of shared data, in all calls */
    SER_VECTOR(place) places; /* of shared data in the thread's first function */
    bool is_long; /* that takes locks, updates atomically, calls what touches such data, or loops */
    place last;   /* of the event before; its variable is SER_NO_OBJECT if it is no access */
} stack;

typedef struct function_record {
    bool touches;      /* some call touches shared data often enough */
    bool drives;       /* some call forks or joins, or waits for a semaphore in its middle */
    uint64_t repeated; /* touches in a call that repeats critical sections: the most of any, */
    uint32_t thread;   /* and its thread */
    bool is_root;      /* some thread calls it first of all, */
    bool is_long_root; /* and it is long */
} function_record;

typedef struct last_write {
    uint64_t position;
    uint32_t thread;
} last_write;

struct ser_function_survey {
    bool saw_markers;
    bool saw_calls;
    SER_VECTOR(uint64_t) owners; /* by variable */
    uint64_t position;
    SER_VECTOR(last_write) writes; /* by variable */
    SER_VECTOR(uint64_t) forks;    /* by thread: where it is started */
    ser_semaphore_uses semaphores;
    SER_VECTOR(stack) stacks; /* by thread */
    SER_VECTOR(function_record) functions;
};

ser_function_survey *ser_function_survey_create(void)
{
    return ser_alloc(1, sizeof(ser_function_survey));
}

void ser_function_survey_destroy(ser_function_survey *survey)
{
    if (!survey)
        return;
    for (size_t i = 0; i < survey->stacks.count; i++) {
        ser_vector_free(&survey->stacks.items[i].frames);
        ser_vector_free(&survey->stacks.items[i].places);
    }
    ser_vector_free(&survey->stacks);
    ser_vector_free(&survey->owners);
    ser_vector_free(&survey->writes);
    ser_vector_free(&survey->forks);
    ser_vector_free(&survey->semaphores);
    ser_vector_free(&survey->functions);
    free(survey);
}

bool ser_function_survey_saw_markers(const ser_function_survey *survey)
{
    return survey->saw_markers;
}

bool ser_function_survey_saw_calls(const ser_function_survey *survey)
{
    return survey->saw_calls;
}

/* Of what one thread has written and several have read. */
static uint64_t state_of_read(ser_function_survey *survey, const ser_event *read)
{
    const last_write *write = ser_vector_slot(&survey->writes, read->object);
    bool ran = write->position > *ser_vector_slot(&survey->forks, read->thread);
    if (survey->owners.items[read->object] == PUBLISHED || (ran && write->thread != read->thread))
        return PUBLISHED;
    return INITIALISED;
}

static void note_owner(ser_function_survey *survey, const ser_event *access)
{
    ser_vector_extend(&survey->owners, (size_t)access->object + 1);
    uint64_t *owner = &survey->owners.items[access->object];
    uint64_t self = (uint64_t)access->thread + OWNED;
    if (*owner == UNTOUCHED)
        *owner = self;
    else if (*owner != self && *owner != CHANGED)
        *owner = ser_op_writes((ser_op)access->op) ? CHANGED : state_of_read(survey, access);
    if (ser_op_writes((ser_op)access->op))
        *ser_vector_slot(&survey->writes, access->object) =
            (last_write){survey->position, access->thread};
}

void ser_function_survey_sharing(ser_function_survey *survey, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &events[i];
        survey->position++;
        ser_semaphore_uses_see(&survey->semaphores, event);
        if (ser_op_forks((ser_op)event->op))
            *ser_vector_slot(&survey->forks, event->object) = survey->position;
        if (ser_op_is_access((ser_op)event->op))
            note_owner(survey, event);
        else if (ser_op_begins((ser_op)event->op))
            survey->saw_markers = true;
        else if (ser_op_calls((ser_op)event->op))
            survey->saw_calls = true;
    }
}

bool ser_function_survey_is_shared(const ser_function_survey *survey, uint32_t variable)
{
    return variable < survey->owners.count && survey->owners.items[variable] != UNTOUCHED &&
           survey->owners.items[variable] < OWNED;
}

bool ser_function_survey_reads_constant(const ser_function_survey *survey, const ser_event *access)
{
    return ser_op_only_reads((ser_op)access->op) &&
           survey->owners.items[access->object] <= PUBLISHED;
}

bool ser_function_survey_reads_initialised(const ser_function_survey *survey,
                                           const ser_event *access)
{
    return ser_op_only_reads((ser_op)access->op) &&
           survey->owners.items[access->object] == INITIALISED;
}

bool ser_function_survey_is_lock(const ser_function_survey *survey, const ser_event *event)
{
    return ser_semaphore_uses_lock(&survey->semaphores, event);
}

static stack *find_stack(ser_function_survey *survey, uint32_t thread)
{
    ser_vector_extend(&survey->stacks, (size_t)thread + 1);
    return &survey->stacks.items[thread];
}

static void add_touches(frame *to, uint8_t touches)
{
    unsigned sum = to->touches + touches;
    to->touches = sum < ENOUGH_TOUCHES ? (uint8_t)sum : ENOUGH_TOUCHES;
}

static void enter(ser_function_survey *survey, stack *calls, uint32_t function)
{
    ser_vector_extend(&survey->functions, (size_t)function + 1);
    if (calls->frames.count == 0) {
        calls->is_long = false;
        calls->places.count = 0;
    }
    frame entered = {.function = function};
    ser_vector_push(&calls->frames, entered);
}

static void note_section(frame *caller, const frame *left)
{
    uint32_t number = left->function + 1, slot = left->function % SECTIONS_REMEMBERED;
    if (left->locks && left->touches) {
        caller->repeats |= caller->sections[slot] == number;
        caller->sections[slot] = number;
    }
    caller->repeats |= left->repeats;
    caller->locks |= left->locks;
}

static void note_repetition(ser_function_survey *survey, const stack *calls, const frame *left)
{
    function_record *record = &survey->functions.items[left->function];
    if (!left->repeats || left->all_touches <= record->repeated)
        return;
    record->repeated = left->all_touches;
    record->thread = (uint32_t)(calls - survey->stacks.items);
}

/* A thread that waits in the middle of what it does to shared data lets others in there. One that
 * waits first and then does it, such as one that receives a request, may be meant to be atomic. */
static void note_wait(frame *here)
{
    here->drives |= here->uses > 0;
    here->waits = true;
}

/* Does it receive what another function then does? That one is looked at instead. */
static bool gives_way(const frame *left)
{
    return left->waits && left->uses > 0 && left->callee == left->uses;
}

static void pass_uses(frame *caller, const frame *left)
{
    if (left->waits)
        note_wait(caller);
    caller->uses += left->uses;
    if (left->uses > caller->callee)
        caller->callee = left->uses;
}

static void leave(ser_function_survey *survey, stack *calls)
{
    const frame *left = &calls->frames.items[--calls->frames.count];
    function_record *record = &survey->functions.items[left->function];
    record->touches |= left->touches >= ENOUGH_TOUCHES && left->looks;
    record->drives |= left->drives || gives_way(left);
    note_repetition(survey, calls, left);
    if (calls->frames.count == 0) {
        record->is_root = true;
        record->is_long_root |= calls->is_long;
        return;
    }
    frame *caller = &calls->frames.items[calls->frames.count - 1];
    calls->is_long |= left->touches > 0;
    add_touches(caller, left->touches);
    caller->drives |= left->drives;
    caller->looks |= left->looks;
    pass_uses(caller, left);
    caller->all_touches += left->all_touches;
    note_section(caller, left);
}

/* Does an assignment such as n++ end here? That is a block of its own (compounds.h). */
static bool ends_compound(const stack *calls, const ser_event *access)
{
    return ser_op_only_writes((ser_op)access->op) && calls->last.reads &&
           calls->last.site == access->site && calls->last.variable == access->object;
}

static place place_of(const ser_event *event)
{
    bool is_access = ser_op_is_access((ser_op)event->op);
    return (place){.site = event->site,
                   .variable = is_access ? event->object : SER_NO_OBJECT,
                   .flow = event->flow & SER_FLOW_ALL, /* guards may differ each time */
                   .reads = ser_op_reads((ser_op)event->op)};
}

static bool are_at_one_place(const place *one, const place *other)
{
    return one->site == other->site && one->reads == other->reads && one->flow == other->flow;
}

/* Is the thread at a place of its first function where it was before? Two variables at one place
 * may be a pair that is read in one line. */
static void note_place(stack *calls, const ser_event *access)
{
    const place here = place_of(access);
    unsigned visits = 0;
    calls->is_long |= calls->frames.count == 1 && ends_compound(calls, access);
    if (calls->frames.count > 1 || calls->is_long)
        return;
    for (size_t i = 0; i < calls->places.count; i++) {
        const place *before = &calls->places.items[i];
        visits += are_at_one_place(before, &here) ? 1 + (before->variable == here.variable) : 0;
    }
    calls->is_long |=
        visits >= MOST_VISITS || here.site == SER_NO_SITE || calls->places.count == MOST_PLACES;
    ser_vector_push(&calls->places, here);
}

/* Updates of counters whose old values are not used may come in any order. */
static bool commutes(const ser_event *event)
{
    return ser_op_updates((ser_op)event->op) && event->flow & SER_FLOW_MODIFIES &&
           event->flow & SER_FLOW_DATA;
}

static void see_in_call(ser_function_survey *survey, stack *calls, const ser_event *event)
{
    frame *innermost = &calls->frames.items[calls->frames.count - 1];
    ser_op op = (ser_op)event->op;
    bool takes = ser_op_takes(op) && !(event->flow & SER_FLOW_CHAIN);
    bool locks = takes && ser_semaphore_uses_lock(&survey->semaphores, event);
    bool may_wait = takes && !locks;
    if (may_wait) {
        note_wait(innermost);
    } else if (ser_op_forks(op) || ser_op_joins(op)) {
        innermost->drives = true;
    } else if (ser_op_is_access(op) && ser_function_survey_is_shared(survey, event->object)) {
        add_touches(innermost, 1);
        innermost->all_touches++;
        calls->touches++;
        innermost->looks |= !commutes(event);
        calls->is_long |= ser_op_updates((ser_op)event->op);
        if (!ser_function_survey_reads_constant(survey, event)) {
            innermost->uses++;
            note_place(calls, event);
        }
    } else if (ser_op_acquires(op) || locks) {
        calls->is_long = true;
        innermost->locks = true;
    }
}

void ser_function_survey_calls(ser_function_survey *survey, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &events[i];
        stack *calls = find_stack(survey, event->thread);
        if (ser_op_calls((ser_op)event->op))
            enter(survey, calls, event->object);
        else if (ser_op_returns((ser_op)event->op))
            leave(survey, calls);
        else if (calls->frames.count)
            see_in_call(survey, calls, event);
        calls->last = place_of(event);
    }
}

void ser_function_survey_finish(ser_function_survey *survey)
{
    for (size_t i = 0; i < survey->stacks.count; i++)
        while (survey->stacks.items[i].frames.count > 0)
            leave(survey, &survey->stacks.items[i]);
}

/* An event loop, say, or what else holds most of its thread's run and repeats critical sections. */
static bool is_driver(const ser_function_survey *survey, const function_record *record)
{
    return record->drives || (record->repeated >= MANY_TOUCHES &&
                              record->repeated > survey->stacks.items[record->thread].touches / 2);
}

bool ser_function_survey_names(const ser_function_survey *survey, uint32_t function)
{
    if (function >= survey->functions.count)
        return false;
    const function_record *record = &survey->functions.items[function];
    return record->touches && !is_driver(survey, record) && !record->is_long_root;
}

bool ser_function_survey_is_root(const ser_function_survey *survey, uint32_t function)
{
    return function < survey->functions.count && survey->functions.items[function].is_root;
}
