/* SPDX-License-Identifier: MIT */
/*
 * The heap: a block that is freed and allocated again is a new variable.
 *
 * FREE is recorded before the block is given back, ALLOCATE after it was got: so
 * they are in order even where another thread gets the same address at once.
 * operator new and delete of libstdc++ come through malloc and free.
 *
 * The real functions are found by dlsym (so that another allocator behind us is
 * still used), which may itself allocate: until they are known, a small store
 * serves, whose blocks are never freed. A call of the heap never ends a thread's
 * turn: it may come from inside the C library, with locks that others need. Only a free that the
 * program itself makes (__seriatim_frees) is an operation, which conflicts with
 * every access of the block.
 *
 * If the program has a malloc of its own, this one is called by it, if at all: then blocks are not
 * distinguished. That malloc is recorded like any other code; see ser_runtime_world.foreign_heap.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/access/access.h"
#include "runtime/core/core.h"
#include "runtime/core/records/lines.h"
#include "runtime/elide/frozen.h"
#include "runtime/elide/shadow.h"
#include "runtime/posix/real.h"
#include "runtime/posix/sharing.h"
#include "runtime/posix/start.h"

static ser_runtime_world *const world = &ser_the_world;

enum { STORE_SIZE = 1 << 16 };
static _Alignas(64) char store[STORE_SIZE];
static size_t store_used;

static bool is_stored(const void *block)
{
    return (const char *)block >= store && (const char *)block < store + STORE_SIZE;
}

/* Each block is preceded by its size. */
static void *take_from_store(size_t size)
{
    size_t needed = (size + 31) / 16 * 16;
    if (needed > STORE_SIZE - store_used)
        return 0;
    char *block = store + store_used + 16;
    memcpy(block - sizeof size, &size, sizeof size);
    store_used += needed;
    return block;
}

/* Larger than any block, if the size is not known. */
static size_t size_of(const void *block)
{
    return ser_real.malloc_usable_size ? ser_real.malloc_usable_size((void *)(uintptr_t)block)
                                       : SIZE_MAX;
}

/* What the allocator gave is the block's, also behind what was asked for: the program may use
 * malloc_usable_size, and these bytes may have been an earlier block's, which was freed. */
static size_t given_size(int op, const void *memory, size_t size)
{
    size_t given = op == SER_RAW_ALLOCATE ? size_of(memory) : size;
    return given > size && given != SIZE_MAX ? given : size;
}

static void put_block(ser_thread *me, int op, const void *block, size_t size)
{
    if (!block || !world->recording)
        return;
    uint32_t site = ser_here(me);
    if (op != SER_RAW_FREE) {
        size = given_size(op, block, size);
        ser_shadow_renew((uintptr_t)block, (size + 7) / 8 * 8);
    }
    if (world->parallel && op != SER_RAW_FREE)
        ser_lines_rise(me, (uintptr_t)block, size);
    if (world->parallel)
        ser_lines_lock(me, block, 1);
    ser_put_record(me, (uintptr_t)block, size, ser_tag(op, 0, site));
    if (world->parallel) {
        ser_lines_unlock(me, block, 1);
        ser_clocks_publish(me);
    }
    if (world->parallel && op == SER_RAW_FREE) /* parts of it may be allocated separately */
        ser_lines_retire(me, (uintptr_t)block, size_of(block));
}

/* A call of the heap. What the real function does is its own, and not recorded, also if it is
 * instrumented, in a library that comes after us. */
typedef struct heap_call {
    ser_thread *me; /* null: the call is not recorded either */
    ser_thread *caller;
} heap_call;

static inline heap_call enter_heap(void)
{
    heap_call call = {ser_enter_in_turn(), ser_self};
    if (ser_unlikely(ser_real_heap_is_foreign))
        ser_self = &ser_stranger;
    return call;
}

/* Enters for a call that ends the block's life. If the program itself makes the call, it may
 * have to wait for its turn, and is recorded; else null. */
static ser_thread *enter_own_free(const void *block)
{
    if (ser_self->freeing != block)
        return 0;
    ser_thread *me = ser_enter();
    if (me)
        me->freeing = 0;
    return me;
}

static heap_call enter_to_free(const void *block)
{
    ser_thread *me = enter_own_free(block);
    if (!me)
        return enter_heap();
    if (world->recording)
        ser_access_free(me, block, size_of(block));
    heap_call call = {me, ser_self};
    if (ser_unlikely(ser_real_heap_is_foreign))
        ser_self = &ser_stranger;
    return call;
}

static inline void leave_heap(heap_call call)
{
    if (ser_unlikely(ser_real_heap_is_foreign))
        ser_self = call.caller;
    if (call.me)
        ser_leave(call.me);
}

static void *record_block(heap_call call, void *block, size_t size)
{
    if (call.me)
        put_block(call.me, SER_RAW_ALLOCATE, block, size);
    leave_heap(call);
    return block;
}

SER_EXPORT void *malloc(size_t size)
{
    if (ser_unlikely(!ser_real.malloc))
        ser_real_find();
    if (ser_unlikely(!ser_real.malloc))
        return take_from_store(size);
    if (ser_is_off)
        return ser_real.malloc(size);
    heap_call call = enter_heap();
    return record_block(call, ser_real.malloc(size), size);
}

SER_EXPORT void *calloc(size_t count, size_t size)
{
    if (ser_unlikely(!ser_real.calloc))
        ser_real_find();
    if (ser_unlikely(!ser_real.calloc)) /* the store is zeroed, and none of it is reused */
        return size && count > STORE_SIZE / size ? 0 : take_from_store(count * size);
    if (ser_is_off)
        return ser_real.calloc(count, size);
    heap_call call = enter_heap();
    return record_block(call, ser_real.calloc(count, size), count * size);
}

/* Our own, also if the program defines malloc. */
extern __typeof__(malloc) ser_own_malloc
    __attribute__((alias("malloc"), visibility("hidden"), copy(malloc)));

bool ser_heap_is_foreign(void)
{
    return dlsym(RTLD_DEFAULT, "malloc") != (void *)ser_own_malloc;
}

static void *move_out_of_store(void *block, size_t size)
{
    size_t old_size;
    memcpy(&old_size, (char *)block - sizeof old_size, sizeof old_size);
    void *moved = malloc(size);
    return moved ? memcpy(moved, block, old_size < size ? old_size : size) : 0;
}

SER_EXPORT void *realloc(void *block, size_t size)
{
    if (is_stored(block))
        return move_out_of_store(block, size);
    if (!block)
        return malloc(size);
    if (ser_is_off)
        return ser_real.realloc(block, size);
    heap_call call = enter_to_free(block);
    size_t old_size = call.me ? size_of(block) : 0;
    if (call.me)
        put_block(call.me, SER_RAW_FREE, block, 0);
    void *moved = ser_real.realloc(block, size);
    if (call.me && moved)
        put_block(call.me, SER_RAW_ALLOCATE, moved, size);
    else if (call.me && size && old_size != SIZE_MAX)
        put_block(call.me, SER_RAW_ALLOCATE, block, old_size);
    leave_heap(call);
    return moved;
}

SER_EXPORT void free(void *block)
{
    if (!block || is_stored(block))
        return;
    if (ser_is_off) {
        ser_real.free(block);
        return;
    }
    heap_call call = enter_to_free(block);
    if (call.me)
        put_block(call.me, SER_RAW_FREE, block, 0);
    ser_real.free(block);
    leave_heap(call);
}

SER_EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    ser_real_find();
    heap_call call = enter_heap();
    int result = ser_real.posix_memalign(block, alignment, size);
    record_block(call, result == 0 ? *block : 0, size);
    return result;
}

SER_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    ser_real_find();
    heap_call call = enter_heap();
    return record_block(call, ser_real.aligned_alloc(alignment, size), size);
}

SER_EXPORT void *memalign(size_t alignment, size_t size)
{
    ser_real_find();
    heap_call call = enter_heap();
    return record_block(call, ser_real.memalign(alignment, size), size);
}

SER_EXPORT void *valloc(size_t size)
{
    ser_real_find();
    heap_call call = enter_heap();
    return record_block(call, ser_real.valloc(size), size);
}

SER_EXPORT void *pvalloc(size_t size)
{
    ser_real_find();
    heap_call call = enter_heap();
    return record_block(call, ser_real.pvalloc(size), size);
}

static bool is_page(const void *address)
{
    enum { PAGE = 4096 };
    return (uintptr_t)address % PAGE == 0;
}

static void *record_map(ser_thread *me, void *memory, size_t size, bool constant)
{
    if (me) {
        put_block(me, SER_RAW_MAP, memory == MAP_FAILED ? 0 : memory, size);
        if (world->parallel && memory != MAP_FAILED && constant)
            ser_freeze((uintptr_t)memory, size);
        ser_leave(me);
    }
    return memory;
}

SER_EXPORT void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    ser_real_find();
    if (flags & MAP_SHARED)
        ser_sharing_begins();
    ser_thread *me = ser_enter_in_turn();
    void *memory = ser_real.mmap(address, size, protection, flags, file, offset);
    return record_map(me, memory, size, protection == PROT_READ);
}

SER_EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int file,
                        off64_t offset)
{
    return mmap(address, size, protection, flags, file, offset);
}

SER_EXPORT void *mremap(void *address, size_t old_size, size_t new_size, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(arguments, void *) : 0;
    va_end(arguments);
    ser_real_find();
    ser_thread *me = ser_enter_in_turn();
    void *memory = ser_real.mremap(address, old_size, new_size, flags, wanted);
    return record_map(me, memory, new_size, false);
}

SER_EXPORT int munmap(void *address, size_t size)
{
    ser_real_find();
    if (world->parallel && is_page(address)) /* else it fails */
        ser_unfreeze((uintptr_t)address, size);
    ser_thread *me = address ? enter_own_free(address) : 0;
    if (me) {
        ser_access_free(me, address, size);
        ser_leave(me);
    }
    return ser_real.munmap(address, size);
}
