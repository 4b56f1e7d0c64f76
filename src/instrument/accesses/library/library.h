/* SPDX-License-Identifier: MIT */
/*
 * library.h - functions of the C library that read and write memory of the program.
 *
 * The library is not instrumented; the caller records what its functions access. The table has only
 * functions whose accesses follow from their arguments and results; of a few that access more
 * (outside.c), what does.
 */
#ifndef SER_INSTRUMENT_ACCESSES_LIBRARY_LIBRARY_H
#define SER_INSTRUMENT_ACCESSES_LIBRARY_LIBRARY_H

#include "base/vector.h"
#include "instrument/unit.h"

/* How many bytes are accessed. `argument` is the effect's. */
typedef enum ser_measure {
    SER_SIZE_ARGUMENT,      /* the argument says it */
    SER_SIZE_CONSTANT,      /* so many bytes; none if the pointer is null */
    SER_SIZE_WIDE,          /* the argument is a string of wide characters: with its end */
    SER_SIZE_WIDE_ARGUMENT, /* the argument times the size of a wide character */
    SER_SIZE_PRODUCT,       /* the argument times the next */
    SER_SIZE_EIGHTS,        /* the argument times 8: the size of a pollfd, a regmatch_t */
    SER_SIZE_STRING,        /* the argument is a string: with its end */
    SER_SIZE_BOUNDED,       /* the same, but at most the argument behind the pointer says */
    SER_SIZE_APPENDED,      /* string 1, of which at most the argument is appended, with its end */
    SER_SIZE_RESULT,        /* the result, if above 0 */
    SER_SIZE_RESULT_PARTS,  /* the result times the argument */
    SER_SIZE_PRINTED,       /* the result and 1, if not below 0; at most the argument */
    SER_SIZE_ALL_PRINTED,   /* the same, whatever it is */
    SER_SIZE_FILLED,        /* a string at the pointer, unless the result is null */
    SER_SIZE_FOUND,         /* up to where the result points; if null, as the argument says */
    SER_SIZE_SEARCHED,      /* up to where the result points; if null, the string */
    SER_SIZE_COPIED,       /* from argument 0 to before the result; if null, as the argument says */
    SER_SIZE_SPANNED,      /* the result and 1 */
    SER_SIZE_RESULT_TIMES, /* the result times so many bytes, if above 0 */
    SER_SIZE_PRINTED_STRING, /* the argument is a string, or null */
    SER_SIZE_AT_MOST,        /* the same, of which at most so many bytes are read */
    SER_SIZE_SCANNED,        /* so many bytes, if the result is not below `ordinal` */
    SER_SIZE_SCANNED_STRING, /* the string that was stored then */
    SER_SIZE_PARTS,          /* what an array of iovec says, of as many as the argument says */
    SER_SIZE_MESSAGE,        /* the same in a msghdr */
    SER_SIZE_HELD,           /* the characters of a std::string, with their end */
} ser_measure;

/* What is no argument: the result; the end of the string 0; what argument 0 points to after the
 * call; what the library keeps for itself (ser_abi_hidden: the effect's `argument`); the characters
 * of the std::string that is the effect's `argument`. */
enum {
    SER_TO_RESULT = 100,
    SER_TO_END = 101,
    SER_TO_TARGET = 102,
    SER_TO_HIDDEN = 103,
    SER_TO_STRING = 104
};

typedef struct ser_effect {
    char kind;             /* 'r' or 'w'; 0 ends a list */
    unsigned char pointer; /* an argument, or SER_TO_* */
    ser_measure measure;
    unsigned short argument;
    unsigned char ordinal; /* of what is scanned */
} ser_effect;

typedef SER_VECTOR(ser_effect) ser_effect_list;

enum { SER_MOST_EFFECTS = 6 };

/* What a format's conversions do with the arguments that follow it. */
typedef enum ser_conversions {
    SER_NO_FORMAT,
    SER_PRINTS,
    SER_SCANS,
    SER_ANY_FORMAT
} ser_conversions;

typedef struct ser_library_function {
    const char *name;
    unsigned arguments; /* at least */
    ser_effect effects[SER_MOST_EFFECTS + 1];
    unsigned char file; /* 1 and the argument that is a FILE; 0: none */
    bool appends;       /* it writes at the end of what was written to that, whatever that is */
    ser_conversions conversions;
    unsigned char format; /* which argument it is; without meaning for SER_ANY_FORMAT */
} ser_library_function;

/* The row of that name (library_table.c, library_table_cxx.c); NULL: none. */
const ser_library_function *ser_library_row(const char *name);

/* Is the function another object's: declared here, or given for inlining only? */
bool ser_is_of_library(LLVMValueRef function);

/* The entry of the function called; NULL if there is none, or if it is not the C library's: it
 * has another type, or is defined here. */
const ser_library_function *ser_library_find(LLVMValueRef call);

/* Adds all that the call accesses, by the table and its format. False: the format is not known, so
 * that the call may access more. */
bool ser_library_effects(const ser_library_function *function, LLVMValueRef call,
                         ser_effect_list *effects);

/* formats.c: the same of the format alone. */
bool ser_format_effects(const ser_library_function *function, LLVMValueRef call,
                        ser_effect_list *effects);

/* formats.c: may an argument say how wide something is printed, or how much of a string? */
bool ser_format_has_sizes(const ser_library_function *function, LLVMValueRef call);

/* Is the memory that is accessed not where the pointer points to, but what is said there? */
static inline bool ser_effect_has_parts(const ser_effect *effect)
{
    return effect->measure == SER_SIZE_PARTS || effect->measure == SER_SIZE_MESSAGE;
}

/* The argument that an effect goes through; NULL: none. */
LLVMValueRef ser_effect_argument(const ser_effect *effect, LLVMValueRef call);

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
