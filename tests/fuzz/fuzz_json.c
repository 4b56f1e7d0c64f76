/* SPDX-License-Identifier: MIT */
/* Any bytes as JSON: a result that a report is made of, and a baseline. */
#include "base/json_tree.h"
#include "fuzz.h"

static size_t walk(const ser_json_node *node)
{
    size_t count = 1 + (node->text != NULL);
    for (const ser_json_node *item = ser_json_first(node); item; item = item->next)
        count += walk(item);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ser_json_tree *tree;
    ser_error error = {0};
    ser_status status = ser_json_tree_read(&tree, (const char *)data, size, &error);
    ser_check(status == SER_OK ? walk(ser_json_root(tree)) > 0 : !tree && error.text[0]);
    ser_json_tree_destroy(tree);
    return 0;
}
