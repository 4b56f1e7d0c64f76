/* SPDX-License-Identifier: MIT */
/*
 * pool.h - the constants of a class file: those that are there, and those that are added.
 *
 * Constants that are added come behind the old ones, so that old numbers stay. A lookup of a
 * number that has no such constant gives nothing and makes the pool bad.
 */
#ifndef SER_JAVA_CLASSFILE_FORMAT_POOL_H
#define SER_JAVA_CLASSFILE_FORMAT_POOL_H

#include "java/classfile/format/bytes.h"
#include "java/classfile/hooks.h"

/* Classes that have hooks (hooks.h). */
enum { SER_HOOK_CLASSES = 7 };

typedef struct ser_pool {
    const uint8_t **entries; /* by number: its tag; null: none */
    uint32_t count;          /* old numbers are below */
    uint32_t next;           /* the number of the next one to be added */
    ser_bytes added;
    bool bad;                                /* the class is not what it should be */
    bool full;                               /* there are too many constants */
    uint16_t hooks[SER_HOOK_COUNT];          /* the methods that are called; 0: not added yet */
    uint16_t hook_classes[SER_HOOK_CLASSES]; /* that have them; 0: not added yet */
    uint16_t throwable, code, frames;        /* the same of other names */
} ser_pool;

/* What a field or method reference says. */
typedef struct ser_member {
    ser_class_text owner, name, descriptor;
} ser_member;

/* Reads the constants, of which the count comes first. */
void ser_pool_read(ser_pool *pool, ser_view *view);
void ser_pool_fini(ser_pool *pool);

ser_class_text ser_pool_text(ser_pool *pool, uint32_t number);
/* The name of the class that a Class constant names. */
ser_class_text ser_pool_class(ser_pool *pool, uint32_t number);
ser_member ser_pool_member(ser_pool *pool, uint32_t number);
/* The descriptor of what an invokedynamic calls. */
ser_class_text ser_pool_dynamic(ser_pool *pool, uint32_t number);

/* A method as a value: how it is called (4.4.8 of the specification), and which one it is. */
typedef struct ser_method_handle {
    uint32_t kind, method;
} ser_method_handle;
/* False: the number is of something else. */
bool ser_pool_handle(const ser_pool *pool, uint32_t number, ser_method_handle *handle);
/* Of an invokedynamic: which bootstrap method it has. */
bool ser_pool_is_dynamic(const ser_pool *pool, uint32_t number, uint32_t *bootstrap);

/* Numbers of constants, added when they are first asked for. */
uint32_t ser_pool_hook(ser_pool *pool, ser_hook hook);
uint32_t ser_pool_throwable(ser_pool *pool);
uint32_t ser_pool_code_name(ser_pool *pool);
uint32_t ser_pool_frames_name(ser_pool *pool);
/* Each time a new one. */
uint32_t ser_pool_add_number(ser_pool *pool, uint32_t value);
uint32_t ser_pool_add_text(ser_pool *pool, const char *text);
/* Of a static method of a class or interface; name and type are texts. */
uint32_t ser_pool_add_static_handle(ser_pool *pool, uint32_t owner, bool is_interface,
                                    uint32_t name, uint32_t type);

#endif
