/* SPDX-License-Identifier: MIT */
/*
 * json_copy.h - writes what was read: a node of a tree, with all that it holds, as the next value
 * of a document. Numbers stay as they were written.
 */
#ifndef SER_SESSION_REPORTING_JSON_COPY_H
#define SER_SESSION_REPORTING_JSON_COPY_H

#include "base/json_tree.h"
#include "base/output/json.h"

/* NULL, and what is nested deeper than a document may be, is written as null. */
void ser_json_copy(ser_json *json, const ser_json_node *node);

/* A key and its value. */
void ser_json_copy_at(ser_json *json, const char *key, const ser_json_node *node);

#endif
