/* SPDX-License-Identifier: MIT */
/*
 * Finding the functions behind ours. dlsym may allocate, which comes back to our
 * malloc: heap.c serves that from a small store of its own until the table is
 * filled, so the order of the table does not matter.
 */
#include "runtime/real.h"

#include <dlfcn.h>

#include "runtime/sys.h"

ser_real_functions ser_real;

void ser_real_find(void)
{
    static uint32_t begun; /* before there is a second thread */
    if (ser_likely(__atomic_load_n(&begun, __ATOMIC_ACQUIRE)))
        return;
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
#define SER_X(result, name, parameters) *(void **)&ser_real.name = dlsym(RTLD_NEXT, #name);
    SER_REAL_ALL(SER_X)
#undef SER_X
#define SER_X(result, name, parameters, arguments, test)                                           \
    *(void **)&ser_real.name = dlsym(RTLD_NEXT, #name);
    SER_REAL_OUTSIDE(SER_X)
#undef SER_X
}

void ser_now(clockid_t clock, struct timespec *now)
{
    ser_real_find();
    ser_real.clock_gettime(clock, now);
}
