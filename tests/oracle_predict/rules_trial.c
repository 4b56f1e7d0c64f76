/* SPDX-License-Identifier: MIT */
/* The rules that the model data makes of a trace against those of the oracle, read by read:
 * few of them ever decide about a block. */
#include "load.h"
#include "predict/model.h"
#include "sample.h"
#include "witness/checker/flows.h"
#include "witness/checker/values.h"

static bool rule_differs(const sample *s, const ser_reads *made, uint32_t event, difference *found)
{
    uint32_t limit = made->rules.items[event].limit, wanted = s->reads.rules.items[event].limit;
    if (limit != wanted)
        return differ(found, "the limit of event %u is %u, not %u\n", event, limit, wanted);
    return made->writes_anyway.items[event] != s->reads.writes_anyway.items[event] &&
           differ(found, "event %u writes, or not, if it changed\n", event);
}

/* What the checker of witnesses takes for the limit, which it finds by itself. */
static bool checker_differs(const sample *s, const ser_run *run, difference *found)
{
    ser_observed observed;
    ser_checker_values values;
    ser_checker_flows flows;
    bool differs = false;
    ser_observed_init(&observed, run->events, run->count);
    ser_checker_values_init(&values, &observed, NULL);
    ser_checker_flows_init(&flows, &observed, values.differs);
    for (uint32_t i = 1; i <= run->count && !differs; i++) {
        if (!ser_op_reads((ser_op)run->events[i].op))
            continue;
        uint32_t first = ser_run_step_first(run, i), last = ser_run_step_last(run, i);
        bool writes = ser_op_writes((ser_op)run->events[i].op) &&
                      ser_checker_flows_writes(&flows, first, last);
        uint32_t limit = ser_checker_flows_limit(&flows, i, last);
        if (ser_op_writes((ser_op)run->events[i].op) && !writes)
            limit = SER_LIMIT_NEXT; /* it stops its thread anyway */
        differs =
            (limit != s->reads.rules.items[i].limit || writes != s->reads.writes_anyway.items[i]) &&
            differ(found, "for the checker the limit of event %u is %u\n", i, limit);
    }
    ser_checker_flows_fini(&flows);
    ser_checker_values_fini(&values);
    ser_observed_fini(&observed);
    return differs;
}

static bool fail_rules(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (!s->by_value)
        return false;
    ser_run *run = load_sample(s);
    ser_reads made;
    bool differs = false;
    ser_model_make_data(&made, run);
    for (uint32_t i = 1; i <= run->count && !differs; i++)
        differs = ser_op_reads((ser_op)run->events[i].op) && rule_differs(s, &made, i, found);
    differs = differs || checker_differs(s, run, found);
    ser_reads_fini(&made);
    ser_run_destroy(run);
    return differs;
}

const trial trial_rules = {"rules", fail_rules, NULL, true};
