/* SPDX-License-Identifier: MIT */
#include "trace/blocks/compounds.h"

enum { UNSEEN, ALWAYS, NOT_ALWAYS };

void ser_compounds_fini(ser_compounds *compounds)
{
    ser_pairmap_fini(&compounds->numbers);
    ser_vector_free(&compounds->kinds);
    ser_vector_free(&compounds->threads);
}

static bool is_plain(const ser_event *event)
{
    return !(event->flags & (SER_EVENT_JOINED | SER_EVENT_LATE));
}

static bool only_reads(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) && is_plain(event);
}

/* Guards may differ each time. */
static uint32_t number_kind(ser_compounds *compounds, const ser_event *event)
{
    uint32_t fresh = (uint32_t)compounds->kinds.count, flow = event->flow & SER_FLOW_ALL;
    uint32_t kind = *ser_pairmap_add(&compounds->numbers, event->site, flow, fresh);
    ser_vector_extend(&compounds->kinds, (size_t)kind + 1);
    return kind;
}

static bool is_at_same_place(const ser_compounds *compounds, const ser_compound_read *read,
                             const ser_event *event)
{
    return strcmp(ser_symbols_location(compounds->symbols, event->site),
                  ser_symbols_location(compounds->symbols, read->site)) == 0;
}

static bool completes(const ser_compounds *compounds, const ser_compound_read *read,
                      const ser_event *event)
{
    return ser_op_only_writes((ser_op)event->op) && is_plain(event) &&
           event->object == read->variable && is_at_same_place(compounds, read, event);
}

static bool is_written(const ser_compound_kind *kind, uint32_t variable)
{
    for (unsigned i = 0; i < kind->count; i++)
        if (kind->variables[i] == variable)
            return true;
    return false;
}

/* Is it only an operand of what is computed at the line? */
static bool is_operand(const ser_compounds *compounds, const ser_compound_read *read,
                       const ser_event *event)
{
    return only_reads(event) && event->object != read->variable &&
           !is_written(&compounds->kinds.items[read->kind], read->variable) &&
           event->site != SER_NO_SITE && is_at_same_place(compounds, read, event);
}

static void note_written(ser_compound_kind *kind, uint32_t variable)
{
    if (kind->count < SER_COMPOUND_VARIABLES && !is_written(kind, variable))
        kind->variables[kind->count++] = variable;
}

static void settle(ser_compounds *compounds, ser_compound_read *read, const ser_event *event)
{
    ser_compound_kind *kind = &compounds->kinds.items[read->kind];
    read->is_open = false;
    if (completes(compounds, read, event)) {
        note_written(kind, read->variable);
        compounds->any |= kind->seen == UNSEEN;
        kind->seen = kind->seen == UNSEEN ? ALWAYS : kind->seen;
    } else if (is_operand(compounds, read, event)) {
        kind->has_others = true;
    } else {
        kind->seen = NOT_ALWAYS;
    }
}

void ser_compounds_see(ser_compounds *compounds, const ser_event *event)
{
    bool in_step = compounds->in_step;
    compounds->in_step = event->flags & SER_EVENT_JOINED;
    if (!ser_op_takes_part((ser_op)event->op))
        return;
    ser_vector_extend(&compounds->threads, (size_t)event->thread + 1);
    ser_compound_read *read = &compounds->threads.items[event->thread];
    if (read->is_open)
        settle(compounds, read, event);
    if (!in_step && only_reads(event) && event->site != SER_NO_SITE)
        *read = (ser_compound_read){.kind = number_kind(compounds, event),
                                    .site = event->site,
                                    .variable = event->object,
                                    .is_open = true};
}

static const ser_compound_kind *find_kind(const ser_compounds *compounds, uint32_t site,
                                          uint16_t flow)
{
    uint32_t kind = ser_pairmap_get(&compounds->numbers, site, flow & SER_FLOW_ALL, UINT32_MAX);
    return kind < compounds->kinds.count && compounds->kinds.items[kind].seen == ALWAYS
               ? &compounds->kinds.items[kind]
               : NULL;
}

bool ser_compounds_begin_at(const ser_compounds *compounds, uint32_t site, uint16_t flow)
{
    const ser_compound_kind *kind = find_kind(compounds, site, flow);
    return kind && !kind->has_others;
}

bool ser_compounds_begin(const ser_compounds *compounds, const ser_event *event)
{
    if (!only_reads(event) || event->site == SER_NO_SITE)
        return false;
    const ser_compound_kind *kind = find_kind(compounds, event->site, event->flow);
    return kind && (!kind->has_others || is_written(kind, event->object));
}
