/* SPDX-License-Identifier: MIT */
/*
 * rewrite.h - a class file with calls of the hooks put in (hooks.h). The door of this folder.
 *
 * Everything that is put in is straight-line code that leaves the operand stack as it was, and uses
 * local variables of its own only until the next instruction. So the frames of the StackMapTable,
 * which the verifier needs at targets of branches, stay what they are and only move. The one new
 * frame is that of the handler at the end of a method, through which exceptions leave it.
 *
 *     ser_class_rewrite    in this order:
 *     references.h         references to methods of the library become methods
 *     pool.h               constants, old and new
 *     weave.h              a method's code while it grows; what is put in where (accesses.c,
 *                          calls.c)
 *     receiver.c           code that nothing reaches, in which there is no `this`
 *     relocate.c           branches, handlers, lines and frames (frames.h) go where the code has
 * gone
 *
 * A method that cannot be rewritten (it would outgrow 64 KB, or breaks a rule) stays as it is, and
 * its name is given. A class that is not understood is refused as a whole: the virtual machine will
 * say what is wrong with it. Nothing here is shared between calls: thread-safe.
 */
#ifndef SER_JAVA_CLASSFILE_REWRITE_H
#define SER_JAVA_CLASSFILE_REWRITE_H

#include "java/classfile/format/bytes.h"

/* What happens at a place. */
typedef enum ser_class_site_kind {
    SER_CLASS_READ,
    SER_CLASS_WRITE,
    SER_CLASS_READ_WRITE, /* in one step */
    SER_CLASS_ARRIVE,     /* at a barrier */
    SER_CLASS_DEPART,     /* from it, when all have come */
    SER_CLASS_MEET,       /* both */
    SER_CLASS_PLACE,      /* a call, a method, a monitor */
} ser_class_site_kind;

/* Where the value of a field or element goes, or comes from. */
typedef enum ser_class_flow {
    SER_CLASS_DATA = 1,   /* a read: it reaches nothing but recorded fields */
    SER_CLASS_FIXED = 2,  /* a write: nothing of that is in it */
    SER_CLASS_BEGINS = 4, /* a read: the same variable is written next, from its value, as by n++ */
    SER_CLASS_UNASKED = 8,  /* an operation of the library: nothing is done with what it returns */
    SER_CLASS_DECIDES = 16, /* a read: whether the method acts then, or what it writes */
    SER_CLASS_HANDED = 32,  /* a read: the method returns it, or what is computed from it */
} ser_class_flow;

/* Texts are valid during the call. Names of classes have slashes. */
typedef struct ser_class_site {
    ser_class_text class_name, method, file; /* where it is; the file may be empty: unknown */
    ser_class_text type;                     /* the method's descriptor */
    uint32_t line;                           /* 0: unknown */
    ser_class_site_kind kind;
    bool early;   /* an operation that is recorded before it is done: it does not wait */
    bool looks;   /* of a method: it has a loop that only reads, until another thread ends it */
    uint8_t flow; /* ser_class_flow; 0: nothing is known */
    ser_class_text owner, member, descriptor; /* of the field or method; empty: an element */
} ser_class_site;

/* What becomes of results of the program's methods in code that is no block as a whole. */
typedef enum ser_class_fate {
    SER_CLASS_ASKED,  /* it decides what is done */
    SER_CLASS_PASSED, /* another method gets it, or what is computed from it */
    SER_CLASS_STORES, /* the method itself stores what it is given */
} ser_class_fate;

/* As a call names it, whosever method that is. */
typedef struct ser_class_method {
    ser_class_text name, descriptor;
} ser_class_method;

typedef struct ser_class_client {
    void *context;
    /* The number of a place, which the rewritten code will pass to a hook. */
    uint32_t (*site)(void *context, const ser_class_site *site);
    /* A method that stays as it is. */
    void (*left_alone)(void *context, ser_class_text class_name, ser_class_text method,
                       const char *why);
    /* What becomes of the result of a method of the program; null: it does not matter. `to` is what
     * it is passed to, or null. */
    void (*learn)(void *context, ser_class_fate fate, const ser_class_method *method,
                  const ser_class_method *to);
} ser_class_client;

/* What is wanted of a class. */
typedef enum ser_class_mode {
    SER_CLASS_WHOLE,   /* everything: the program's own */
    SER_CLASS_OBJECTS, /* what is in its objects, and no calls: classes of the library whose objects
                          programs share by mistake. Nobody can mend their methods, so what these do
                          belongs to the program's that called them; and what the library shares
                          among all threads, in static fields and collections, it takes care of */
    SER_CLASS_SYNC,    /* everything but accesses: classes that the user excludes */
    SER_CLASS_CALLS,   /* calls of methods that wait, and what is listed for it (calls.c): the
                          library's own */
} ser_class_mode;

typedef enum ser_class_outcome {
    SER_CLASS_UNCHANGED, /* there is nothing to put in */
    SER_CLASS_REWRITTEN, /* `out` has the new class */
    SER_CLASS_REFUSED,   /* not understood, or there is no memory */
} ser_class_outcome;

ser_class_outcome ser_class_rewrite(const uint8_t *bytes, size_t size, ser_class_mode mode,
                                    const ser_class_client *client, ser_bytes *out);

/* May a method of that name be all that a thread does, such as `run`? */
bool ser_class_is_work(ser_class_text method);

/* Classes of the Java library that are rewritten, with SER_CLASS_CALLS. */
bool ser_class_is_of_interest(const char *name);

/* The fields that a class declares and its superclass, for code that must know where a field that
 * is named by a subclass comes from. False: not understood. */
typedef struct ser_class_outline {
    ser_class_text name, super; /* super is empty for java/lang/Object */
    void *context;
    void (*field)(void *context, ser_class_text name, ser_class_text descriptor);
} ser_class_outline;

bool ser_class_read_outline(const uint8_t *bytes, size_t size, ser_class_outline *outline);

#endif
