/* SPDX-License-Identifier: MIT */
/*
 * What SeriatimRecords.java must know of memory: where things are, and what the natives have found
 * out about sites.
 */
#include "java/agent/fast_path.h"

#include <sys/mman.h>

#include "contract/managed.h"
#include "java/agent/identities.h"

/* The system gives it memory as it is used. */
static ser_fast_site *fast_sites;

bool ser_fast_path_start(void)
{
    fast_sites = ser_map(sizeof *fast_sites * SER_FAST_SITES,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    return fast_sites;
}

static ser_fast_site *find(uint32_t site)
{
    return site > 0 && site < SER_FAST_SITES ? &fast_sites[site] : NULL;
}

void ser_fast_path_learn_access(uint32_t site, uint64_t tag, uint64_t cell)
{
    ser_fast_site *entry = find(site);
    if (!entry)
        return;
    entry->cell = cell;
    __atomic_store_n(&entry->tag, tag, __ATOMIC_RELEASE);
}

void ser_fast_path_learn_call(uint32_t site, uint32_t number)
{
    ser_fast_site *entry = find(site);
    if (entry)
        __atomic_store_n(&entry->tag, number, __ATOMIC_RELEASE);
}

static jlong as_number(const void *address)
{
    return (jlong)(uintptr_t)address;
}

/* In the order of SeriatimRecords.java, which has constants besides: */
static_assert(sizeof(ser_record) == 32, "of the ring");
static_assert(offsetof(ser_ring, head) == 0, "of the ring");
static_assert((int)SER_STAMP_OPERATION == 20 && (int)SER_WEIGHS_ONE == 1 << 4, "of stamps");
static_assert((int)SER_STAMP_THREAD == 4 && (int)SER_KNOWN == 512, "of stamps");
static_assert((int)SER_OBJECT_RECORDED == 1 && (int)SER_OBJECT_PRIVATE == 2, "of objects");
static_assert(sizeof(ser_fast_site) == 16, "of sites");
static_assert(SER_MANAGED_MOST_CELLS == 1 << 27, "of addresses");

static void write_layout(JNIEnv *env, jclass unused, jlongArray places)
{
    (void)unused;
    const jlong values[] = {
        as_number(&ser_the_world.holder),
        as_number(fast_sites),
        as_number(ser_identities_states()),
        as_number(ser_identities_stamps()),
        offsetof(ser_thread, machine),
        offsetof(ser_thread, inside),
        offsetof(ser_thread, limit),
        offsetof(ser_thread, ring),
        offsetof(ser_thread, tag),
        offsetof(ser_thread, clock),
        offsetof(ser_thread, stamp),
        offsetof(ser_thread, recorded),
        offsetof(ser_thread, recorded_elided),
        offsetof(ser_thread, calls),
        offsetof(ser_thread, call_room),
        offsetof(ser_thread, depth),
        offsetof(ser_thread, recorded_depth),
        offsetof(ser_thread, keeping),
        SER_RING_RECORDS - 1,
        offsetof(ser_ring, records),
        offsetof(ser_call, site),
        offsetof(ser_call, stamp),
        sizeof(ser_call),
        offsetof(ser_thread, known),
        (jlong)ser_tag(SER_OP_CALL, 0, 0),
        (jlong)ser_tag(SER_OP_RETURN, 0, 0),
        (jlong)ser_tag(SER_OP_SKIP, 0, 0),
    };
    (*env)->SetLongArrayRegion(env, places, 0, sizeof values / sizeof *values, values);
}

static const JNINativeMethod methods[] = {SER_NATIVE("layout", "([J)V", write_layout)};

SER_NATIVES(ser_fast_path_natives, methods);
