/* SPDX-License-Identifier: MIT */
/*
 * A reference is an argument of a bootstrap method, LambdaMetafactory.metafactory: a handle of the
 * method. It is exchanged for one of a new static method, which gets the object as its first
 * argument and calls the old one. The new method has the line where the reference is used.
 */
#include "java/classfile/references.h"

#include <stdio.h>
#include <stdlib.h>

#include "java/classfile/calls.h"
#include "java/classfile/format/layout.h"
#include "java/classfile/format/opcodes.h"

enum { CALLS_VIRTUAL = 5, CALLS_INTERFACE = 9 }; /* kinds of handles */
enum { LONGEST_NAME = 512, INTERFACE = 0x200, PRIVATE_STATIC_SYNTHETIC = 0x100a };

/* Where the code uses a bootstrap method. */
typedef struct use {
    ser_class_text method;
    uint32_t line;
} use;

typedef struct spelling {
    ser_class_mode mode;
    ser_pool pool;
    ser_class_layout layout;
    use *uses; /* by bootstrap method */
    uint32_t bootstraps;
    ser_bytes methods, attributes; /* new ones, and all of the class */
    uint32_t count;                /* of new methods */
    uint32_t code, lines;          /* names of attributes */
} spelling;

/* --- where they are used -------------------------------------------------------- */

static uint32_t line_at(spelling *work, ser_view attributes, uint32_t at)
{
    ser_view table = ser_class_find_attribute(&work->pool, attributes, "LineNumberTable");
    uint32_t line = 0;
    for (uint32_t count = ser_view_2(&table); count > 0 && !table.bad; count--) {
        uint32_t from = ser_view_2(&table), number = ser_view_2(&table);
        if (from <= at)
            line = number;
    }
    return line;
}

static void note_uses(spelling *work, ser_class_text method, ser_view content)
{
    ser_view_skip(&content, 4);
    uint32_t length = ser_view_4(&content), bootstrap;
    ser_view code = ser_view_part(&content, length);
    ser_view_skip(&content, 8 * (size_t)ser_view_2(&content));
    if (content.bad || !ser_code_is_whole(code.at, length))
        return;
    for (uint32_t at = 0; at < length; at += ser_code_length(code.at, length, at))
        if (code.at[at] == OP_INVOKEDYNAMIC &&
            ser_pool_is_dynamic(&work->pool, ser_peek_2(code.at + at + 1), &bootstrap) &&
            bootstrap < work->bootstraps && !work->uses[bootstrap].line)
            work->uses[bootstrap] = (use){method, line_at(work, content, at)};
}

static void find_uses(spelling *work)
{
    ser_view view = work->layout.methods;
    for (uint32_t count = ser_view_2(&view); count > 0 && !view.bad; count--) {
        ser_view_skip(&view, 2);
        ser_class_text name = ser_pool_text(&work->pool, ser_view_2(&view));
        ser_view_skip(&view, 2);
        ser_view attributes = view;
        ser_class_skip_attributes(&view);
        ser_view code = ser_class_find_attribute(&work->pool, attributes, "Code");
        if (!code.bad)
            note_uses(work, name, code);
    }
}

/* --- what they are --------------------------------------------------------------- */

static bool is_of_lambdas(spelling *work, uint32_t number)
{
    ser_method_handle handle;
    if (!ser_pool_handle(&work->pool, number, &handle))
        return false;
    ser_member made_by = ser_pool_member(&work->pool, handle.method);
    return ser_class_text_is(made_by.owner, "java/lang/invoke/LambdaMetafactory") &&
           ser_class_text_is(made_by.name, "metafactory");
}

/* The type of the object that the reference holds, as in a descriptor; empty: it holds none. False
 * if that differs, or there is more. */
static bool find_held(spelling *work, uint32_t bootstrap, ser_class_text *held)
{
    bool found = false;
    for (uint32_t i = 1, of; i < work->pool.count; i++) {
        ser_call_arguments list;
        if (!ser_pool_is_dynamic(&work->pool, i, &of) || of != bootstrap)
            continue;
        ser_class_text type = ser_pool_dynamic(&work->pool, i), holds = {type.bytes + 1, 0};
        if (!ser_call_arguments_read(type, &list) || list.count > 1)
            return false;
        while (holds.bytes[holds.length] != ')')
            holds.length++;
        if (found && !ser_class_text_same(holds, *held))
            return false;
        *held = holds;
        found = true;
    }
    return found;
}

static bool is_recorded(const spelling *work, uint32_t kind, const ser_member *called)
{
    uint32_t op = kind == CALLS_INTERFACE ? OP_INVOKEINTERFACE : OP_INVOKEVIRTUAL;
    return (kind == CALLS_INTERFACE || kind == CALLS_VIRTUAL) &&
           (ser_find_replaced(work->mode, op, called) ||
            ser_operation_of(called, false).kind != SER_CLASS_PLACE);
}

/* --- new methods ------------------------------------------------------------------ */

static void put_load(ser_bytes *code, ser_value_kind kind, uint32_t *local)
{
    ser_bytes_1(code, OP_ILOAD + (uint32_t)kind);
    ser_bytes_1(code, *local);
    *local += ser_value_words(kind);
}

static void put_code(ser_bytes *code, const ser_method_handle *handle,
                     const ser_call_arguments *list, uint32_t *words)
{
    *words = 0;
    put_load(code, SER_VALUE_OBJECT, words);
    for (uint32_t i = 0; i < list->count; i++)
        put_load(code, list->kinds[i], words);
    ser_bytes_1(code, handle->kind == CALLS_INTERFACE ? OP_INVOKEINTERFACE : OP_INVOKEVIRTUAL);
    ser_bytes_2(code, handle->method);
    if (handle->kind == CALLS_INTERFACE)
        ser_bytes_2(code, *words << 8);
    ser_bytes_1(code, list->result == 'V' ? OP_RETURN
                                          : OP_IRETURN + (uint32_t)ser_value_kind_of(list->result));
}

static void put_method(spelling *work, uint32_t name, uint32_t type, uint32_t line,
                       const ser_method_handle *handle, const ser_call_arguments *list)
{
    enum { CODE_AROUND = 12, LINES = 6, LINES_AROUND = 6 };
    ser_bytes code = {0}, *out = &work->methods;
    uint32_t words;
    put_code(&code, handle, list, &words);
    ser_bytes_2(out, PRIVATE_STATIC_SYNTHETIC);
    ser_bytes_2(out, name);
    ser_bytes_2(out, type);
    ser_bytes_2(out, 1);
    ser_bytes_2(out, work->code);
    ser_bytes_4(out, (uint32_t)code.count + CODE_AROUND + LINES + LINES_AROUND);
    ser_bytes_2(out, words + 2); /* and its result, if that is longer */
    ser_bytes_2(out, words);
    ser_bytes_4(out, (uint32_t)code.count);
    ser_bytes_put(out, code.items, code.count);
    ser_bytes_2(out, 0);
    ser_bytes_2(out, 1);
    ser_bytes_2(out, work->lines);
    ser_bytes_4(out, LINES);
    ser_bytes_2(out, 1);
    ser_bytes_2(out, 0);
    ser_bytes_2(out, line);
    out->failed = out->failed || code.failed;
    ser_bytes_free(&code);
}

/* "lambda$total$ref0", as compilers call what lambda expressions become. */
static bool name_method(const spelling *work, uint32_t bootstrap, char *text)
{
    ser_class_text in = work->uses[bootstrap].method;
    bool is_method = in.length > 0 && in.bytes[0] != '<';
    int length = snprintf(text, LONGEST_NAME, "lambda$%.*s$ref%u", is_method ? (int)in.length : 3,
                          is_method ? in.bytes : "new", bootstrap);
    return length < LONGEST_NAME;
}

/* With the object in front of the arguments. */
static bool spell_type(const ser_member *called, ser_class_text held, char *text)
{
    bool is_held = held.length > 0;
    ser_class_text object = is_held ? held : called->owner;
    int length = snprintf(text, LONGEST_NAME, "(%s%.*s%s%.*s", is_held ? "" : "L",
                          (int)object.length, object.bytes, is_held ? "" : ";",
                          (int)called->descriptor.length - 1, called->descriptor.bytes + 1);
    return length < LONGEST_NAME;
}

/* The number of a handle of the new method; 0: it stays as it is. */
static uint32_t spell(spelling *work, uint32_t bootstrap, uint32_t number)
{
    char name[LONGEST_NAME], type[LONGEST_NAME];
    ser_method_handle handle;
    ser_class_text held;
    ser_call_arguments list;
    if (!ser_pool_handle(&work->pool, number, &handle))
        return 0;
    ser_member called = ser_pool_member(&work->pool, handle.method);
    if (!is_recorded(work, handle.kind, &called) || !find_held(work, bootstrap, &held) ||
        !ser_call_arguments_read(called.descriptor, &list) || list.count > 8 ||
        !name_method(work, bootstrap, name) || !spell_type(&called, held, type))
        return 0;
    if (!work->count++) {
        work->code = ser_pool_add_text(&work->pool, "Code");
        work->lines = ser_pool_add_text(&work->pool, "LineNumberTable");
    }
    uint32_t name_text = ser_pool_add_text(&work->pool, name);
    uint32_t type_text = ser_pool_add_text(&work->pool, type);
    put_method(work, name_text, type_text, work->uses[bootstrap].line, &handle, &list);
    return ser_pool_add_static_handle(&work->pool, work->layout.this_class,
                                      work->layout.access & INTERFACE, name_text, type_text);
}

static void spell_all(spelling *work, ser_view view)
{
    enum { REFERENCE = 1, ARGUMENTS = 3 };
    for (uint32_t i = 0; i < work->bootstraps && !view.bad; i++) {
        bool of_lambdas = is_of_lambdas(work, ser_view_2(&view));
        uint32_t count = ser_view_2(&view);
        ser_view arguments = ser_view_part(&view, 2 * (size_t)count);
        if (arguments.bad || !of_lambdas || count != ARGUMENTS)
            continue;
        const uint8_t *at = arguments.at + 2 * REFERENCE;
        uint32_t handle = spell(work, i, ser_peek_2(at));
        if (handle)
            ser_bytes_patch_2(&work->attributes, (size_t)(at - work->layout.attributes.at), handle);
    }
    work->pool.bad = work->pool.bad || view.bad;
}

static void assemble(const spelling *work, const uint8_t *bytes, ser_bytes *out)
{
    const ser_class_layout *layout = &work->layout;
    ser_bytes_put(out, bytes, SER_CLASS_HEAD - 2);
    ser_bytes_2(out, work->pool.next);
    ser_bytes_put(out, layout->constants.at, ser_view_left(&layout->constants));
    ser_bytes_put(out, work->pool.added.items, work->pool.added.count);
    ser_bytes_put(out, layout->before_methods.at, ser_view_left(&layout->before_methods));
    size_t methods = out->count;
    ser_bytes_put(out, layout->methods.at, ser_view_left(&layout->methods));
    ser_bytes_put(out, work->methods.items, work->methods.count);
    ser_bytes_put(out, work->attributes.items, work->attributes.count);
    ser_bytes_patch_2(out, methods, ser_peek_2(layout->methods.at) + work->count);
    out->failed =
        out->failed || work->methods.failed || work->attributes.failed || work->pool.added.failed;
}

static void spell_class(spelling *work)
{
    ser_view attributes = work->layout.attributes;
    ser_view content = ser_class_find_attribute(&work->pool, attributes, "BootstrapMethods");
    work->bootstraps = ser_view_2(&content);
    work->uses = content.bad ? NULL : calloc((size_t)work->bootstraps + 1, sizeof *work->uses);
    if (!work->uses)
        return;
    ser_bytes_put(&work->attributes, attributes.at, ser_view_left(&attributes));
    find_uses(work);
    if (!work->attributes.failed && !work->pool.bad)
        spell_all(work, content);
}

bool ser_class_spell_references(const uint8_t *bytes, size_t size, ser_class_mode mode,
                                ser_bytes *out)
{
    spelling work = {.mode = mode};
    *out = (ser_bytes){0};
    if (ser_class_layout_read(bytes, size, &work.pool, &work.layout))
        spell_class(&work);
    bool good = work.count > 0 && !work.pool.bad && !work.pool.full;
    if (good)
        assemble(&work, bytes, out);
    good = good && !out->failed;
    if (!good)
        ser_bytes_free(out);
    free(work.uses);
    ser_bytes_free(&work.methods);
    ser_bytes_free(&work.attributes);
    ser_pool_fini(&work.pool);
    return good;
}
