/* SPDX-License-Identifier: MIT */
/*
 * calls.h - which calls of the Java library get a hook, and which.
 *
 * Inside of this folder. The tables are in call_table.c and operation_table.c.
 */
#ifndef SER_JAVA_CLASSFILE_CALLS_H
#define SER_JAVA_CLASSFILE_CALLS_H

#include "java/classfile/weave.h"

#define SER_CYCLIC_BARRIER "java/util/concurrent/CyclicBarrier"
#define SER_STAMPED_LOCK   "java/util/concurrent/locks/StampedLock"

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

/* The arguments of a method, but for its object. */
enum { SER_MOST_ARGUMENTS = 255 };
typedef struct ser_call_arguments {
    ser_value_kind kinds[SER_MOST_ARGUMENTS];
    uint32_t count;
    char result; /* the first letter of its descriptor */
} ser_call_arguments;

/* False if that is no descriptor of a method. */
bool ser_call_arguments_read(ser_class_text descriptor, ser_call_arguments *list);
/* object, arguments -> object; they are in locals from 1 on, by words. */
void ser_call_arguments_put_aside(ser_weave *weave, const ser_call_arguments *list);
void ser_call_arguments_take_back(ser_weave *weave, const ser_call_arguments *list);
/* A compare-and-set that fails writes nothing. */
bool ser_call_may_fail(const ser_member *called, const ser_call_arguments *list);

/* handles.c: calls of VarHandle, field updaters and atomic arrays, and where those are made. True
 * if the instruction was dealt with. */
bool ser_weave_handle(ser_weave *weave, uint32_t at, const ser_member *called);

/* What a map must have under a key, that an operation changes it. */
typedef enum ser_expected {
    SER_EXPECTS_ANYTHING,
    SER_EXPECTS_ARGUMENT,
    SER_EXPECTS_NOTHING
} ser_expected;

/* What it does with another object, its first argument, while it holds its own monitor. */
typedef enum ser_other { SER_OTHER_NONE, SER_OTHER_LOOKED_AT, SER_OTHER_ADDED } ser_other;

/* What a method of the library does with the object as a whole. */
typedef struct ser_operation {
    ser_class_site_kind kind; /* SER_CLASS_PLACE: it is not listed */
    bool early;               /* it never waits: its record can come before it, so that there is one
                                 even if it throws an exception */
    bool keyed;               /* it concerns the part that its first argument names, */
    ser_expected expects;     /* and changes it only if that is there */
    ser_other other;
    bool unasked; /* what it returns says nothing about the object, */
    bool always;  /* and it changes the object, whatever that holds */
} ser_operation;

/* `unused`: the result is not used. */
ser_operation ser_operation_of(const ser_member *called, bool unused);

#endif
