/* SPDX-License-Identifier: MIT */
/*
 * frames.h - how the entries of a StackMapTable are written (4.7.4 of the specification).
 */
#ifndef SER_JAVA_CLASSFILE_FRAMES_H
#define SER_JAVA_CLASSFILE_FRAMES_H

#include "java/classfile/format/bytes.h"

/* Kinds of frames. */
enum {
    SER_FRAME_SAME_END = 64, /* below: the same locals, no stack, and the distance itself */
    SER_FRAME_SAME_WITH_STACK_END = 128,
    SER_FRAME_SAME_WITH_STACK_LONG = 247,
    SER_FRAME_CHOP = 248,
    SER_FRAME_SAME_LONG = 251,
    SER_FRAME_APPEND = 252,
    SER_FRAME_FULL = 255,
};

/* Kinds of types; these have an operand. */
enum { SER_FRAME_OBJECT_TYPE = 7, SER_FRAME_UNINITIALIZED_TYPE = 8 };

/* The same locals, and one word on the stack. */
static inline bool ser_frame_has_one_word(uint32_t kind)
{
    return (kind >= SER_FRAME_SAME_END && kind < SER_FRAME_SAME_WITH_STACK_END) ||
           kind == SER_FRAME_SAME_WITH_STACK_LONG;
}

/* From behind the frame before; `kind` was read. */
static inline uint32_t ser_frame_distance(ser_view *view, uint32_t kind)
{
    if (kind < SER_FRAME_SAME_END)
        return kind;
    if (kind < SER_FRAME_SAME_WITH_STACK_END)
        return kind - SER_FRAME_SAME_END;
    return ser_view_2(view);
}

#endif
