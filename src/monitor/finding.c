/* SPDX-License-Identifier: MIT */
#include "monitor/explain.h"

static bool same_transaction(const ser_moment *a, const ser_moment *b)
{
    return a->number == b->number || (a->block == b->block && a->block != SER_NO_BLOCK);
}

/*
 * An engine may have merged events outside blocks with the transaction before them (engine.h): then
 * the cycle enters at one event and leaves at a later one, and the edge between them is program
 * order.
 */
void ser_finding_insert_program_order(ser_finding *finding)
{
    ser_steps whole = {0};
    for (size_t i = 0; i < finding->steps.count; i++) {
        const ser_step *step = &finding->steps.items[i];
        const ser_step *next = &finding->steps.items[(i + 1) % finding->steps.count];
        ser_vector_push(&whole, *step);
        if (!same_transaction(&step->to, &next->from)) {
            ser_step order = {step->to, next->from, SER_EDGE_PROGRAM_ORDER, step->to.event.thread};
            ser_vector_push(&whole, order);
        }
    }
    ser_vector_free(&finding->steps);
    finding->steps = whole;
}

bool ser_finding_is_shown(const ser_finding *finding)
{
    for (size_t i = 0; i < finding->steps.count; i++)
        if (!finding->steps.items[i].from.number)
            return false;
    return true;
}
