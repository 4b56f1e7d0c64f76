/* SPDX-License-Identifier: MIT */
/*
 * What the libraries keep where instrumented code does not see it: variables of the C library, and
 * the buffers of libstdc++'s streams.
 *
 * The standard output and error streams are left out: threads may print in any order.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "runtime/access/access.h"

static uint64_t hidden[SER_ABI_HIDDEN_COUNT];

/* One step: the library reads or replaces the whole. What it is then is never what it was before,
 * as far as anybody can know. */
SER_EXPORT void __seriatim_hidden(ser_abi_u32 which, ser_abi_u32 writes, ser_abi_site *site)
{
    static uint64_t next;
    if (ser_is_off || which >= SER_ABI_HIDDEN_COUNT)
        return;
    ser_runtime_access access = {.kind = writes ? SER_ACCESS_STORE : SER_ACCESS_LOAD,
                                 .size = sizeof *hidden,
                                 .address = &hidden[which]};
    if (writes)
        access.value.word = __atomic_add_fetch(&next, 1, __ATOMIC_RELAXED);
    ser_access_do_words(&access, site);
}

/* --- streams ------------------------------------------------------------------ */

/* Parts of libstdc++'s ABI: where the table of virtual functions says how far away the basic_ios
 * is, where that points to the buffer, and the six pointers of the buffer, behind that to its own
 * table: for reading (begin, now, end), and for writing. */
enum {
    OFFSET_OF_IOS = -3,
    BUFFER_IN_IOS = 232,
    POINTERS = 8,
    POINTERS_SIZE = 48,
    READ_NOW = 16,
    WRITE_NOW = 40
};

static bool is_standard(const void *object)
{
    enum { COUNT = 3 };
    static const void *standard[COUNT];
    static const char *const names[COUNT] = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"};
    for (int i = 0; i < COUNT; i++) {
        if (!__atomic_load_n(&standard[i], __ATOMIC_RELAXED))
            __atomic_store_n(&standard[i], dlsym(RTLD_DEFAULT, names[i]), __ATOMIC_RELAXED);
        if (standard[i] == object)
            return true;
    }
    return false;
}

/* Its buffer; null: none. */
static const char *buffer_of(const void *object)
{
    const ptrdiff_t *table = *(const ptrdiff_t *const *)object;
    const char *ios = (const char *)object + table[OFFSET_OF_IOS];
    return *(const char *const *)(ios + BUFFER_IN_IOS);
}

static void use(const char *address, size_t size, ser_abi_u32 how, ser_abi_site *site)
{
    if (how == SER_ABI_READS)
        __seriatim_range_read(address, size, site);
    else
        __seriatim_range_written(address, size, site);
}

/* Who reads from a string reads what was written to it. */
SER_EXPORT void __seriatim_stream(const void *object, ser_abi_u32 part, ser_abi_u32 how,
                                  ser_abi_site *site)
{
    const char *buffer = ser_is_off || is_standard(object) ? 0 : buffer_of(object);
    if (!buffer)
        return;
    if (part == SER_ABI_STREAM_ALL) {
        use(buffer + POINTERS, POINTERS_SIZE, how, site);
        return;
    }
    use(buffer + (part == SER_ABI_STREAM_OUT ? WRITE_NOW : READ_NOW), sizeof(void *), how, site);
    if (part == SER_ABI_STREAM_IN && how == SER_ABI_READS)
        use(buffer + WRITE_NOW, sizeof(void *), how, site);
}
