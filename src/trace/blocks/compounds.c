/* SPDX-License-Identifier: MIT */
#include "trace/blocks/compounds.h"

enum { UNSEEN, ALWAYS, NOT_ALWAYS };

void ser_compounds_fini(ser_compounds *compounds)
{
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

enum { KINDS = 2 }; /* of reads at a site */

static uint32_t kind_of(const ser_event *event)
{
    return KINDS * event->site + (event->flow & SER_FLOW_MODIFIES ? 1 : 0);
}

static bool completes(const ser_compounds *compounds, const ser_compound_read *read,
                      const ser_event *event)
{
    return ser_op_only_writes((ser_op)event->op) && is_plain(event) &&
           event->object == read->variable &&
           strcmp(ser_symbols_location(compounds->symbols, event->site),
                  ser_symbols_location(compounds->symbols, read->site)) == 0;
}

static void settle(ser_compounds *compounds, ser_compound_read *read, const ser_event *event)
{
    ser_vector_extend(&compounds->kinds, (size_t)read->kind + 1);
    uint8_t *seen = &compounds->kinds.items[read->kind];
    if (!completes(compounds, read, event))
        *seen = NOT_ALWAYS;
    else if (*seen == UNSEEN) {
        *seen = ALWAYS;
        compounds->any = true;
    }
    read->is_open = false;
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
        *read = (ser_compound_read){.kind = kind_of(event),
                                    .site = event->site,
                                    .variable = event->object,
                                    .is_open = true};
}

static uint8_t seen_of(const ser_compounds *compounds, uint32_t kind)
{
    return kind < compounds->kinds.count ? compounds->kinds.items[kind] : UNSEEN;
}

bool ser_compounds_begin_at(const ser_compounds *compounds, uint32_t site)
{
    uint8_t other = seen_of(compounds, KINDS * site), sure = seen_of(compounds, KINDS * site + 1);
    return other != NOT_ALWAYS && sure != NOT_ALWAYS && other + sure != UNSEEN;
}

bool ser_compounds_begin(const ser_compounds *compounds, const ser_event *event)
{
    return only_reads(event) && event->site != SER_NO_SITE &&
           seen_of(compounds, kind_of(event)) == ALWAYS;
}
