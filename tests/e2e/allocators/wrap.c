/* SPDX-License-Identifier: MIT */
/* It only counts, and finds the real functions where we find them, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
static void *(*next_malloc)(size_t);
static long count;
void *malloc(size_t size)
{
    static char early[4096];
    static size_t used, finding;
    if (!next_malloc && finding) {
        used += (size + 15) / 16 * 16;
        return early + used - (size + 15) / 16 * 16;
    }
    finding = 1;
    if (!next_malloc)
        next_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return next_malloc(size);
}
