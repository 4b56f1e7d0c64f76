/* SPDX-License-Identifier: MIT */
/*
 * names.h - strings to dense numbers and back (interning).
 *
 * The first distinct string gets 0, the next 1, and so on; a string keeps its
 * number. Strings may hold any bytes. Expected O(length) per operation, one cache miss for names of
 * up to eight bytes. Memory: the table owns copies of the strings. Not thread-safe.
 */
#ifndef SER_BASE_NAMES_H
#define SER_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define SER_NO_NAME UINT32_MAX

typedef struct ser_names ser_names;

ser_names *ser_names_create(void);
void ser_names_destroy(ser_names *names);

/* The number of the string, which is added if it is new. */
uint32_t ser_names_add(ser_names *names, const char *text, size_t length);

/* Gives the string a new number, even if it has one already, and does not enter it into the table:
 * add and find do not see it. For callers that ensure that strings are distinct. */
uint32_t ser_names_append(ser_names *names, const char *text, size_t length);

/* Gives a number another string. Only if all strings were appended. */
void ser_names_rename(ser_names *names, uint32_t number, const char *text, size_t length);

/* The strings of numbers below `end` are no longer needed: frees most of them. Only if all strings
 * were appended. */
void ser_names_forget(ser_names *names, uint32_t end);

/* Prefetches what ser_names_add will read, for callers that know names in advance. Step 1 fetches
 * the slot of the table, step 2, some time later, the string it refers to. Worth its cost only if
 * there are more names than fit into the cache. */
void ser_names_prefetch(const ser_names *names, const char *text, size_t length, int step);

/* The number of the string, or SER_NO_NAME. */
uint32_t ser_names_find(const ser_names *names, const char *text, size_t length);

/* The NUL-terminated string of a number; valid until names is destroyed. */
const char *ser_names_text(const ser_names *names, uint32_t number);
size_t ser_names_length(const ser_names *names, uint32_t number);

/* The same, as people should see it: of a string longer than SER_NAMES_BRIEF, which nobody would
 * read, only the beginning, a number that tells it from similar ones, and the end. */
enum { SER_NAMES_BRIEF = 1024 };
const char *ser_names_brief(const ser_names *names, uint32_t number);
size_t ser_names_brief_length(const ser_names *names, uint32_t number);

uint32_t ser_names_count(const ser_names *names);

#endif
