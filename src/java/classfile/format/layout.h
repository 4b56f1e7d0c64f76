/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where the parts of a class file are. Inside of this folder.
 */
#ifndef SER_JAVA_CLASSFILE_FORMAT_LAYOUT_H
#define SER_JAVA_CLASSFILE_FORMAT_LAYOUT_H

#include "java/classfile/format/pool.h"

enum { SER_CLASS_HEAD = 10 }; /* bytes up to the constants: with their count */

typedef struct ser_class_layout {
    uint32_t version;                     /* major */
    uint32_t access, this_class, super;   /* the last two are constants */
    ser_view constants;                   /* without their count */
    ser_view before_methods;              /* from the access flags on */
    ser_view fields, methods, attributes; /* counts first */
} ser_class_layout;

/* Reads the constants, too. False: not understood. The pool is to be freed in any case. */
bool ser_class_layout_read(const uint8_t *bytes, size_t size, ser_pool *pool,
                           ser_class_layout *layout);

/* Attributes of whatever it is, their count first. */
void ser_class_skip_attributes(ser_view *view);
/* The content of the first attribute of that name; empty and bad: there is none. */
ser_view ser_class_find_attribute(ser_pool *pool, ser_view attributes, const char *name);

static inline ser_view ser_view_between(const ser_view *from, const ser_view *to)
{
    return (ser_view){from->at, to->at, false};
}

#endif
