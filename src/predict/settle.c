/* SPDX-License-Identifier: MIT */
#include "predict/settle.h"

#include "predict/segment/segment.h"
#include "predict/static/static_check.h"
#include "predict/static/survey.h"

/* The criterion of triples asks other questions. */
bool ser_settle_applies(const ser_run *run, const ser_predict_options *options)
{
    uint32_t from = options->settled_from ? options->settled_from : SER_SETTLED_FROM;
    return run->count >= from && !options->no_static && !options->kept &&
           options->search.criterion != SER_CRITERION_TRIPLE;
}

typedef struct facts {
    const ser_run *run;
    ser_lock_guards *guards;
    ser_two_phase *two_phase; /* NULL, but for the criterion of serializability */
    ser_meter meter;
} facts;

static void find_facts(facts *known, const ser_predict_options *options)
{
    ser_outer outer = ser_outer_by_forks(known->run);
    known->guards = ser_guards_create(known->run, &outer, &known->meter);
    const ser_discipline_facts about = {
        .run = known->run, .outer = &outer, .guards = known->guards, .meter = &known->meter};
    if (options->search.criterion == SER_CRITERION_SERIALIZABILITY && !known->meter.reached)
        known->two_phase = ser_two_phase_create(&about);
    ser_outer_fini(&outer);
}

static ser_static_proof prove(facts *known, uint32_t block)
{
    if (!ser_block_first_access(known->run, block))
        return SER_STATIC_FEW_ACCESSES;
    if (!known->two_phase)
        return ser_static_check_run(known->run, NULL, known->guards, block, &known->meter);
    return ser_two_phase_proves(known->two_phase, block) ? SER_STATIC_TWO_PHASE : SER_STATIC_OPEN;
}

/* The events of a block lie scattered in memory: those of a later one are fetched meanwhile. */
static inline void fetch_ahead(const ser_run *run, const uint32_t *blocks, size_t left)
{
    enum { AHEAD = 4, FAR_AHEAD = 8, MOST_EVENTS = 24 };
    if (left <= FAR_AHEAD)
        return;
    __builtin_prefetch(&run->eid[run->blocks.items[blocks[FAR_AHEAD]].begin]);
    const ser_run_block *later = &run->blocks.items[blocks[AHEAD]];
    const ser_event_list *own = &run->threads.items[later->thread].events;
    size_t first = run->eid[later->begin] - 1, count = own->count - first;
    for (size_t i = 0; i < count && i < MOST_EVENTS; i++)
        __builtin_prefetch(&run->events[own->items[first + i]]);
}

ser_overrun ser_settle_blocks(const ser_run *run, const ser_predict_options *options,
                              const uint32_t *blocks, size_t count, uint8_t *proofs,
                              const ser_meter_limits *limits)
{
    facts known = {.run = run, .meter = {.limits = limits}};
    find_facts(&known, options);
    for (size_t i = 0; i < count && !known.meter.reached; i++) {
        fetch_ahead(run, blocks + i, count - i);
        proofs[i] = (uint8_t)prove(&known, blocks[i]);
    }
    ser_two_phase_destroy(known.two_phase);
    ser_guards_destroy(known.guards);
    return known.meter.reached;
}
