/* SPDX-License-Identifier: MIT */
#include "session/reporting/json_copy.h"

static void copy_array(ser_json *json, const ser_json_node *array)
{
    ser_json_open_array(json);
    for (const ser_json_node *item = array->first; item; item = item->next)
        ser_json_copy(json, item);
    ser_json_close_array(json);
}

static void copy_object(ser_json *json, const ser_json_node *object)
{
    ser_json_open_object(json);
    for (const ser_json_node *item = object->first; item; item = item->next)
        ser_json_copy_at(json, item->key, item);
    ser_json_close_object(json);
}

void ser_json_copy(ser_json *json, const ser_json_node *node)
{
    bool is_too_deep = json->depth + 1 >= SER_JSON_DEEPEST;
    switch (node && !is_too_deep ? node->kind : SER_JSON_NULL) {
    case SER_JSON_NULL:
        ser_json_null(json);
        break;
    case SER_JSON_BOOL:
        ser_json_bool(json, node->truth);
        break;
    case SER_JSON_NUMBER:
        ser_json_number_as(json, node->text);
        break;
    case SER_JSON_TEXT:
        ser_json_text(json, node->text);
        break;
    case SER_JSON_ARRAY:
        copy_array(json, node);
        break;
    case SER_JSON_OBJECT:
        copy_object(json, node);
        break;
    }
}

void ser_json_copy_at(ser_json *json, const char *key, const ser_json_node *node)
{
    ser_json_key(json, key);
    ser_json_copy(json, node);
}
