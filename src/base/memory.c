/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

enum { LARGE_PIECE = 1 << 19, LARGEST_KEPT = 32 << 20 }; /* bytes */

void ser_out_of_memory(size_t bytes)
{
    fprintf(stderr, "seriatim: out of memory (%zu bytes more were needed)\n", bytes);
    exit(SER_UNDECIDED);
}

void *ser_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        ser_out_of_memory(count * size);
    return memory;
}

void *ser_resize(void *memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        ser_out_of_memory(SIZE_MAX);
    size_t bytes = count * size;
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        ser_out_of_memory(bytes);
    return memory;
}

void *ser_resize_zeroed(void *memory, size_t old_count, size_t count, size_t size)
{
    memory = ser_resize(memory, count, size);
    if (count > old_count)
        memset((char *)memory + old_count * size, 0, (count - old_count) * size);
    return memory;
}

char *ser_copy_text(const char *text, size_t length)
{
    char *copy = ser_resize(NULL, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

size_t ser_grown_capacity(size_t capacity, size_t wanted)
{
    size_t grown = capacity < 8 ? 8 : capacity + capacity / 2;
    return grown < wanted ? wanted : grown;
}

void ser_keep_pieces(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

void ser_return_large_pieces(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_PIECE);
}
