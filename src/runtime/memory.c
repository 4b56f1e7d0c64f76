/* SPDX-License-Identifier: MIT */
/*
 * Memory of the runtime itself: mapped in a part of the address space that the system does not
 * use by itself. How much there is, and when it is mapped, is not the same in a recorded run and
 * its replay; but stacks, mappings and the heap of the program are where they were.
 */
#include <sys/mman.h>

#include "runtime/runtime.h"

enum { PART = 1 << 16 }; /* bytes; no page is larger */

/* Between the program and its libraries, far from both. Where the system has less room than that,
 * it chooses itself. */
static uintptr_t next_address = UINT64_C(0x300000000000);

void *ser_map(size_t size, int flags, int file)
{
    uintptr_t room = (size + PART - 1) / PART * PART;
    uintptr_t wish = __atomic_fetch_add(&next_address, room, __ATOMIC_RELAXED);
    long memory = ser_sys(SYS_mmap, (long)wish, (long)size, PROT_READ | PROT_WRITE, flags, file, 0);
    return memory < 0 && memory > -4096 ? 0 : (void *)memory;
}

void *ser_memory(size_t size)
{
    static ser_lock lock;
    static char *chunk;
    static size_t left;
    enum { CHUNK = 1 << 20 };
    size = (size + 63) / 64 * 64;
    ser_lock_take(&lock);
    char *memory = 0;
    if (size > left) {
        size_t wanted = size > CHUNK ? size : CHUNK;
        char *got = ser_map(wanted, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        if (got)
            chunk = got, left = wanted;
    }
    if (size <= left) {
        memory = chunk;
        chunk += size;
        left -= size;
    }
    ser_lock_give(&lock);
    return memory;
}
