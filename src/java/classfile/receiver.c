/* SPDX-License-Identifier: MIT */
/*
 * Where a method no longer has its receiver, `this`, as its frames say. The handler that leaves the
 * monitor of a synchronized method needs it. Frames lose it in code that nothing reaches, of which
 * some compilers make `nop ... athrow` with a frame without variables; no handler is needed there.
 */
#include <stdlib.h>
#include <string.h>

#include "java/classfile/calls.h"
#include "java/classfile/format/opcodes.h"
#include "java/classfile/frames.h"
#include "java/classfile/weave.h"

typedef struct receiver_walk {
    ser_view frames;
    uint32_t position; /* of the last frame */
    uint32_t count;    /* variables, by types */
    bool has;          /* the first of them is an object */
} receiver_walk;

static void skip_type(ser_view *view, bool *is_object)
{
    uint32_t type = ser_view_1(view);
    *is_object = type == SER_FRAME_OBJECT_TYPE;
    if (*is_object || type == SER_FRAME_UNINITIALIZED_TYPE)
        ser_view_skip(view, 2);
}

static void skip_types(ser_view *view, uint32_t count)
{
    bool is_object;
    for (; count > 0 && !view->bad; count--)
        skip_type(view, &is_object);
}

/* Variables that come to those that there are. */
static void append(receiver_walk *walk, uint32_t count)
{
    if (walk->count == 0 && count > 0) {
        skip_type(&walk->frames, &walk->has);
        skip_types(&walk->frames, count - 1);
    } else {
        skip_types(&walk->frames, count);
    }
    walk->count += count;
}

static void chop(receiver_walk *walk, uint32_t count)
{
    walk->count -= count < walk->count ? count : walk->count;
    walk->has = walk->has && walk->count > 0;
}

static void replace(receiver_walk *walk)
{
    walk->count = 0;
    walk->has = false;
    append(walk, ser_view_2(&walk->frames));
    skip_types(&walk->frames, ser_view_2(&walk->frames));
}

static void read_frame(receiver_walk *walk, bool is_first)
{
    uint32_t kind = ser_view_1(&walk->frames);
    walk->position += ser_frame_distance(&walk->frames, kind) + !is_first;
    if (kind == SER_FRAME_FULL)
        replace(walk);
    else if (kind > SER_FRAME_SAME_LONG)
        append(walk, kind - SER_FRAME_SAME_LONG);
    else if (kind >= SER_FRAME_CHOP && kind < SER_FRAME_SAME_LONG)
        chop(walk, SER_FRAME_SAME_LONG - kind);
    else if (ser_frame_has_one_word(kind))
        skip_types(&walk->frames, 1);
}

static bool is_dead(const ser_weave *weave, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to; at++)
        if (weave->code[at] != 0 && weave->code[at] != OP_ATHROW)
            return false;
    return true;
}

static void note_lost(ser_weave *weave, uint32_t from, uint32_t to)
{
    if (!weave->lost && !(weave->lost = calloc(weave->length, 1)))
        weave->out.failed = true;
    else if (!is_dead(weave, from, to))
        weave->problem = "a synchronized method whose frames lose `this`";
    else
        memset(weave->lost + from, true, to - from);
}

void ser_find_lost_receiver(ser_weave *weave)
{
    ser_call_arguments arguments;
    receiver_walk walk = {.frames = weave->frames, .has = true, .count = UINT16_MAX};
    if (ser_call_arguments_read(weave->descriptor, &arguments))
        walk.count = arguments.count + 1;
    uint32_t left = ser_view_left(&walk.frames) ? ser_view_2(&walk.frames) : 0;
    for (uint32_t i = 0; i < left && !walk.frames.bad; i++) {
        uint32_t before = walk.position;
        bool had = walk.has;
        read_frame(&walk, i == 0);
        if (walk.position > weave->length)
            return;
        if (!had)
            note_lost(weave, before, walk.position);
    }
    if (!walk.has && !walk.frames.bad)
        note_lost(weave, walk.position, weave->length);
}
