/* SPDX-License-Identifier: MIT */
#include "monitor/engines/summary.h"

#include "base/interrupt.h"

/* A slot whose generations are used up is never given out again; tokens stay
 * below 2^63 (cell.h). */
#define LAST_GENERATION (UINT32_MAX >> 1)

static uint64_t token_of(const ser_summary *summary, uint32_t slot)
{
    return (uint64_t)summary->nodes.items[slot].generation << 32 | slot;
}

static bool is_open(const ser_summary *summary, uint64_t token)
{
    return ser_summary_node_of(summary, token)->row != SER_NO_ROW;
}

void ser_summary_fini(ser_summary *summary)
{
    for (size_t i = 0; i < summary->nodes.count; i++)
        ser_vector_free(&summary->nodes.items[i].members);
    ser_vector_free(&summary->nodes);
    ser_vector_free(&summary->unused);
    ser_vector_free(&summary->visited);
    ser_vector_free(&summary->row_tokens);
    free(summary->scratch);
    ser_ancestry_fini(&summary->ancestry);
}

/* Makes all tokens of the node dead and its slot free. */
static void recycle(ser_summary *summary, uint32_t slot)
{
    ser_summary_node *node = &summary->nodes.items[slot];
    node->in_use = false;
    node->members.count = 0;
    if (++node->generation < LAST_GENERATION)
        ser_vector_push(&summary->unused, slot);
}

static uint32_t new_node(ser_summary *summary, uint32_t thread)
{
    uint32_t slot;
    if (summary->unused.count) {
        slot = summary->unused.items[--summary->unused.count];
    } else {
        slot = (uint32_t)summary->nodes.count;
        ser_vector_extend(&summary->nodes, summary->nodes.count + 1);
        summary->nodes.items[slot].generation = 1;
    }
    ser_summary_node *node = &summary->nodes.items[slot];
    node->thread = thread;
    node->row = SER_NO_ROW;
    node->in_use = true;
    node->reported = false;
    return slot;
}

static void clear_scratch(ser_summary *summary)
{
    memset(summary->scratch, 0, summary->ancestry.words * sizeof *summary->scratch);
}

static void add_reach_of_row(const ser_summary *summary, uint32_t row, uint64_t *set)
{
    const uint64_t *above = ser_ancestry_above(&summary->ancestry, row);
    for (uint32_t i = 0; i < summary->ancestry.words; i++)
        set[i] |= above[i];
    ser_row_insert(set, row);
}

void ser_summary_add_reach(const ser_summary *summary, uint64_t token, uint64_t *set)
{
    const ser_summary_node *node = ser_summary_node_of(summary, token);
    if (node->row != SER_NO_ROW)
        add_reach_of_row(summary, node->row, set);
    for (size_t i = 0; i < node->members.count; i++)
        if (ser_summary_alive(summary, node->members.items[i]))
            add_reach_of_row(summary, ser_summary_node_of(summary, node->members.items[i])->row,
                             set);
}

/*
 * Makes a closed set of rows the members of an ended node. A row that reaches
 * another one of the set is not named: it follows from the other.
 */
static void set_members(ser_summary *summary, uint32_t slot, const uint64_t *closed_set)
{
    ser_summary_node *node = &summary->nodes.items[slot];
    uint32_t words = summary->ancestry.words;
    node->members.count = 0;
    SER_FOR_EACH_ROW(row, closed_set, words)
    {
        const uint64_t *below = summary->ancestry.below + (size_t)row * words;
        bool implied = false;
        for (uint32_t i = 0; i < words && !implied; i++)
            implied = below[i] & closed_set[i];
        if (implied)
            continue;
        ser_vector_push(&node->members, summary->row_tokens.items[row]);
    }
}

/* Replaces members that have ended by their members, which must all be open. */
static void flatten_one_level(ser_summary *summary, uint32_t slot)
{
    const ser_token_list *members = &summary->nodes.items[slot].members;
    clear_scratch(summary);
    for (size_t i = 0; i < members->count; i++)
        if (ser_summary_alive(summary, members->items[i]))
            ser_summary_add_reach(summary, members->items[i], summary->scratch);
    set_members(summary, slot, summary->scratch);
}

static bool is_flat(const ser_summary *summary, uint64_t token)
{
    const ser_summary_node *node = ser_summary_node_of(summary, token);
    for (size_t i = 0; i < node->members.count; i++) {
        uint64_t member = node->members.items[i];
        if (!ser_summary_alive(summary, member) || !is_open(summary, member))
            return false;
    }
    return true;
}

static void visit(ser_summary *summary, uint32_t slot)
{
    ser_summary_node *node = &summary->nodes.items[slot];
    if (node->visited)
        return;
    node->visited = true;
    ser_vector_push(&summary->visited, slot);
}

static int by_latest_ending(const void *a, const void *b, void *summary)
{
    const ser_summary_node *nodes = ((const ser_summary *)summary)->nodes.items;
    uint64_t first = nodes[*(const uint32_t *)a].ended;
    uint64_t second = nodes[*(const uint32_t *)b].ended;
    return (first < second) - (first > second);
}

/*
 * Members of a node were open when it ended, so they ended later: from the latest
 * ending to the earliest, one level is enough for each visited node.
 */
static void flatten_visited(ser_summary *summary)
{
    if (summary->visited.count == 0) /* stopped before the first */
        return;
    qsort_r(summary->visited.items, summary->visited.count, sizeof *summary->visited.items,
            by_latest_ending, summary);
    /* Ends early if the analysis must stop. */
    for (size_t i = 0; i < summary->visited.count && !ser_should_stop(); i++)
        flatten_one_level(summary, summary->visited.items[i]);
    for (size_t i = 0; i < summary->visited.count; i++) {
        uint32_t slot = summary->visited.items[i];
        summary->nodes.items[slot].visited = false;
        if (summary->nodes.items[slot].members.count == 0)
            recycle(summary, slot);
    }
    summary->visited.count = 0;
}

/* Visits all ended nodes that visited ones name, directly or not, and flattens. */
static void flatten_from_visited(ser_summary *summary)
{
    for (size_t i = 0; i < summary->visited.count; i++) {
        const ser_token_list *members = &summary->nodes.items[summary->visited.items[i]].members;
        for (size_t j = 0; j < members->count; j++)
            if (ser_summary_alive(summary, members->items[j]) &&
                !is_open(summary, members->items[j]))
                visit(summary, (uint32_t)members->items[j]);
    }
    flatten_visited(summary);
}

bool ser_summary_flatten(ser_summary *summary, uint64_t token)
{
    if (is_flat(summary, token))
        return true;
    visit(summary, (uint32_t)token);
    flatten_from_visited(summary);
    return ser_summary_alive(summary, token);
}

void ser_summary_mark(ser_summary *summary, uint64_t token)
{
    if (!token || !ser_summary_alive(summary, token) || is_open(summary, token))
        return;
    ser_summary_node_of(summary, token)->named = true;
    visit(summary, (uint32_t)token);
}

/* Once they are flat, named nodes name none but open ones themselves. */
void ser_summary_collect(ser_summary *summary)
{
    flatten_from_visited(summary);
    for (uint32_t slot = 0; slot < summary->nodes.count; slot++) {
        ser_summary_node *node = &summary->nodes.items[slot];
        if (node->in_use && node->row == SER_NO_ROW && !node->named)
            recycle(summary, slot);
        node->named = false;
    }
    summary->collect_at = 2 * (summary->nodes.count - summary->unused.count);
}

uint64_t ser_summary_open(ser_summary *summary, uint32_t thread, uint64_t first_event)
{
    uint32_t words = summary->ancestry.words;
    uint32_t row = ser_ancestry_open(&summary->ancestry);
    if (summary->ancestry.words != words)
        summary->scratch =
            ser_resize(summary->scratch, summary->ancestry.words, sizeof *summary->scratch);
    uint32_t slot = new_node(summary, thread);
    summary->nodes.items[slot].row = row;
    summary->nodes.items[slot].first_event = first_event;
    uint64_t token = token_of(summary, slot);
    *ser_vector_slot(&summary->row_tokens, row) = token;
    return token;
}

void ser_summary_close(ser_summary *summary, uint64_t token)
{
    ser_summary_node *node = ser_summary_node_of(summary, token);
    set_members(summary, (uint32_t)token, ser_ancestry_above(&summary->ancestry, node->row));
    ser_ancestry_close(&summary->ancestry, node->row);
    node->row = SER_NO_ROW;
    node->ended = ++summary->endings;
    if (node->members.count == 0)
        recycle(summary, (uint32_t)token);
}

uint64_t ser_summary_add_ended(ser_summary *summary, uint32_t thread, const uint64_t *closed_set)
{
    uint32_t slot = new_node(summary, thread);
    set_members(summary, slot, closed_set);
    summary->nodes.items[slot].ended = ++summary->endings;
    return token_of(summary, slot);
}
