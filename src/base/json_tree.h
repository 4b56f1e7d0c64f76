/* SPDX-License-Identifier: MIT */
/*
 * json_tree.h - reads a JSON document (RFC 8259) into a tree.
 *
 *     ser_json_tree *tree;
 *     status = ser_json_tree_read(&tree, bytes, count, error);
 *     const ser_json_node *list = ser_json_member(ser_json_root(tree), "violations");
 *     for (const ser_json_node *item = ser_json_first(list); item; item = item->next) ...
 *     ser_json_tree_destroy(tree);
 *
 * A node that is asked for what it is not, or NULL, gives NULL, 0 or nothing: documents
 * come from outside, and what is missing reads like what is empty. Texts are NUL-terminated; one
 * that has a NUL byte in it ends there. Not thread-safe.
 */
#ifndef SER_BASE_JSON_TREE_H
#define SER_BASE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum ser_json_kind {
    SER_JSON_NULL,
    SER_JSON_BOOL,
    SER_JSON_NUMBER,
    SER_JSON_TEXT,
    SER_JSON_ARRAY,
    SER_JSON_OBJECT,
} ser_json_kind;

typedef struct ser_json_node {
    ser_json_kind kind;
    bool truth;                         /* of a bool */
    double number;                      /* of a number */
    char *text;                         /* of a text; of a number: as it is written. Else NULL */
    char *key;                          /* in an object; else NULL */
    struct ser_json_node *first, *next; /* of its items; of the one that it is in */
} ser_json_node;

typedef struct ser_json_tree ser_json_tree;

/* SER_INPUT, with line and column, if it is no JSON, or nested deeper than 200 levels. */
ser_status ser_json_tree_read(ser_json_tree **tree, const char *bytes, size_t count,
                              ser_error *error);

/* The same from a file, whose name then stands before the message. SER_UNDECIDED if it was time to
 * stop before its end. */
ser_status ser_json_tree_load(ser_json_tree **tree, const char *path, ser_error *error);

/* Cuts texts of more bytes, except those within the root's member of that name. */
void ser_json_tree_shorten(ser_json_tree *tree, size_t longest, const char *except);

void ser_json_tree_destroy(ser_json_tree *tree);

const ser_json_node *ser_json_root(const ser_json_tree *tree);
const ser_json_node *ser_json_member(const ser_json_node *object, const char *key);
const ser_json_node *ser_json_first(const ser_json_node *list); /* of an array or object */

/* The text of a node, or of a member; NULL if it is none. */
const char *ser_json_text_of(const ser_json_node *node);
const char *ser_json_text_in(const ser_json_node *object, const char *key);

/* A whole number that is not negative; 0 if it is none. */
uint64_t ser_json_number_in(const ser_json_node *object, const char *key);
bool ser_json_bool_in(const ser_json_node *object, const char *key);

#endif
