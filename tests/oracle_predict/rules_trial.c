/* SPDX-License-Identifier: MIT */
/* The rules that the model data makes of a trace against those of the oracle, read by read:
 * few of them ever decide about a block. */
#include "load.h"
#include "predict/model.h"
#include "sample.h"

static bool rule_differs(const sample *s, const ser_reads *made, uint32_t event, difference *found)
{
    uint32_t limit = made->rules.items[event].limit, wanted = s->reads.rules.items[event].limit;
    if (limit != wanted)
        return differ(found, "the limit of event %u is %u, not %u\n", event, limit, wanted);
    return made->writes_anyway.items[event] != s->reads.writes_anyway.items[event] &&
           differ(found, "event %u writes, or not, if it changed\n", event);
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
    ser_reads_fini(&made);
    ser_run_destroy(run);
    return differs;
}

const trial trial_rules = {"rules", fail_rules, NULL, true};
