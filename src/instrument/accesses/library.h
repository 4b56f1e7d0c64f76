/* SPDX-License-Identifier: MIT */
/*
 * library.h - functions of the C library that read and write memory of the program.
 *
 * The library is not instrumented; the caller records what its functions access. The table has only
 * functions whose accesses follow from their arguments and results; of a few that access more
 * (outside.c), what does.
 */
#ifndef SER_INSTRUMENT_ACCESSES_LIBRARY_H
#define SER_INSTRUMENT_ACCESSES_LIBRARY_H

#include "instrument/unit.h"

/* How many bytes are accessed. `argument` is the effect's. */
typedef enum ser_measure {
    SER_SIZE_ARGUMENT,     /* the argument says it */
    SER_SIZE_CONSTANT,     /* so many bytes; none if the pointer is null */
    SER_SIZE_PRODUCT,      /* the argument times the next */
    SER_SIZE_POLLED,       /* the argument times the size of a pollfd */
    SER_SIZE_STRING,       /* the argument is a string: with its end */
    SER_SIZE_BOUNDED,      /* the same, but at most the argument behind the pointer says */
    SER_SIZE_APPENDED,     /* string 1, of which at most the argument is appended, with its end */
    SER_SIZE_RESULT,       /* the result, if above 0 */
    SER_SIZE_RESULT_PARTS, /* the result times the argument */
    SER_SIZE_PRINTED,      /* the result and 1, if not below 0; at most the argument */
    SER_SIZE_ALL_PRINTED,  /* the same, whatever it is */
    SER_SIZE_FILLED,       /* a string at the pointer, unless the result is null */
    SER_SIZE_FOUND,        /* up to where the result points; if null, as the argument says */
    SER_SIZE_SEARCHED,     /* up to where the result points; if null, the string */
} ser_measure;

enum { SER_TO_RESULT = 100, SER_TO_END = 101 };

typedef struct ser_effect {
    char kind;             /* 'r' or 'w'; 0 ends a list */
    unsigned char pointer; /* argument; or SER_TO_RESULT; SER_TO_END: the end of the string 0 */
    ser_measure measure;
    unsigned char argument;
} ser_effect;

enum { SER_MOST_EFFECTS = 3 };

typedef struct ser_library_function {
    const char *name;
    unsigned arguments; /* at least */
    ser_effect effects[SER_MOST_EFFECTS + 1];
} ser_library_function;

/* The entry of the function called; NULL if there is none, or if it is not the C library's: it
 * has another type, or is defined here. */
const ser_library_function *ser_library_find(LLVMValueRef call);

/* Does the runtime record the call itself, so that it needs its place? */
bool ser_library_is_recorded(const ser_library_function *function);

/* Does the call free the block that is its first argument (free, delete, realloc, munmap)? */
bool ser_library_frees(LLVMValueRef call);

/* Does the call do no more with this argument than its effects say? */
bool ser_library_forgets(const ser_library_function *function, LLVMValueRef call,
                         unsigned argument);

/* Records one effect of the call (effects.c). */
void ser_tell_effect(ser_unit *unit, LLVMValueRef call, const ser_effect *effect,
                     LLVMValueRef site);

#endif
