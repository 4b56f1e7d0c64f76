/* SPDX-License-Identifier: MIT */
/*
 * Objects of libraries that are not instrumented (abi.h: meets). Their locks and queues are made of
 * atomics and futexes that nobody records. So every call that gets such an object is recorded, when
 * it begins and when it has ended, and the recorder makes of it what it may be: a lock, a chain
 * that keeps the calls in their order, or nothing where one thread only comes
 * (record/events/unseen.h).
 *
 * What the C and the C++ library do is known by other means.
 */
#include <dlfcn.h>
#include <string.h>

#include "contract/abi.h"
#include "runtime/core/records/record.h"
#include "runtime/posix/streams/streams.h"

static bool is_of_system_file(const char *path)
{
    static const char *const known[] = {"libc.so",    "libm.so",      "libstdc++.so", "libgcc_s.so",
                                        "ld-",        "libpthread.",  "librt.so",     "libdl.so",
                                        "libatomic.", "libseriatim-", "linux-vdso",   "libresolv.",
                                        "libomp.",    "libc++"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

/* Remembered by address; in the lowest bit the answer. */
static bool is_of_system(const void *function)
{
    enum { KNOWN = 1024 };
    static uint64_t answers[KNOWN];
    uint64_t key = (uint64_t)(uintptr_t)function << 1;
    uint64_t *known = &answers[((uintptr_t)function >> 4) % KNOWN];
    uint64_t answer = __atomic_load_n(known, __ATOMIC_RELAXED);
    if ((answer & ~UINT64_C(1)) == key)
        return answer & 1;
    Dl_info found;
    bool is = dladdr(function, &found) && found.dli_fname && is_of_system_file(found.dli_fname);
    __atomic_store_n(known, key | is, __ATOMIC_RELAXED);
    return is;
}

/* A lock is held from the end of one call to the begin of another. */
static void put(ser_thread *me, const void *object, uint32_t deed, bool begins)
{
    if (deed == SER_ABI_LOCKS && !begins)
        ser_put(me, SER_OP_ACQUIRE, object, 0);
    else if (deed == SER_ABI_UNLOCKS && begins)
        ser_put(me, SER_OP_RELEASE, object, 0);
    else if (deed == SER_ABI_USES)
        ser_put_meeting(me, object);
}

SER_EXPORT void __seriatim_meets(const void *function, const void *object, ser_abi_u32 deed,
                                 ser_abi_u32 stage)
{
    if (stage == SER_ABI_STAYS || !object || ser_self->ignoring || !ser_streams_are_recorded() ||
        ser_is_seen_function(function) || is_of_system(function))
        return;
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    put(me, object, deed, stage == SER_ABI_LEAVES);
    ser_leave_sync(me);
}
