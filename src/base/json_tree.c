/* SPDX-License-Identifier: MIT */
/*
 * A recursive descent over the bytes; nodes and texts are allocated one by one, since documents
 * are small.
 */
#include "base/json_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/vector.h"

enum { DEEPEST = 200, LONGEST_NUMBER = 64 };

struct ser_json_tree {
    ser_json_node *root;
};

typedef SER_VECTOR(char) text_buffer;

typedef struct reader {
    const char *bytes, *at, *end;
    unsigned depth;
    ser_error *error;
} reader;

static ser_json_node *read_value(reader *in);

static void destroy_node(ser_json_node *node)
{
    while (node) {
        ser_json_node *next = node->next;
        destroy_node(node->first); /* no deeper than DEEPEST */
        free(node->text);
        free(node->key);
        free(node);
        node = next;
    }
}

static ser_json_node *refuse(reader *in, const char *why)
{
    size_t line = 1, column = 1;
    for (const char *at = in->bytes; at < in->at; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    ser_fail(in->error, SER_INPUT, "line %zu, column %zu: %s", line, column, why);
    return NULL;
}

static void skip_blanks(reader *in)
{
    while (in->at < in->end &&
           (*in->at == ' ' || *in->at == '\t' || *in->at == '\r' || *in->at == '\n'))
        in->at++;
}

static bool take(reader *in, char wanted)
{
    skip_blanks(in);
    if (in->at >= in->end || *in->at != wanted)
        return false;
    in->at++;
    return true;
}

static ser_json_node *make(ser_json_kind kind)
{
    ser_json_node *node = ser_alloc(1, sizeof *node);
    node->kind = kind;
    return node;
}

/* --- texts ------------------------------------------------------------------ */

static void put_utf8(text_buffer *text, uint32_t point)
{
    if (point < 0x80) {
        ser_vector_push(text, (char)point);
        return;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned leads[] = {0, 0xc0, 0xe0, 0xf0};
    ser_vector_push(text, (char)(leads[more] | point >> (6 * more)));
    while (more-- > 0)
        ser_vector_push(text, (char)(0x80 | (point >> (6 * more) & 0x3f)));
}

static bool read_hex(reader *in, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = in->at < in->end && *in->at ? strchr(digits, *in->at) : NULL;
        if (!found)
            return false;
        *value = *value << 4 | (uint32_t)((found - digits) % 16);
    }
    return true;
}

/* After \u. Two surrogates are one character; one alone is none. */
static bool read_point(reader *in, text_buffer *text)
{
    uint32_t high, low;
    if (!read_hex(in, &high))
        return false;
    if (high >= 0xd800 && high < 0xdc00 && in->end - in->at > 6 && in->at[0] == '\\' &&
        in->at[1] == 'u') {
        in->at += 2;
        if (!read_hex(in, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
    put_utf8(text, high >= 0xd800 && high <= 0xdfff ? 0xfffd : high);
    return true;
}

static bool read_escape(reader *in, text_buffer *text)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (in->at >= in->end)
        return false;
    char name = *in->at++;
    if (name == 'u')
        return read_point(in, text);
    const char *found = name ? strchr(names, name) : NULL;
    if (found)
        ser_vector_push(text, meanings[found - names]);
    return found != NULL;
}

/* After the first quote. NULL: it is wrong. */
static char *read_text(reader *in)
{
    text_buffer text = {0};
    while (in->at < in->end && *in->at != '"') {
        char byte = *in->at++;
        bool good = (unsigned char)byte >= ' ';
        if (good && byte == '\\')
            good = read_escape(in, &text);
        else if (good)
            ser_vector_push(&text, byte);
        if (!good) {
            ser_vector_free(&text);
            refuse(in, "a text has a character that is not allowed in it");
            return NULL;
        }
    }
    ser_vector_push(&text, '\0');
    if (in->at < in->end) {
        in->at++;
        return text.items;
    }
    ser_vector_free(&text);
    refuse(in, "a text does not end");
    return NULL;
}

/* --- values ------------------------------------------------------------------- */

/* The items and the closer that follow the opener. */
static ser_json_node *read_items(reader *in, ser_json_kind kind, char closer)
{
    ser_json_node *list = make(kind), **last = &list->first;
    bool good = true;
    if (take(in, closer))
        return list;
    do {
        char *key = NULL;
        if (kind == SER_JSON_OBJECT) {
            key = take(in, '"') ? read_text(in) : NULL;
            good = key && take(in, ':');
        }
        *last = good ? read_value(in) : NULL;
        good = *last != NULL;
        if (!good) {
            free(key);
            break;
        }
        (*last)->key = key;
        last = &(*last)->next;
    } while (take(in, ','));
    if (good && take(in, closer))
        return list;
    if (!in->error->text[0])
        refuse(in, kind == SER_JSON_OBJECT ? "wrong object" : "wrong array");
    destroy_node(list);
    return NULL;
}

static ser_json_node *read_list(reader *in, ser_json_kind kind, char closer)
{
    if (++in->depth > DEEPEST)
        return refuse(in, "nested too deeply");
    ser_json_node *list = read_items(in, kind, closer);
    in->depth--;
    return list;
}

static ser_json_node *read_word(reader *in, const char *word, ser_json_kind kind)
{
    size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0)
        return refuse(in, "no value");
    in->at += length;
    ser_json_node *node = make(kind);
    node->truth = *word == 't';
    return node;
}

static ser_json_node *read_number(reader *in)
{
    char text[LONGEST_NUMBER], *end;
    size_t length = 0;
    while (in->at + length < in->end && length < sizeof text - 1 && in->at[length] &&
           strchr("+-.0123456789eE", in->at[length]))
        length++;
    memcpy(text, in->at, length);
    text[length] = '\0';
    double number = strtod(text, &end);
    if (length == 0 || *end || end == text)
        return refuse(in, "no value");
    in->at += length;
    ser_json_node *node = make(SER_JSON_NUMBER);
    node->number = number;
    node->text = ser_copy_text(text, length);
    return node;
}

static ser_json_node *read_value(reader *in)
{
    skip_blanks(in);
    if (in->at >= in->end)
        return refuse(in, "it ends too early");
    switch (*in->at) {
    case '{':
        in->at++;
        return read_list(in, SER_JSON_OBJECT, '}');
    case '[':
        in->at++;
        return read_list(in, SER_JSON_ARRAY, ']');
    case 't':
        return read_word(in, "true", SER_JSON_BOOL);
    case 'f':
        return read_word(in, "false", SER_JSON_BOOL);
    case 'n':
        return read_word(in, "null", SER_JSON_NULL);
    case '"': {
        in->at++;
        char *text = read_text(in);
        if (!text)
            return NULL;
        ser_json_node *node = make(SER_JSON_TEXT);
        node->text = text;
        return node;
    }
    default:
        return read_number(in);
    }
}

ser_status ser_json_tree_read(ser_json_tree **tree, const char *bytes, size_t count,
                              ser_error *error)
{
    reader in = {.bytes = bytes, .at = bytes, .end = bytes + count, .error = error};
    *tree = NULL;
    error->text[0] = '\0';
    ser_json_node *root = read_value(&in);
    skip_blanks(&in);
    if (root && in.at < in.end) {
        refuse(&in, "something follows the end");
        destroy_node(root);
        root = NULL;
    }
    if (!root)
        return SER_INPUT;
    *tree = ser_alloc(1, sizeof **tree);
    (*tree)->root = root;
    return SER_OK;
}

ser_status ser_json_tree_load(ser_json_tree **tree, const char *path, ser_error *error)
{
    text_buffer bytes = {0};
    char piece[1 << 14];
    size_t count;
    *tree = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno));
    while (!ser_should_stop() && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        ser_vector_reserve(&bytes, bytes.count + count);
        memcpy(bytes.items + bytes.count, piece, count);
        bytes.count += count;
    }
    bool failed = ferror(file);
    fclose(file);
    ser_status status;
    if (ser_should_stop())
        status = ser_fail(error, SER_UNDECIDED, "%s before it was read", ser_stop_reason());
    else if (failed)
        status = ser_fail(error, SER_INPUT, "it cannot be read");
    else
        status = ser_json_tree_read(tree, bytes.items, bytes.count, error);
    ser_vector_free(&bytes);
    if (status != SER_OK)
        ser_error_prefix(error, "%s", path);
    return status;
}

/* Recursion is no deeper than DEEPEST. */
static void shorten(ser_json_node *node, size_t longest, const char *except)
{
    static const char dots[] = " ...";
    for (; node; node = node->next) {
        if (except && node->key && strcmp(node->key, except) == 0)
            continue;
        shorten(node->first, longest, NULL);
        if (node->kind == SER_JSON_TEXT && strnlen(node->text, longest + 1) > longest)
            memcpy(node->text + longest + 1 - sizeof dots, dots, sizeof dots);
    }
}

void ser_json_tree_shorten(ser_json_tree *tree, size_t longest, const char *except)
{
    shorten(tree->root->first, longest, except);
}

void ser_json_tree_destroy(ser_json_tree *tree)
{
    if (!tree)
        return;
    destroy_node(tree->root);
    free(tree);
}

/* --- asking ------------------------------------------------------------------- */

const ser_json_node *ser_json_root(const ser_json_tree *tree)
{
    return tree->root;
}

const ser_json_node *ser_json_first(const ser_json_node *list)
{
    return list ? list->first : NULL;
}

const ser_json_node *ser_json_member(const ser_json_node *object, const char *key)
{
    for (const ser_json_node *item = ser_json_first(object); item; item = item->next)
        if (item->key && strcmp(item->key, key) == 0)
            return item;
    return NULL;
}

const char *ser_json_text_of(const ser_json_node *node)
{
    return node && node->kind == SER_JSON_TEXT ? node->text : NULL;
}

const char *ser_json_text_in(const ser_json_node *object, const char *key)
{
    return ser_json_text_of(ser_json_member(object, key));
}

uint64_t ser_json_number_in(const ser_json_node *object, const char *key)
{
    const ser_json_node *node = ser_json_member(object, key);
    char *end;
    if (!node || node->kind != SER_JSON_NUMBER || node->text[0] == '-')
        return 0;
    uint64_t value = strtoull(node->text, &end, 10);
    return *end ? 0 : value;
}

bool ser_json_bool_in(const ser_json_node *object, const char *key)
{
    const ser_json_node *node = ser_json_member(object, key);
    return node && node->truth;
}
