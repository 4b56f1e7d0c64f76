/* SPDX-License-Identifier: MIT */
/*
 * The checker: reads-from edges and other partners in the observed trace (checker/observed.c), an
 * execution of the order by the rules (checker/execution.c, checker/rules.c), and the
 * search for the violation in what was executed (checker/path.c).
 */
#include "witness/checker.h"

#include "witness/checker/path.h"
#include "witness/checker/triple.h"

struct ser_checker {
    ser_observed observed;
    ser_checker_values values;
    ser_checker_flows flows;
    ser_checker_code code;
    ser_execution run;
    ser_path_finder *finder;
    ser_event_numbers edges;
};

ser_checker *ser_checker_create(const ser_event *events, uint32_t count,
                                const ser_checker_model *model)
{
    const ser_checker_model avp = {0};
    ser_checker *checker = ser_alloc(1, sizeof *checker);
    model = model ? model : &avp;
    ser_observed_init(&checker->observed, events, count);
    if (model->equal_values) {
        ser_checker_values_init(&checker->values, &checker->observed, model->guards);
        ser_checker_flows_init(&checker->flows, &checker->observed, checker->values.differs);
    }
    ser_execution_init(&checker->run, &checker->observed, model->reads,
                       model->equal_values ? &checker->values : NULL,
                       model->equal_values ? &checker->flows : NULL);
    if (model->equal_values && model->guards) {
        ser_checker_code_init(&checker->code, &checker->observed, &checker->values, model->guards);
        ser_execution_follow(&checker->run, &checker->code);
    }
    checker->run.happened = model->happened;
    checker->finder = ser_path_finder_create(&checker->observed);
    return checker;
}

void ser_checker_destroy(ser_checker *checker)
{
    if (!checker)
        return;
    ser_path_finder_destroy(checker->finder);
    ser_execution_fini(&checker->run);
    ser_checker_values_fini(&checker->values);
    ser_checker_flows_fini(&checker->flows);
    ser_checker_code_fini(&checker->code);
    ser_observed_fini(&checker->observed);
    ser_vector_free(&checker->edges);
    free(checker);
}

void ser_witness_facts_fini(ser_witness_facts *facts)
{
    ser_vector_free(&facts->path);
    ser_vector_free(&facts->broken);
    ser_vector_free(&facts->values);
    ser_vector_free(&facts->path_values);
}

static ser_status execute(ser_checker *checker, const uint32_t *order, size_t count,
                          ser_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (ser_execution_step(&checker->run, order[i], error)) {
            ser_error_prefix(error, "step %zu, event %u", i + 1, order[i]);
            return SER_INTERNAL;
        }
    }
    if (count && ser_observed_is_joined(&checker->observed, order[count - 1]))
        return ser_fail(error, SER_INTERNAL, "the order ends within the step of event %u",
                        order[count - 1]);
    return SER_OK;
}

static ser_status find_violation(ser_checker *checker, uint32_t block, bool serializability,
                                 ser_error *error)
{
    checker->edges.count = 0;
    if (ser_checker_path_find(checker->finder, &checker->run.accesses, block, serializability,
                              &checker->edges))
        return SER_OK;
    return ser_fail(error, SER_INTERNAL,
                    serializability ? "the block of event %u lies on no cycle of transactions"
                                    : "no path leaves the block of event %u and comes back to it",
                    block);
}

/* A path is its edges' ends but for those where the next edge starts. */
static void note_path(const ser_checker *checker, bool serializability, ser_witness_facts *facts)
{
    const ser_event_numbers *edges = &checker->edges;
    for (size_t i = 0; i < edges->count; i++)
        if (serializability || i % 2 == 0 || i + 1 == edges->count)
            ser_vector_push(&facts->path, edges->items[i]);
}

static const ser_executed_access *find_access(const ser_checker *checker, uint32_t event)
{
    for (size_t i = 0; i < checker->run.accesses.count; i++)
        if (checker->run.accesses.items[i].event == event)
            return &checker->run.accesses.items[i];
    return NULL;
}

/* What a write leaves behind, and what a read finds. */
static void note_path_values(const ser_checker *checker, ser_witness_facts *facts)
{
    for (size_t i = 0; i < facts->path.count; i++) {
        uint32_t event = facts->path.items[i];
        const ser_executed_access *access = find_access(checker, event);
        if (access && (access->writes ? access->knows_after : access->knows_before))
            ser_vector_push(
                &facts->path_values,
                ((ser_witness_value){event, access->writes ? access->after : access->before,
                                     checker->observed.events[event].value}));
    }
}

static void note_run(const ser_checker *checker, ser_witness_facts *facts)
{
    for (size_t i = 0; i < checker->run.broken.count; i++)
        ser_vector_push(&facts->broken, checker->run.broken.items[i]);
    for (size_t i = 0; i < checker->run.other_values.count; i++) {
        const ser_executed_value *other = &checker->run.other_values.items[i];
        ser_vector_push(&facts->values,
                        ((ser_witness_value){other->event, other->value, other->recorded}));
    }
    facts->switches = checker->run.switches;
    note_path_values(checker, facts);
}

static ser_status expect_block(const ser_checker *checker, uint32_t block, ser_error *error)
{
    const ser_observed *observed = &checker->observed;
    if (block == 0 || block > observed->count ||
        !(observed->events[block].flags & SER_EVENT_OPENS) ||
        (observed->events[block].flags & SER_EVENT_STEP))
        return ser_fail(error, SER_INTERNAL, "no block starts at event %u", block);
    return SER_OK;
}

ser_status ser_checker_check(ser_checker *checker, uint32_t block, bool serializability,
                             const uint32_t *order, size_t count, ser_witness_facts *facts,
                             ser_error *error)
{
    *facts = (ser_witness_facts){0};
    ser_status status = expect_block(checker, block, error);
    if (status)
        return status;
    status = execute(checker, order, count, error);
    if (!status)
        status = find_violation(checker, block, serializability, error);
    if (!status) {
        note_path(checker, serializability, facts);
        note_run(checker, facts);
    }
    ser_execution_reset(&checker->run);
    return status;
}

ser_status ser_checker_check_triple(ser_checker *checker, uint32_t block, const uint32_t triple[3],
                                    const uint32_t *order, size_t count, ser_witness_facts *facts,
                                    ser_error *error)
{
    *facts = (ser_witness_facts){0};
    const char *why;
    ser_status status = expect_block(checker, block, error);
    if (status)
        return status;
    status = execute(checker, order, count, error);
    if (!status && !ser_checker_triple_holds(&checker->run, block, triple, &why))
        status = ser_fail(error, SER_INTERNAL, "events %u, %u and %u: %s", triple[0], triple[1],
                          triple[2], why);
    for (size_t i = 0; !status && i < 3; i++)
        ser_vector_push(&facts->path, triple[i]);
    if (!status)
        note_run(checker, facts);
    ser_execution_reset(&checker->run);
    return status;
}
