/* SPDX-License-Identifier: MIT */
/*
 * execute() takes the steps of the order in a world with values, as far as they may happen, and
 * notes which write each read got. The first step that may not happen, or read that breaks although
 * the model says that it does not, has a read to blame; collect() finds those that decide what that
 * one got, and block() writes the clause.
 */
#include "predict/smt/refine.h"

#include "predict/states/world.h"

/* The reads of a thread that decide how far it goes. */
typedef struct blamed {
    uint32_t limiting; /* the read that set its limit; SER_TASK_NONE */
    uint32_t first;    /* its first read that is broken or altered: what it writes may be dirty */
} blamed;

typedef struct refinement {
    ser_encoding *encoding;
    const ser_smt_model *model;
    const ser_task *task;
    ser_world world;
    uint32_t *last; /* by variable: its last write; SER_TASK_START */
    uint32_t *seen; /* by step: what a read got */
    blamed *threads;
    bool *is_reason; /* by step: it is among these: */
    SER_VECTOR(uint32_t) reasons;
    SER_VECTOR(ser_literal) clause;
} refinement;

static const ser_task_step *step_at(const refinement *at, uint32_t step)
{
    return &at->task->steps.items[step];
}

static bool is_read(const ser_task_step *step)
{
    return step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW;
}

/* --- which reads decide --------------------------------------------------------------- */

static void add_reason(refinement *at, uint32_t read)
{
    if (read == SER_TASK_NONE || at->is_reason[read])
        return;
    at->is_reason[read] = true;
    ser_vector_push(&at->reasons, read);
}

static void add_operands(refinement *at, uint32_t number)
{
    const ser_value_step *step = &at->task->values->steps.items[number];
    size_t count =
        (step->code ? step->code->keys.count : 0) + (step->update ? step->update->keys.count : 0);
    for (size_t i = 0; i < count; i++)
        add_reason(at, at->task->values->operands.items[step->first_operand + i].step);
}

/* What decides which value a write has: what it is computed from, and what may make it dirty. */
static void add_write(refinement *at, uint32_t write)
{
    const ser_task_step *step = step_at(at, write);
    if (step->access == SER_ACCESS_RMW)
        add_reason(at, write);
    add_operands(at, write);
    if (at->threads[step->thread].first < write)
        add_reason(at, at->threads[step->thread].first);
}

/* Until nothing new is found. */
static void collect(refinement *at, uint32_t read)
{
    add_reason(at, read);
    for (size_t i = 0; i < at->reasons.count; i++) {
        uint32_t reason = at->reasons.items[i], write = at->seen[reason];
        add_operands(at, reason);
        if (write < at->task->steps.count)
            add_write(at, write);
    }
}

/* --- clauses -------------------------------------------------------------------------- */

/* Another write comes between what the read got and the read. */
static void add_rivals(refinement *at, uint32_t read, uint32_t write)
{
    ser_encoding *encoding = at->encoding;
    for (uint32_t i = 0; i < at->task->steps.count; i++) {
        const ser_task_step *rival = step_at(at, i);
        if (i == read || i == write || rival->access < SER_ACCESS_WRITE ||
            rival->variable != step_at(at, read)->variable || !ser_encoding_can_happen(encoding, i))
            continue;
        ser_literal parts[] = {
            ser_encoding_writes(encoding, i),
            write == SER_TASK_START ? SER_TRUE : ser_encoding_before(encoding, write, i),
            ser_encoding_before(encoding, i, read),
        };
        ser_vector_push(&at->clause, ser_formula_all(&encoding->formula, parts, 3));
    }
}

/* A literal that holds if the read gets that write. */
static ser_literal gets(refinement *at, uint32_t read, uint32_t write)
{
    ser_encoding *encoding = at->encoding;
    ser_literal literal = ser_formula_boolean(&encoding->formula, SER_ATOM_HELPER, 0);
    at->clause.count = 0;
    ser_vector_push(&at->clause, literal);
    if (write != SER_TASK_START) {
        ser_vector_push(&at->clause, ser_not(ser_encoding_writes(encoding, write)));
        ser_vector_push(&at->clause, ser_not(ser_encoding_before(encoding, write, read)));
    }
    add_rivals(at, read, write);
    ser_formula_add(&encoding->formula, at->clause.items, at->clause.count);
    return literal;
}

/* Not all reasons hold, or the literal does not. */
static void block(refinement *at, ser_literal literal)
{
    SER_VECTOR(ser_literal) clause = {0};
    ser_vector_push(&clause, ser_not(literal));
    for (size_t i = 0; i < at->reasons.count; i++) {
        uint32_t read = at->reasons.items[i];
        ser_vector_push(&clause, ser_not(gets(at, read, at->seen[read])));
    }
    ser_formula_add(&at->encoding->formula, clause.items, clause.count);
    ser_encode_program_order(at->encoding);
    ser_vector_free(&clause);
}

/* --- execution ------------------------------------------------------------------------ */

/* The read whose limit, or whose value at a barrier, keeps the step from happening. */
static uint32_t blame_for(const refinement *at, uint32_t number)
{
    const ser_task_step *step = step_at(at, number);
    const blamed *own = &at->threads[step->thread];
    if (own->limiting != SER_TASK_NONE && ser_world_next(&at->world, step->thread) != number)
        return own->limiting;
    if (at->task->values->steps.items[number].kind == SER_VALUE_BARRIER)
        return own->first;
    for (uint32_t i = 0; i < step->needs.count; i++) {
        uint32_t need = at->task->lists.items[step->needs.first + i];
        const blamed *other = &at->threads[step_at(at, need)->thread];
        if (other->limiting != SER_TASK_NONE)
            return other->limiting;
    }
    return step->ends == SER_TASK_NONE ? SER_TASK_NONE
                                       : at->threads[step_at(at, step->ends)->thread].limiting;
}

/* At a barrier every altered read counts. */
static void blame_all_before(refinement *at, uint32_t number)
{
    const ser_task_thread *thread = &at->task->threads.items[step_at(at, number)->thread];
    for (uint32_t i = thread->first; i < number; i++)
        if (is_read(step_at(at, i)))
            collect(at, i);
}

static void note_reads(refinement *at, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (is_read(step_at(at, i)))
            at->seen[i] = at->last[step_at(at, i)->variable];
}

/* Takes a move, and notes what it did. */
static void take_move(refinement *at, uint32_t first, uint32_t end, bool breaks)
{
    uint32_t thread = step_at(at, first)->thread;
    uint32_t limit = at->world.limit[thread];
    for (uint32_t i = first; i < end; i++) {
        const ser_task_step *step = step_at(at, i);
        bool writes = step->access == SER_ACCESS_WRITE ||
                      (step->access == SER_ACCESS_RMW && (!breaks || step->writes_anyway));
        ser_world_take(&at->world, i);
        if (writes)
            at->last[step->variable] = i;
    }
    if (at->world.limit[thread] != limit || at->world.stopped[thread])
        at->threads[thread].limiting = first;
    if (at->threads[thread].first == SER_TASK_NONE &&
        (at->world.changed[thread] || at->world.alters[thread]))
        at->threads[thread].first = first;
}

/* The model says that the move is not broken, and its values say that it is. */
static bool contradicts(const refinement *at, uint32_t first)
{
    ser_literal unbroken = at->encoding->unbroken[first];
    return unbroken > SER_FALSE && unbroken != at->encoding->happens[first] &&
           at->model->truth[unbroken / 2] == !(unbroken & 1);
}

/* By the formula it writes whenever it happens; broken by its values, it does not. */
static bool fails_unseen(const refinement *at, uint32_t first)
{
    return step_at(at, first)->access == SER_ACCESS_RMW && !step_at(at, first)->writes_anyway &&
           at->encoding->unbroken[first] == at->encoding->happens[first];
}

static ser_refined fail(refinement *at, uint32_t number)
{
    uint32_t read = blame_for(at, number);
    if (read == SER_TASK_NONE || at->task->has_unspoiled)
        return SER_REFINED_LOST;
    if (at->task->values->steps.items[number].kind == SER_VALUE_BARRIER)
        blame_all_before(at, number);
    collect(at, read);
    block(at, at->encoding->happens[number]);
    return SER_REFINED_TAKEN;
}

static ser_refined execute(refinement *at, const ser_answer *answer)
{
    for (size_t i = 0; i < answer->order.count && !at->world.violated;) {
        uint32_t first = answer->order.items[i], end = ser_task_move_end(at->task, first);
        uint32_t thread = step_at(at, first)->thread;
        if (ser_world_next(&at->world, thread) != first || !ser_world_enabled(&at->world, first))
            return fail(at, first);
        bool breaks = ser_world_breaks(&at->world, first);
        note_reads(at, first, end);
        if (breaks && contradicts(at, first)) {
            for (uint32_t k = first; k < end; k++)
                if (is_read(step_at(at, k)))
                    collect(at, k);
            block(at, at->encoding->unbroken[first]);
            return SER_REFINED_TAKEN;
        }
        if (breaks && fails_unseen(at, first))
            return SER_REFINED_LOST;
        take_move(at, first, end, breaks);
        i += end - first;
    }
    return at->world.violated ? SER_REFINED_HOLDS : SER_REFINED_LOST;
}

ser_refined ser_refine(ser_encoding *encoding, const ser_smt_model *model, const ser_answer *answer)
{
    const ser_task *task = encoding->task;
    refinement at = {.encoding = encoding, .model = model, .task = task};
    ser_world_init(&at.world, task, encoding->options->criterion);
    at.world.triple = encoding->options->triple;
    at.last = ser_alloc(task->variables + (size_t)1, sizeof *at.last);
    at.seen = ser_alloc(task->steps.count + 1, sizeof *at.seen);
    at.threads = ser_alloc(task->threads.count + 1, sizeof *at.threads);
    at.is_reason = ser_alloc(task->steps.count + 1, sizeof *at.is_reason);
    for (uint32_t i = 0; i < task->variables; i++)
        at.last[i] = SER_TASK_START;
    for (uint32_t i = 0; i < task->threads.count; i++)
        at.threads[i] = (blamed){SER_TASK_NONE, SER_TASK_NONE};
    ser_refined result = execute(&at, answer);
    ser_world_fini(&at.world);
    free(at.last);
    free(at.seen);
    free(at.threads);
    free(at.is_reason);
    ser_vector_free(&at.reasons);
    ser_vector_free(&at.clause);
    return result;
}
