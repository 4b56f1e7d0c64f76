/* SPDX-License-Identifier: MIT */
/*
 * The TSan ABI: objects compiled by gcc or clang with -fsanitize=thread record, too.
 *
 * Plain accesses are announced just before they happen. In serial mode that is as good as
 * performing them: no other thread runs until this one comes back. A read has the value that is
 * there now. The value of a write is known when the thread enters the runtime the next time, and
 * the record is written then, before anything else. (Should the watchdog take the token exactly
 * between announcement and access, which takes a pause of many milliseconds there, the value may be
 * the old one.) In parallel mode others may come between, and the order is not exact.
 *
 * Places are code addresses. Atomic operations are performed here.
 */
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/pending.h"

static ser_runtime_world *const world = &ser_the_world;

#define HERE ((uintptr_t)__builtin_return_address(0))

static bool records(const ser_thread *me)
{
    return !me->ignoring && world->recording;
}

static void put_access(ser_thread *me, int op, const void *address, uint32_t size, uint32_t site)
{
    uint64_t words[2] = {0, 0};
    ser_touch touch = {.address = address, .size = size, .kept = true};
    ser_touch_begin(me, &touch);
    memcpy(words, address, size);
    ser_reveal(me, &touch, (ser_op)op);
    ser_put_record(me, (uintptr_t)address, words[0], ser_tag(op, size, site));
    if (size > 8)
        ser_put_record(me, (uintptr_t)address + 8, words[1],
                       ser_tag(SER_RAW_CHUNK, size - 8, site));
    ser_touch_end(me, &touch);
}

void ser_pending_write(ser_thread *me)
{
    if (me->pending.size)
        put_access(me, SER_OP_WRITE, me->pending.address, me->pending.size, me->pending.site);
    me->pending.size = 0;
}

/* The thread, inside, with its place noted; null if it does not record. */
static ser_thread *begin(uintptr_t code)
{
    ser_thread *me = ser_enter();
    if (!me) {
        if (ser_self != &ser_nobody && ser_self != &ser_stranger)
            ser_lose(1);
        return 0;
    }
    me->code = code;
    me->at = 0;
    if (records(me))
        return me;
    ser_leave(me);
    return 0;
}

static void announce_read(const void *address, uint32_t size, uintptr_t code)
{
    ser_thread *me = begin(code);
    if (!me)
        return;
    put_access(me, SER_OP_READ, address, size, ser_code_number(me, code));
    ser_leave(me);
}

static void announce_write(const void *address, uint32_t size, uintptr_t code)
{
    ser_thread *me = begin(code);
    if (!me)
        return;
    me->pending.address = address;
    me->pending.site = ser_code_number(me, code);
    me->pending.size = size;
    ser_compiler_barrier();
    me->inside = SER_PENDING;
}

#define SER_X(N)                                                                                   \
    void __tsan_read##N(void *address);                                                            \
    void __tsan_write##N(void *address);                                                           \
    void __tsan_unaligned_read##N(void *address);                                                  \
    void __tsan_unaligned_write##N(void *address);                                                 \
    void __tsan_volatile_read##N(void *address);                                                   \
    void __tsan_volatile_write##N(void *address);                                                  \
    void __tsan_read_write##N(void *address);                                                      \
    void __tsan_unaligned_read_write##N(void *address);                                            \
    SER_EXPORT void __tsan_read##N(void *address)                                                  \
    {                                                                                              \
        announce_read(address, N, HERE);                                                           \
    }                                                                                              \
    SER_EXPORT void __tsan_write##N(void *address)                                                 \
    {                                                                                              \
        announce_write(address, N, HERE);                                                          \
    }                                                                                              \
    SER_EXPORT void __tsan_unaligned_read##N(void *address)                                        \
    {                                                                                              \
        announce_read(address, N, HERE);                                                           \
    }                                                                                              \
    SER_EXPORT void __tsan_unaligned_write##N(void *address)                                       \
    {                                                                                              \
        announce_write(address, N, HERE);                                                          \
    }                                                                                              \
    SER_EXPORT void __tsan_volatile_read##N(void *address)                                         \
    {                                                                                              \
        announce_read(address, N, HERE);                                                           \
    }                                                                                              \
    SER_EXPORT void __tsan_volatile_write##N(void *address)                                        \
    {                                                                                              \
        announce_write(address, N, HERE);                                                          \
    }                                                                                              \
    SER_EXPORT void __tsan_read_write##N(void *address)                                            \
    {                                                                                              \
        announce_read(address, N, HERE);                                                           \
        announce_write(address, N, HERE);                                                          \
    }                                                                                              \
    SER_EXPORT void __tsan_unaligned_read_write##N(void *address)                                  \
    {                                                                                              \
        announce_read(address, N, HERE);                                                           \
        announce_write(address, N, HERE);                                                          \
    }
SER_X(1)
SER_X(2)
SER_X(4)
SER_X(8)
SER_X(16)
#undef SER_X

void __tsan_vptr_read(void **address);
void __tsan_vptr_update(void **address, void *value);
void __tsan_read_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);

SER_EXPORT void __tsan_vptr_read(void **address)
{
    announce_read(address, sizeof *address, HERE);
}

/* The constructor may write the same again: no change, and none of TSan's writes. */
SER_EXPORT void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        announce_write(address, sizeof *address, HERE);
}

static void announce_range(int op, const void *address, size_t size, uintptr_t code)
{
    ser_thread *me = size ? begin(code) : 0;
    if (!me)
        return;
    ser_touch touch = {.part = address, .part_size = size};
    ser_record_elided(me);
    if (!world->parallel) /* where their order is not exact anyway */
        ser_reveal(me, &touch, op == SER_RAW_RANGE_READ ? SER_OP_READ : SER_OP_WRITE);
    ser_clocks_tick(me);
    ser_count_recorded(me);
    ser_put_raw(me, (uintptr_t)address, size, ser_tag(op, 0, ser_code_number(me, code)));
    if (world->parallel)
        ser_clocks_publish(me);
    ser_leave(me);
}

SER_EXPORT void __tsan_read_range(void *address, size_t size)
{
    announce_range(SER_RAW_RANGE_READ, address, size, HERE);
}

SER_EXPORT void __tsan_write_range(void *address, size_t size)
{
    announce_range(SER_RAW_RANGE_WRITE, address, size, HERE);
}

SER_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return __tsan_memmove(to, from, size);
}

SER_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size)
{
    announce_range(SER_RAW_RANGE_READ, from, size, HERE);
    announce_range(SER_RAW_RANGE_WRITE, to, size, HERE);
    return memmove(to, from, size);
}

SER_EXPORT void *__tsan_memset(void *to, int byte, size_t size)
{
    announce_range(SER_RAW_RANGE_WRITE, to, size, HERE);
    return memset(to, byte, size);
}

/* The call of this function lies in the function that is entered, once. */
/* Code of this ABI does not announce calls of code that is not instrumented. */
SER_EXPORT void __tsan_func_entry(void *caller)
{
    (void)caller;
    ser_stay_outside(ser_self);
    ser_thread *me = world->options.calls ? begin(HERE) : 0;
    if (!me)
        return;
    ser_frame_enter(me, ser_code_number(me, me->code));
    ser_leave(me);
}

SER_EXPORT void __tsan_func_exit(void)
{
    uint32_t depth = ser_self->depth;
    if (depth > 0)
        __seriatim_leave(depth - 1);
}

SER_EXPORT void __tsan_ignore_thread_begin(void)
{
    __seriatim_ignore_begin();
}

SER_EXPORT void __tsan_ignore_thread_end(void)
{
    __seriatim_ignore_end();
}
