/* SPDX-License-Identifier: MIT */
/*
 * From a violation in a trace to a bug: the accesses that show it, and the key that identifies it.
 */
#include <stdio.h>

#include "bugs/block_lines.h"
#include "bugs/bugs.h"
#include "bugs/naming.h"
#include "bugs/own_code.h"

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, and each once. */
static void add_variable(ser_bug *bug, const char *name)
{
    char *kind = ser_bug_kind_of_variable(name);
    for (size_t i = 0; i < bug->variables.count; i++) {
        if (strcmp(bug->variables.items[i], kind) == 0) {
            free(kind);
            return;
        }
    }
    ser_vector_push(&bug->variables, kind);
    qsort(bug->variables.items, bug->variables.count, sizeof *bug->variables.items, by_text);
}

/* With the function and the place of the program that make the access, perhaps by a library. */
static ser_bug_access *add_access(ser_bug *bug, const ser_run *run, uint32_t number)
{
    const ser_symbols *symbols = run->symbols;
    const ser_event *event = &run->events[number];
    uint32_t own = ser_own_event(run, number);
    const ser_event *place = &run->events[own ? own : number];
    ser_op op = (ser_op)event->op;
    const char *operand = ser_symbols_shown_name(symbols, ser_op_space(op), event->object);
    ser_bug_access access = {
        .event = number,
        .thread = copy(ser_symbols_shown_name(symbols, SER_SPACE_THREAD, event->thread)),
        .variable = copy(operand),
        .function = copy(ser_bug_function(symbols, place)),
        .location = copy(ser_symbols_shown_location(symbols, place->site)),
        .operation = ser_op_verb(op),
        .frees = ser_op_frees(op),
    };
    if (ser_op_is_access(op))
        add_variable(bug, operand);
    ser_vector_push(&bug->accesses, access);
    return &bug->accesses.items[bug->accesses.count - 1];
}

/* Accesses are in the order of the violation. */
const char *ser_bug_memory_error(const ser_bug *bug)
{
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *freed = &bug->accesses.items[i];
        for (size_t j = i + 1; freed->frees && j < bug->accesses.count; j++) {
            const ser_bug_access *later = &bug->accesses.items[j];
            if (strcmp(later->variable, freed->variable) == 0 &&
                strcmp(later->thread, freed->thread) != 0)
                return later->frees ? "double free" : "use after free";
        }
    }
    return NULL;
}

ser_intention ser_intention_of(ser_block_kind kind)
{
    static const uint8_t intentions[] = {
        [SER_BLOCK_MARKED] = SER_INTENTION_MARKED, [SER_BLOCK_LOCK] = SER_INTENTION_LOCKED,
        [SER_BLOCK_CALL] = SER_INTENTION_FUNCTION, [SER_BLOCK_COMPOUND] = SER_INTENTION_COMPOUND,
        [SER_BLOCK_ROUND] = SER_INTENTION_ROUND,   [SER_BLOCK_CHECK] = SER_INTENTION_CHECKED,
        [SER_BLOCK_WHOLE] = SER_INTENTION_WHOLE};
    return (ser_intention)intentions[kind];
}

/* The access of the block's thread that comes first after its begin, or last before its end; 0:
 * none. */
static uint32_t nearest_access(const ser_run *run, uint32_t from, uint32_t until, bool is_end)
{
    uint32_t at = from;
    while (at && at != until && !ser_op_is_access((ser_op)run->events[at].op))
        at = is_end ? ser_run_previous(run, at) : ser_run_next(run, at);
    return at && ser_op_is_access((ser_op)run->events[at].op) ? at : 0;
}

/* A half that begins or ends in a function that only locks or unlocks is its caller's, or, where
 * that has both, the function's that accesses the data next to it. */
static const char *name_half(const ser_run *run, uint32_t begin, uint32_t end, bool is_end)
{
    uint32_t event = is_end ? end : begin, call = ser_run_wrapped_in(run, event);
    uint32_t access = call || is_end ? nearest_access(run, event, is_end ? begin : end, is_end) : 0;
    if (!call && access && !ser_is_in_later_call(run, access, event))
        access = 0;
    if (is_end && call > begin) {
        event = call;
    } else if (access) {
        uint32_t own = ser_own_event(run, access);
        event = own ? own : access;
    }
    return ser_bug_function(run->symbols, &run->events[event]);
}

/* The two halves of a check and an act. What ends with a read is none: a thread takes up what it
 * has left. */
static void describe_halves(ser_bug *bug, const ser_run *run, uint32_t block)
{
    const ser_run_block *whole = &run->blocks.items[block];
    uint32_t end = whole->end ? whole->end : whole->begin;
    if (whole->kind != SER_BLOCK_CHECK || ser_op_only_reads((ser_op)run->events[end].op))
        return;
    const char *check = name_half(run, whole->begin, end, false);
    const char *act = name_half(run, whole->begin, end, true);
    if (!*check || !*act || strcmp(check, act) == 0)
        return;
    bug->check = copy(check);
    bug->act = copy(act);
}

static void describe_block(ser_bug *bug, const ser_run *run, uint32_t block)
{
    const ser_symbols *symbols = run->symbols;
    const ser_event *first = &run->events[run->blocks.items[block].begin];
    const ser_event *naming = &run->events[ser_run_naming_event(run, block)];
    bool labelled = ser_op_begins((ser_op)first->op);
    bug->intention = ser_intention_of(run->blocks.items[block].kind);
    bug->after_wait = bug->intention == SER_INTENTION_FUNCTION && !ser_op_calls((ser_op)first->op);
    bug->label =
        copy(labelled ? ser_symbols_shown_name(symbols, SER_SPACE_LABEL, first->object) : "");
    bug->function = copy(ser_bug_function(symbols, naming));
    bug->location = copy(ser_symbols_shown_location(symbols, naming->site));
    describe_halves(bug, run, block);
}

/* A function that calls another one is not to blame for what happens inside of that: the innermost
 * function with all the block's accesses has the bug, if nobody has named another one. */
static void find_inner(ser_bug *bug, const ser_run *run, uint32_t call)
{
    if (bug->intention != SER_INTENTION_FUNCTION || call <= bug->block)
        return;
    const ser_event *inner = &run->events[call];
    const char *location = ser_symbols_shown_location(run->symbols, inner->site);
    if (ser_is_library_place(location))
        return;
    bug->inner_function = copy(ser_bug_function(run->symbols, inner));
    bug->inner_location = copy(location);
}

/* What is violated is a single step of several accesses. */
static void describe_no_block(ser_bug *bug)
{
    bug->label = copy("");
    bug->function = copy("");
    bug->location = copy("");
}

/* "bank.c" of "src/bank.c:12". */
static void print_file_name(FILE *text, const char *location)
{
    const char *name = strrchr(location, '/');
    name = name ? name + 1 : location;
    fprintf(text, "%.*s", (int)strcspn(name, ":"), name);
}

/* Label and function of the block, the variables, the functions that interfere. Of assignments the
 * file and the variables alone: in which of its functions they are seen is chance. */
static char *stable_key(const ser_bug *bug)
{
    bool is_assignment = bug->intention == SER_INTENTION_COMPOUND;
    char *key = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&key, &size);
    if (!text)
        ser_out_of_memory(size);
    const char *function = bug->inner_function ? bug->inner_function : bug->function;
    fprintf(text, "%d|%s|%s", (int)bug->intention, bug->label, is_assignment ? "" : function);
    if (is_assignment)
        print_file_name(text, bug->location);
    for (size_t i = 0; i < bug->variables.count; i++)
        fprintf(text, "|%s", bug->variables.items[i]);
    const char *last = "";
    for (size_t i = 0; i < bug->accesses.count && !is_assignment; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        if (access->in_block || strcmp(access->function, last) == 0)
            continue;
        last = access->function;
        fprintf(text, "|<%s", last);
    }
    fclose(text);
    return key;
}

void ser_bug_fini(ser_bug *bug)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        free(bug->variables.items[i]);
    for (size_t i = 0; i < bug->accesses.count; i++) {
        ser_bug_access *access = &bug->accesses.items[i];
        free(access->thread);
        free(access->variable);
        free(access->plain);
        free(access->function);
        free(access->location);
    }
    ser_vector_free(&bug->variables);
    ser_vector_free(&bug->accesses);
    free(bug->label);
    free(bug->function);
    free(bug->location);
    free(bug->inner_function);
    free(bug->inner_location);
    free(bug->check);
    free(bug->act);
    ser_vector_free(&bug->order);
    ser_vector_free(&bug->changed);
    free(bug->schedule);
    free(bug->lead);
    free(bug->advice);
    free(bug->lock);
    free(bug->interleaving);
    free(bug->consequence);
    free(bug->key);
    for (size_t i = 0; i < bug->sides.count; i++)
        free(bug->sides.items[i]);
    ser_vector_free(&bug->sides);
    free(bug->follows);
    for (size_t i = 0; i < bug->others.count; i++)
        ser_bug_fini(&bug->others.items[i]);
    ser_vector_free(&bug->others);
}

void ser_bugs_fini(ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count; i++)
        ser_bug_fini(&bugs->list.items[i]);
    ser_vector_free(&bugs->list);
}

static bool has_variable(const ser_bug *bug, const char *variable)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (strcmp(bug->variables.items[i], variable) == 0)
            return true;
    return false;
}

static bool has_interferer(const ser_bug *bug, const char *function)
{
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (!bug->accesses.items[i].in_block &&
            strcmp(bug->accesses.items[i].function, function) == 0)
            return true;
    return false;
}

/* Are the variables and the functions that interfere all in the other, too? */
static bool is_part_of(const ser_bug *bug, const ser_bug *other)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (!has_variable(other, bug->variables.items[i]))
            return false;
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (!bug->accesses.items[i].in_block &&
            !has_interferer(other, bug->accesses.items[i].function))
            return false;
    return true;
}

/* The same block may be violated in one variable here and in two there. Assignments to one
 * variable in one function lack the same lock. */
static bool is_same(const ser_bug *bug, const ser_bug *other)
{
    bool same_place =
        bug->intention == SER_INTENTION_COMPOUND || strcmp(bug->location, other->location) == 0;
    return bug->intention == other->intention && same_place &&
           strcmp(bug->label, other->label) == 0 && strcmp(bug->function, other->function) == 0 &&
           (is_part_of(bug, other) || is_part_of(other, bug));
}

/* Takes ownership of the candidate, which may be a known bug. Two places in one function are two
 * bugs, although their ids differ by a number only. */
static ser_bug *add(ser_bugs *bugs, ser_bug *candidate, bool *is_new)
{
    candidate->key = stable_key(candidate);
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *known = &bugs->list.items[i];
        if (!is_same(known, candidate))
            continue;
        known->blocks++;
        if (known->status < candidate->status)
            known->status = candidate->status;
        ser_bug_fini(candidate);
        *is_new = false;
        return known;
    }
    *is_new = true;
    ser_vector_push(&bugs->list, *candidate);
    return &bugs->list.items[bugs->list.count - 1];
}

static bool is_among(const uint32_t *events, size_t count, uint32_t event)
{
    for (size_t i = 0; i < count; i++)
        if (events[i] == event)
            return true;
    return false;
}

/* To be called when it has its accesses. */
static void place_block(const ser_bugs *bugs, ser_bug *bug, const ser_run *run)
{
    uint32_t call = ser_bug_find_lines(bug, run);
    if (!bugs->are_named)
        find_inner(bug, run, call);
    bug->is_named = bugs->are_named && bug->intention == SER_INTENTION_FUNCTION;
}

ser_bug *ser_bugs_add_predicted(ser_bugs *bugs, const ser_run *run, const ser_block_result *result,
                                size_t trace, bool *is_new)
{
    const ser_run_block *block = &run->blocks.items[result->block];
    const ser_witness_facts *facts = &result->facts;
    ser_bug bug = {.status = SER_BUG_PREDICTED,
                   .model = result->model,
                   .trace = trace,
                   .block = block->begin,
                   .blocks = 1};
    describe_block(&bug, run, result->block);
    for (size_t i = 0; i < facts->path.count; i++) {
        uint32_t event = facts->path.items[i];
        ser_bug_access *access = add_access(&bug, run, event);
        access->in_block = run->block_of[event] == result->block + 1;
        access->broken = is_among(facts->broken.items, facts->broken.count, event);
    }
    place_block(bugs, &bug, run);
    ser_bug *added = add(bugs, &bug, is_new);
    added->is_uncertain = (*is_new || added->is_uncertain) && result->relies_on;
    return added;
}

typedef SER_VECTOR(const ser_moment *) moments;

static int by_number(const void *a, const void *b)
{
    uint64_t one = (*(const ser_moment *const *)a)->number;
    uint64_t other = (*(const ser_moment *const *)b)->number;
    return (one > other) - (one < other);
}

/* The events of a cycle, in the order in which they happened, each once. */
static moments moments_of(const ser_finding *finding)
{
    moments all = {0};
    size_t kept = 0;
    for (size_t i = 0; i < finding->steps.count; i++) {
        ser_vector_push(&all, &finding->steps.items[i].from);
        ser_vector_push(&all, &finding->steps.items[i].to);
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_number);
    for (size_t i = 0; i < all.count; i++)
        if (kept == 0 || all.items[kept - 1]->number != all.items[i]->number)
            all.items[kept++] = all.items[i];
    all.count = kept;
    return all;
}

/* Events are the run's own, which those that the explainer saw may stand for. */
ser_bug *ser_bugs_add_observed(ser_bugs *bugs, const ser_run *run, const ser_finding *finding,
                               size_t trace, bool *is_new)
{
    ser_bug bug = {.status = SER_BUG_OBSERVED,
                   .was_observed = true,
                   .trace = trace,
                   .block = (uint32_t)finding->begin,
                   .blocks = 1};
    if (finding->begin && run->block_of[finding->begin])
        describe_block(&bug, run, run->block_of[finding->begin] - 1);
    else
        describe_no_block(&bug);
    moments shown = moments_of(finding);
    for (size_t i = 0; i < shown.count; i++) {
        const ser_moment *moment = shown.items[i];
        add_access(&bug, run, (uint32_t)moment->number)->in_block =
            moment->block == finding->block && moment->block != SER_NO_BLOCK;
    }
    ser_vector_free(&shown);
    place_block(bugs, &bug, run);
    return add(bugs, &bug, is_new);
}
