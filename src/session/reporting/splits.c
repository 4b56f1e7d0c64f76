/* SPDX-License-Identifier: MIT */
#include "session/reporting/splits.h"

#include <stdlib.h>
#include <string.h>

#include "predict/predict.h"

ser_shard ser_split_of(const ser_json_node *root)
{
    const ser_json_node *split = ser_json_member(root, "split");
    uint64_t number = ser_json_number_in(split, "number"), of = ser_json_number_in(split, "of");
    bool is_one = number >= 1 && number <= of && of <= SER_MOST_SHARDS;
    return is_one ? (ser_shard){(uint32_t)number, (uint32_t)of} : (ser_shard){0};
}

void ser_splits_add(ser_splits *splits, const ser_json_node *root)
{
    const ser_json_node *block = ser_json_first(ser_json_member(root, "blocks"));
    for (; block; block = block->next)
        ser_vector_push(&splits->entries, ((ser_split_entry){ser_json_number_in(block, "begin"),
                                                             ser_split_of(root), block}));
}

void ser_splits_fini(ser_splits *splits)
{
    ser_vector_free(&splits->entries);
}

bool ser_block_node_is(const ser_json_node *block, const char *verdict)
{
    const char *text = ser_json_text_in(block, "verdict");
    return text && strcmp(text, verdict) == 0;
}

static bool is(const ser_json_node *block, ser_verdict verdict)
{
    return ser_block_node_is(block, ser_verdict_name(verdict));
}

static int compare_begins(const void *a, const void *b)
{
    uint64_t one = ser_json_number_in(*(const ser_json_node *const *)a, "begin");
    uint64_t other = ser_json_number_in(*(const ser_json_node *const *)b, "begin");
    return one < other ? -1 : one > other;
}

void ser_block_nodes_sort(ser_block_nodes *blocks)
{
    if (blocks->count > 1)
        qsort(blocks->items, blocks->count, sizeof *blocks->items, compare_begins);
}

static int compare_entries(const void *a, const void *b)
{
    const ser_split_entry *one = a, *other = b;
    if (one->begin != other->begin)
        return one->begin < other->begin ? -1 : 1;
    if (one->part.of != other->part.of)
        return one->part.of < other->part.of ? -1 : 1;
    return one->part.number < other->part.number ? -1 : one->part.number > other->part.number;
}

/* What the entries, which are of one block and one division, say of it: a node to copy, or NULL. A
 * part that is there twice counts as decided if one of them is. */
static const ser_json_node *conclude(const ser_split_entry *entries, size_t count)
{
    const ser_json_node *unknown = NULL;
    uint32_t decided = 0, last = 0;
    for (size_t i = 0; i < count; i++)
        if (is(entries[i].block, SER_VERDICT_VIOLATION))
            return entries[i].block;
    for (size_t i = 0; i < count; i++) {
        if (is(entries[i].block, SER_VERDICT_UNKNOWN)) {
            unknown = entries[i].block;
        } else if (entries[i].part.number != last) {
            decided++;
            last = entries[i].part.number;
        }
    }
    return decided == entries[0].part.of ? entries[0].block : unknown;
}

static const ser_json_node **find_block(const ser_block_nodes *blocks, size_t count, uint64_t begin)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        uint64_t its = ser_json_number_in(blocks->items[middle], "begin");
        if (its == begin)
            return &blocks->items[middle];
        if (its < begin)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

void ser_splits_apply(ser_splits *splits, ser_block_nodes *blocks)
{
    const size_t known = blocks->count;
    ser_split_entry *entries = splits->entries.items;
    if (splits->entries.count > 1)
        qsort(entries, splits->entries.count, sizeof *entries, compare_entries);
    for (size_t i = 0, end; i < splits->entries.count; i = end) {
        for (end = i; end < splits->entries.count && entries[end].begin == entries[i].begin &&
                      entries[end].part.of == entries[i].part.of;)
            end++;
        const ser_json_node *verdict = conclude(&entries[i], end - i);
        const ser_json_node **place = find_block(blocks, known, entries[i].begin);
        if (place && verdict && is(*place, SER_VERDICT_UNKNOWN))
            *place = verdict;
        else if (!place && verdict)
            ser_vector_push(blocks, verdict);
        else if (!place)
            splits->open++;
    }
    ser_block_nodes_sort(blocks);
}
