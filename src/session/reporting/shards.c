/* SPDX-License-Identifier: MIT */
#include "session/reporting/shards.h"

#include <inttypes.h>
#include <stdlib.h>

#include "predict/shard.h"
#include "report/json_file.h"
#include "report/predict_report.h"
#include "session/reporting/json_copy.h"
#include "session/reporting/result_files.h"

bool ser_shards_is_part(const char *path)
{
    ser_json_tree *tree = NULL;
    ser_error error = {0};
    bool is_part = ser_json_tree_load(&tree, path, &error) == SER_OK;
    const char *command = is_part ? ser_json_text_in(ser_json_root(tree), "command") : NULL;
    is_part = command && strcmp(command, "predict") == 0;
    ser_json_tree_destroy(tree);
    return is_part;
}

/* --- gathering -------------------------------------------------------------------- */

static bool is_verdict(const ser_json_node *block, ser_verdict verdict)
{
    return ser_block_node_is(block, ser_verdict_name(verdict));
}

static size_t count_undecided(const ser_json_tree *part)
{
    size_t count = 0;
    const ser_json_node *block = ser_json_first(ser_json_member(ser_json_root(part), "blocks"));
    for (; block; block = block->next)
        count += is_verdict(block, SER_VERDICT_UNKNOWN);
    return count;
}

static ser_shard shard_of(const ser_json_node *root)
{
    const ser_json_node *shard = ser_json_member(root, "shard");
    uint64_t number = ser_json_number_in(shard, "number"), of = ser_json_number_in(shard, "of");
    bool is_one = number >= 1 && number <= of && of <= SER_MOST_SHARDS;
    return is_one ? (ser_shard){(uint32_t)number, (uint32_t)of} : (ser_shard){0};
}

static const char *task_of(const ser_json_node *root)
{
    const char *part = ser_split_of(root).of ? "split" : "shard";
    const char *task = ser_json_text_in(ser_json_member(root, part), "task");
    return task ? task : "";
}

static ser_status compare(const ser_shards *shards, const ser_json_node *root, ser_shard shard,
                          ser_error *error)
{
    bool is_split = ser_split_of(root).of > 0;
    if (!shard.of && !is_split)
        return ser_fail(error, SER_INPUT,
                        "not a part of a prediction: it was not made with --shard");
    if (!shards->any)
        return SER_OK;
    if (strcmp(task_of(shards->any), task_of(root)) != 0)
        return ser_fail(error, SER_INPUT,
                        "a part of another prediction than the files before it: the trace or the "
                        "options differ");
    if (!is_split && shards->parts.count && shards->parts.count != shard.of)
        return ser_fail(error, SER_INPUT,
                        "it is one of %" PRIu32 " shards, and the files before it of %zu", shard.of,
                        shards->parts.count);
    return SER_OK;
}

/* The tree belongs to the shards, or is gone. */
static ser_status take_in(ser_shards *shards, ser_json_tree *tree, ser_error *error)
{
    const ser_shard shard = shard_of(ser_json_root(tree));
    ser_status status = compare(shards, ser_json_root(tree), shard, error);
    if (status != SER_OK) {
        ser_json_tree_destroy(tree);
        return status;
    }
    shards->any = ser_json_root(tree);
    if (ser_split_of(shards->any).of) {
        ser_vector_push(&shards->split_files, tree);
        ser_splits_add(&shards->splits, shards->any);
        return SER_OK;
    }
    ser_vector_extend(&shards->parts, shard.of);
    ser_json_tree **place = &shards->parts.items[shard.number - 1], *spare = tree;
    if (!*place || count_undecided(tree) < count_undecided(*place)) {
        spare = *place;
        *place = tree;
    }
    shards->any = ser_json_root(*place);
    ser_json_tree_destroy(spare);
    return SER_OK;
}

static void count_verdicts(ser_shards *shards)
{
    for (size_t i = 0; i < shards->blocks.count; i++)
        for (ser_verdict v = SER_VERDICT_UNKNOWN; v <= SER_VERDICT_VIOLATION; v++)
            shards->verdicts[v] += is_verdict(shards->blocks.items[i], v);
}

static void list_blocks(ser_shards *shards)
{
    for (size_t i = 0; i < shards->parts.count; i++) {
        const ser_json_tree *part = shards->parts.items[i];
        shards->missing += !part;
        const ser_json_node *block =
            part ? ser_json_first(ser_json_member(ser_json_root(part), "blocks")) : NULL;
        for (; block; block = block->next)
            ser_vector_push(&shards->blocks, block);
    }
    ser_block_nodes_sort(&shards->blocks);
    ser_splits_apply(&shards->splits, &shards->blocks);
    count_verdicts(shards);
}

ser_status ser_shards_gather(ser_shards *shards, const char *const *inputs, size_t count,
                             ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < count; i++) {
        ser_json_tree *tree = NULL;
        status = ser_json_tree_load(&tree, inputs[i], error);
        if (status != SER_OK)
            return status;
        status = take_in(shards, tree, error);
        if (status != SER_OK)
            ser_error_prefix(error, "%s", inputs[i]);
    }
    if (status == SER_OK)
        list_blocks(shards);
    return status;
}

void ser_shards_fini(ser_shards *shards)
{
    for (size_t i = 0; i < shards->parts.count; i++)
        ser_json_tree_destroy(shards->parts.items[i]);
    for (size_t i = 0; i < shards->split_files.count; i++)
        ser_json_tree_destroy(shards->split_files.items[i]);
    ser_splits_fini(&shards->splits);
    ser_vector_free(&shards->split_files);
    ser_vector_free(&shards->parts);
    ser_vector_free(&shards->blocks);
}

/* --- the result --------------------------------------------------------------------- */

static bool is_partial(const ser_shards *shards)
{
    bool partial = shards->missing > 0 || shards->splits.open > 0;
    for (size_t i = 0; i < shards->parts.count; i++)
        partial |= shards->parts.items[i] &&
                   ser_json_bool_in(ser_json_root(shards->parts.items[i]), "partial");
    return partial;
}

ser_status ser_shards_verdict(const ser_shards *shards)
{
    if (shards->verdicts[SER_VERDICT_VIOLATION])
        return SER_VIOLATION;
    bool is_open = is_partial(shards) || shards->verdicts[SER_VERDICT_UNKNOWN];
    return is_open ? SER_UNDECIDED : SER_OK;
}

static void write_missing(const ser_shards *shards, ser_json *json)
{
    if (!shards->missing)
        return;
    ser_json_key(json, "missing");
    ser_json_open_array(json);
    for (size_t i = 0; i < shards->parts.count; i++)
        if (!shards->parts.items[i])
            ser_json_number(json, i + 1);
    ser_json_close_array(json);
}

/* With the model guards each part has counted the reads of the whole trace, if it had the time. */
static void write_reads(const ser_shards *shards, ser_json *json)
{
    const ser_json_node *reads = ser_json_member(shards->any, "reads");
    for (size_t i = 0; !reads && i < shards->parts.count; i++)
        if (shards->parts.items[i])
            reads = ser_json_member(ser_json_root(shards->parts.items[i]), "reads");
    if (reads)
        ser_json_copy_at(json, "reads", reads);
}

static void write_whole(const void *context, ser_json *json)
{
    const ser_shards *shards = context;
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "predict");
    ser_json_copy_at(json, "criterion", ser_json_member(shards->any, "criterion"));
    ser_json_bool_at(json, "partial", is_partial(shards));
    write_missing(shards, json);
    ser_json_copy_at(json, "trace", ser_json_member(shards->any, "trace"));
    ser_json_key(json, "blocks");
    ser_json_open_array(json);
    for (size_t i = 0; i < shards->blocks.count; i++)
        ser_json_copy(json, shards->blocks.items[i]);
    ser_json_close_array(json);
    ser_predict_write_summary(json, shards->verdicts, NULL);
    write_reads(shards, json);
    ser_json_close_object(json);
}

static void write_part(const void *context, ser_json *json)
{
    ser_predict_report_json(context, json);
}

static ser_status save(void (*write)(const void *context, ser_json *json), const void *context,
                       const char *path, ser_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    ser_json json = ser_json_to_file(file);
    write(context, &json);
    ser_json_end(&json);
    fclose(file);
    ser_status status = ser_write_whole_file(path, text, size, error);
    free(text);
    return status;
}

ser_status ser_shards_save(const ser_shards *shards, const char *path, ser_error *error)
{
    return save(write_whole, shards, path, error);
}

ser_status ser_shard_save(const ser_predict_report *report, const char *path, ser_error *error)
{
    return save(write_part, report, path, error);
}
