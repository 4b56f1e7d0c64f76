/* SPDX-License-Identifier: MIT */
/*
 * memory.h - allocation that does not return on failure.
 *
 * The tools cannot go on without memory: they say so and exit with status 4
 * (undecided). Everything obtained here is given back with free().
 */
#ifndef SER_BASE_MEMORY_H
#define SER_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* Zeroed memory for count elements of the given size. */
void *ser_alloc(size_t count, size_t size);

/* realloc for count elements; new elements are not initialised. */
void *ser_resize(void *memory, size_t count, size_t size);

/* Like ser_resize, and zeroes the elements from old_count on. */
void *ser_resize_zeroed(void *memory, size_t old_count, size_t count, size_t size);

/* A NUL-terminated copy of length bytes. */
char *ser_copy_text(const char *text, size_t length);

/* The next capacity of an array that holds `capacity` and needs `wanted`. */
size_t ser_grown_capacity(size_t capacity, size_t wanted);

/* From now on a large piece goes back to the system when it is freed. The allocator would keep ever
 * larger ones otherwise, in holes of each thread's own, beside what all of them use. */
void ser_return_large_pieces(void);

/* From now on what is freed is kept for later: for work that repeats itself for ever, and whose
 * memory should be seen to stay the same. Pieces above 32 MB go back all the same. */
void ser_keep_pieces(void);

_Noreturn void ser_out_of_memory(size_t bytes);

#endif
