/* SPDX-License-Identifier: MIT */
/*
 * What refers to positions in the code: branches, handlers, tables of lines and variables.
 */
#include "java/classfile/format/opcodes.h"
#include "java/classfile/weave.h"

static const char out_of_code[] = "it refers to what is no instruction";

uint32_t ser_relocated(ser_weave *weave, uint32_t position)
{
    if (position <= weave->length && weave->moved[position] != SER_NOT_MOVED)
        return weave->moved[position];
    weave->problem = out_of_code;
    return 0;
}

/* The new distance from an instruction to where `distance` led from its old place. */
static int32_t new_distance(ser_weave *weave, uint32_t at, int32_t distance)
{
    int64_t target = (int64_t)at + distance;
    if (target < 0 || target >= weave->length) {
        weave->problem = out_of_code;
        return 0;
    }
    return (int32_t)ser_relocated(weave, (uint32_t)target) - (int32_t)weave->placed[at];
}

static void relocate_short(ser_weave *weave, uint32_t at)
{
    int32_t distance = new_distance(weave, at, (int16_t)ser_peek_2(weave->code + at + 1));
    if (distance != (int16_t)distance)
        weave->problem = "a branch would be too long";
    else
        ser_bytes_patch_2(&weave->out, weave->placed[at] + 1, (uint32_t)distance);
}

/* A distance of four bytes, `from` bytes behind the old operands. */
static void relocate_long(ser_weave *weave, uint32_t at, uint32_t old, uint32_t now)
{
    int32_t distance = new_distance(weave, at, (int32_t)ser_peek_4(weave->code + old));
    ser_bytes_patch_4(&weave->out, now, (uint32_t)distance);
}

static void relocate_switch(ser_weave *weave, uint32_t at, uint32_t size)
{
    bool is_table = weave->code[at] == OP_TABLESWITCH;
    uint32_t old = (at + 4) & ~UINT32_C(3), now = (weave->placed[at] + 4) & ~UINT32_C(3);
    relocate_long(weave, at, old, now);
    for (uint32_t i = 12; old + i < at + size; i += is_table ? 4 : 8)
        relocate_long(weave, at, old + i, now + i);
}

void ser_relocate_branches(ser_weave *weave)
{
    for (uint32_t at = 0, size; at < weave->length && !weave->out.failed; at += size) {
        uint32_t op = weave->code[at];
        size = ser_code_length(weave->code, weave->length, at);
        if ((op >= OP_IFEQ && op <= OP_JSR) || op == OP_IFNULL || op == OP_IFNONNULL)
            relocate_short(weave, at);
        else if (op == OP_GOTO_W || op == OP_JSR_W)
            relocate_long(weave, at, at + 1, weave->placed[at] + 1);
        else if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH)
            relocate_switch(weave, at, size);
    }
}

/* What a handler is for, and where it is: new positions. */
typedef struct guarded {
    uint32_t from, to, handler, type;
} guarded;

static uint32_t put_guarded(const guarded *entry, uint32_t to, ser_bytes *out)
{
    if (entry->from >= to)
        return 0;
    ser_bytes_2(out, entry->from);
    ser_bytes_2(out, to);
    ser_bytes_2(out, entry->handler);
    ser_bytes_2(out, entry->type);
    return 1;
}

/* Without what is unguarded, which is in the order of positions; how many entries that makes. */
static uint32_t put_guarded_parts(const ser_weave *weave, guarded entry, ser_bytes *out)
{
    enum { PAIR = 4 };
    uint32_t count = 0;
    const ser_bytes *gaps = &weave->unguarded;
    for (size_t at = 0; at + PAIR <= gaps->count && !gaps->failed; at += PAIR) {
        uint32_t start = ser_peek_2(gaps->items + at), end = ser_peek_2(gaps->items + at + 2);
        if (end <= entry.from || start >= entry.to)
            continue;
        count += put_guarded(&entry, start, out);
        entry.from = end;
    }
    return count + put_guarded(&entry, entry.to, out);
}

/* Ours comes last, so that the method's own are found first. */
static void relocate_handlers(ser_weave *weave, ser_view view, ser_bytes *out)
{
    enum { MOST = 65535 };
    size_t at = out->count;
    uint32_t count = 0;
    ser_bytes_2(out, 0);
    for (uint32_t left = ser_view_2(&view); left > 0; left--) {
        guarded entry = {.from = ser_relocated(weave, ser_view_2(&view))};
        entry.to = ser_relocated(weave, ser_view_2(&view));
        entry.handler = ser_relocated(weave, ser_view_2(&view));
        entry.type = ser_view_2(&view);
        count += put_guarded_parts(weave, entry, out);
    }
    if (weave->handler)
        count += put_guarded_parts(
            weave, (guarded){weave->guarded_from, weave->handler, weave->handler, 0}, out);
    ser_bytes_patch_2(out, at, count);
    if (count > MOST)
        weave->problem = "it would have too many handlers";
    if (view.bad)
        weave->job->pool.bad = true;
}

static void relocate_lines(ser_weave *weave, ser_view view, ser_bytes *out)
{
    uint32_t count = ser_view_2(&view);
    ser_bytes_2(out, count);
    for (uint32_t i = 0; i < count && !view.bad; i++) {
        ser_bytes_2(out, ser_relocated(weave, ser_view_2(&view)));
        ser_bytes_2(out, ser_view_2(&view));
    }
}

/* LocalVariableTable and LocalVariableTypeTable */
static void relocate_variables(ser_weave *weave, ser_view view, ser_bytes *out)
{
    enum { REST = 6 };
    uint32_t count = ser_view_2(&view);
    ser_bytes_2(out, count);
    for (uint32_t i = 0; i < count && !view.bad; i++) {
        uint32_t from = ser_view_2(&view), to = from + ser_view_2(&view);
        uint32_t now = ser_relocated(weave, from);
        ser_bytes_2(out, now);
        ser_bytes_2(out, ser_relocated(weave, to) - now);
        ser_view rest = ser_view_part(&view, REST);
        ser_bytes_put(out, rest.at, ser_view_left(&rest));
    }
}

typedef void relocator(ser_weave *weave, ser_view view, ser_bytes *out);

/* Others are left out: they are hints of which we do not know what they refer to. */
static relocator *relocator_of(ser_class_text name)
{
    if (ser_class_text_is(name, "LineNumberTable"))
        return relocate_lines;
    if (ser_class_text_is(name, "LocalVariableTable") ||
        ser_class_text_is(name, "LocalVariableTypeTable"))
        return relocate_variables;
    if (ser_class_text_is(name, "StackMapTable"))
        return ser_relocate_frames;
    return NULL;
}

static void add_attribute(ser_weave *weave, uint32_t name, relocator *relocate, ser_view content,
                          ser_bytes *out)
{
    ser_bytes_2(out, name);
    size_t at = out->count;
    ser_bytes_4(out, 0);
    relocate(weave, content, out);
    ser_bytes_patch_4(out, at, (uint32_t)(out->count - at - 4));
}

static void relocate_attributes(ser_weave *weave, ser_view view, ser_bytes *out)
{
    enum { FRAMES_SINCE = 50 };
    uint32_t count = ser_view_2(&view), kept = 0;
    bool has_frames = weave->job->version < FRAMES_SINCE || !weave->handler;
    size_t at = out->count;
    ser_bytes_2(out, 0);
    for (uint32_t i = 0; i < count && !view.bad; i++) {
        uint32_t name = ser_view_2(&view);
        ser_view content = ser_view_part(&view, ser_view_4(&view));
        relocator *relocate = relocator_of(ser_pool_text(&weave->job->pool, name));
        if (!relocate || content.bad)
            continue;
        add_attribute(weave, name, relocate, content, out);
        kept++;
        has_frames = has_frames || relocate == ser_relocate_frames;
    }
    if (!has_frames) {
        add_attribute(weave, ser_pool_frames_name(&weave->job->pool), ser_relocate_frames,
                      (ser_view){0}, out);
        kept++;
    }
    ser_bytes_patch_2(out, at, kept);
    if (view.bad)
        weave->job->pool.bad = true;
}

void ser_relocate_code(ser_weave *weave, ser_view exceptions, ser_view attributes, ser_bytes *out)
{
    enum { MOST_WORDS = 65535 };
    uint32_t stack = weave->max_stack + weave->extra_stack;
    uint32_t locals = weave->max_locals + weave->extra_locals;
    if (stack > MOST_WORDS || locals > MOST_WORDS) {
        weave->problem = "it would need too many words";
        return;
    }
    ser_bytes_2(out, ser_pool_code_name(&weave->job->pool));
    size_t at = out->count;
    ser_bytes_4(out, 0);
    ser_bytes_2(out, stack);
    ser_bytes_2(out, locals);
    ser_bytes_4(out, (uint32_t)weave->out.count);
    ser_bytes_put(out, weave->out.items, weave->out.count);
    relocate_handlers(weave, exceptions, out);
    relocate_attributes(weave, attributes, out);
    ser_bytes_patch_4(out, at, (uint32_t)(out->count - at - 4));
}
