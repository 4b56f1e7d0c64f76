/* SPDX-License-Identifier: MIT */
/*
 * Finding the functions behind ours. dlsym may allocate, which comes back to our malloc: heap.c
 * serves that from a small store of its own until the table is filled. Or it calls a malloc of the
 * program's own, which may record, lock and map memory, with our functions. But dlsym allocates
 * only for the message that it did not find something: so optional functions are looked up last,
 * when all others are known.
 */
#include "runtime/posix/real.h"

#include <dlfcn.h>

#include "runtime/core/sys.h"

ser_real_functions ser_real;

bool ser_real_heap_is_foreign;

static bool are_of_one_library(const void *function, const void *other)
{
    Dl_info first, second;
    return dladdr(function, &first) && dladdr(other, &second) &&
           first.dli_fbase == second.dli_fbase;
}

/* A library may have a malloc, but leave malloc_usable_size to the C library. */
static void look_at_heap(void)
{
    ser_real_heap_is_foreign = !are_of_one_library((void *)ser_real.malloc, (void *)ser_real._exit);
    if (!are_of_one_library((void *)ser_real.malloc, (void *)ser_real.malloc_usable_size))
        ser_real.malloc_usable_size = 0;
}

void ser_real_find(void)
{
    static uint32_t begun; /* before there is a second thread */
    if (ser_likely(__atomic_load_n(&begun, __ATOMIC_ACQUIRE)))
        return;
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
#define SER_X(result, name, ...) *(void **)&ser_real.name = dlsym(RTLD_NEXT, #name);
    SER_REAL_ALL(SER_X)
    SER_REAL_OUTSIDE(SER_X)
    SER_REAL_RECEIVES(SER_X)
    SER_REAL_SENDS(SER_X)
    look_at_heap();
    SER_REAL_OPTIONAL(SER_X)
#undef SER_X
}

void ser_real_now(clockid_t clock, struct timespec *now)
{
    ser_real_find();
    ser_real.clock_gettime(clock, now);
}
