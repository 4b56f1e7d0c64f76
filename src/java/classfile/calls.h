/* SPDX-License-Identifier: MIT */
/*
 * calls.h - which calls of the Java library get a hook, and which.
 *
 * Inside of this folder. The tables are in call_table.c.
 */
#ifndef SER_JAVA_CLASSFILE_CALLS_H
#define SER_JAVA_CLASSFILE_CALLS_H

#include "java/classfile/weave.h"

/* A call that a hook takes the place of, with the same arguments and a site. */
typedef struct ser_replaced_call {
    uint8_t op;        /* the instruction that calls it */
    const char *owner; /* null: whatever it is */
    const char *name, *descriptor;
    ser_hook hook;
    bool without_site;
} ser_replaced_call;

/* The rule for a call; null: there is none. `mode` decides which rules there are. */
const ser_replaced_call *ser_find_replaced(ser_class_mode mode, uint32_t op,
                                           const ser_member *called);

/* Methods of the library's classes that are one operation on the whole object: what they do with
 * it. SER_CLASS_PLACE: they are not listed. */
ser_class_site_kind ser_operation_of(const ser_member *called);

#endif
