/* SPDX-License-Identifier: MIT */
/*
 * The StackMapTable (4.7.4 of the specification): frames say by how much they are behind the one
 * before. Their positions change, and those of the `new` instructions whose objects are not
 * initialised; a frame of the short kinds may need a longer one.
 */
#include "java/classfile/frames.h"

#include "java/classfile/weave.h"

/* Where we are in the old table and in the new one. */
typedef struct cursor {
    ser_weave *weave;
    ser_view old;
    ser_bytes *out;
    int64_t old_position, position; /* of the last frame; -1: there was none */
} cursor;

static void move_types(cursor *at, uint32_t count)
{
    for (; count > 0 && !at->old.bad; count--) {
        uint32_t type = ser_view_1(&at->old);
        ser_bytes_1(at->out, type);
        if (type == SER_FRAME_OBJECT_TYPE) {
            ser_bytes_2(at->out, ser_view_2(&at->old));
        } else if (type == SER_FRAME_UNINITIALIZED_TYPE) {
            uint32_t position = ser_view_2(&at->old);
            bool known = position < at->weave->length;
            ser_bytes_2(at->out, known ? at->weave->placed[position] : 0);
            at->old.bad = at->old.bad || !known;
        }
    }
}

static void move_counted_types(cursor *at)
{
    uint32_t count = ser_view_2(&at->old);
    ser_bytes_2(at->out, count);
    move_types(at, count);
}

static uint32_t step_to(cursor *at, uint32_t position)
{
    uint32_t distance = (uint32_t)((int64_t)position - at->position - 1);
    at->position = position;
    return distance;
}

static void put_kind(cursor *at, uint32_t kind, uint32_t distance)
{
    ser_bytes_1(at->out, kind);
    ser_bytes_2(at->out, distance);
}

static void put_short(cursor *at, uint32_t first, uint32_t long_kind, uint32_t distance)
{
    if (distance < SER_FRAME_SAME_END)
        ser_bytes_1(at->out, first + distance);
    else
        put_kind(at, long_kind, distance);
}

static void move_frame(cursor *at)
{
    uint32_t kind = ser_view_1(&at->old);
    at->old_position += ser_frame_distance(&at->old, kind) + 1;
    uint32_t distance = step_to(at, ser_relocated(at->weave, (uint32_t)at->old_position));
    if (kind < SER_FRAME_SAME_END || kind == SER_FRAME_SAME_LONG) {
        put_short(at, 0, SER_FRAME_SAME_LONG, distance);
    } else if (ser_frame_has_one_word(kind)) {
        put_short(at, SER_FRAME_SAME_END, SER_FRAME_SAME_WITH_STACK_LONG, distance);
        move_types(at, 1);
    } else if (kind >= SER_FRAME_CHOP && kind < SER_FRAME_SAME_LONG) {
        put_kind(at, kind, distance);
    } else if (kind >= SER_FRAME_APPEND && kind < SER_FRAME_FULL) {
        put_kind(at, kind, distance);
        move_types(at, kind - SER_FRAME_SAME_LONG);
    } else if (kind == SER_FRAME_FULL) {
        put_kind(at, kind, distance);
        move_counted_types(at);
        move_counted_types(at);
    } else {
        at->old.bad = true;
    }
}

/* `this`, if it is needed, and what was thrown. */
static void add_handler(cursor *at)
{
    ser_weave *weave = at->weave;
    bool needs_this = weave->monitored && !(weave->access & SER_METHOD_STATIC);
    put_kind(at, SER_FRAME_FULL, step_to(at, weave->handler));
    ser_bytes_2(at->out, needs_this);
    if (needs_this) {
        ser_bytes_1(at->out, SER_FRAME_OBJECT_TYPE);
        ser_bytes_2(at->out, weave->job->this_class);
    }
    ser_bytes_2(at->out, 1);
    ser_bytes_1(at->out, SER_FRAME_OBJECT_TYPE);
    ser_bytes_2(at->out, ser_pool_throwable(&weave->job->pool));
}

void ser_relocate_frames(ser_weave *weave, ser_view old, ser_bytes *out)
{
    cursor at = {.weave = weave, .old = old, .out = out, .old_position = -1, .position = -1};
    uint32_t count = ser_view_left(&old) ? ser_view_2(&at.old) : 0;
    ser_bytes_2(out, count + (weave->handler != 0));
    for (uint32_t i = 0; i < count && !at.old.bad && !weave->problem; i++)
        move_frame(&at);
    if (at.old.bad)
        weave->job->pool.bad = true;
    if (weave->handler)
        add_handler(&at);
}
