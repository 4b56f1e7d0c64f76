/* SPDX-License-Identifier: MIT */
/*
 * fields.h - fields that several JSON reports have, with null for what is unknown.
 */
#ifndef SER_REPORT_JSON_FIELDS_H
#define SER_REPORT_JSON_FIELDS_H

#include "base/output/json.h"

/* Null for NULL and for the empty text. */
void ser_json_text_or_null_at(ser_json *json, const char *key, const char *text);

/* "file" and "line" of a location such as "bank.c:42"; both null if it is none. */
void ser_json_place_fields(ser_json *json, const char *location);

#endif
