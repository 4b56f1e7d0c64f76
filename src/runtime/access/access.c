/* SPDX-License-Identifier: MIT */
/*
 * The accesses of abi.h.
 *
 * Plain accesses of 1 to 8 bytes have fast paths (access.h), where they are elided or write one
 * record. Everything else (no token, end of the turn, unknown site, a word for which another record
 * must come first, odd sizes) goes through ser_access_do.
 */
#include "runtime/access/access.h"

#include <string.h>

static ser_runtime_world *const world = &ser_the_world;

typedef uint8_t any1 __attribute__((may_alias));
typedef uint16_t any2 __attribute__((may_alias, aligned(1)));
typedef uint32_t any4 __attribute__((may_alias, aligned(1)));
typedef uint64_t any8 __attribute__((may_alias, aligned(1)));

static void load(ser_runtime_access *access)
{
    const void *from = access->address;
    access->old.wide = 0;
    switch (access->size) { /* the usual sizes in one instruction each */
    case 1:
        access->old.word = *(const volatile any1 *)from;
        break;
    case 2:
        access->old.word = *(const volatile any2 *)from;
        break;
    case 4:
        access->old.word = *(const volatile any4 *)from;
        break;
    case 8:
        access->old.word = *(const volatile any8 *)from;
        break;
    default:
        memcpy(access->old.bytes, from, access->size);
    }
}

static void store(ser_runtime_access *access)
{
    void *to = access->address;
    switch (access->size) {
    case 1:
        *(volatile any1 *)to = (uint8_t)access->value.word;
        break;
    case 2:
        *(volatile any2 *)to = (uint16_t)access->value.word;
        break;
    case 4:
        *(volatile any4 *)to = (uint32_t)access->value.word;
        break;
    case 8:
        *(volatile any8 *)to = access->value.word;
        break;
    default:
        memcpy(to, access->value.bytes, access->size);
    }
}

static uint64_t sign_extended(uint64_t value, uint32_t size)
{
    uint32_t unused = 64 - 8 * size;
    return (uint64_t)((int64_t)(value << unused) >> unused);
}

/* The new value of an rmw; only the bytes of its size count. */
static uint64_t combine(uint32_t kind, uint64_t old, uint64_t operand, uint32_t size)
{
    int64_t a = (int64_t)sign_extended(old, size), b = (int64_t)sign_extended(operand, size);
    switch (kind) {
    case 1:
        return old + operand;
    case 2:
        return old - operand;
    case 3:
        return old & operand;
    case 4:
        return ~(old & operand);
    case 5:
        return old | operand;
    case 6:
        return old ^ operand;
    case 7:
        return (uint64_t)(a > b ? a : b);
    case 8:
        return (uint64_t)(a < b ? a : b);
    case 9:
        return old > operand ? old : operand;
    case 10:
        return old < operand ? old : operand;
    default:
        return operand;
    }
}

static uint64_t bytes_of(uint64_t value, uint32_t size)
{
    return size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

static bool swap_if_equal(void *address, uint32_t size, uint64_t *expected, uint64_t desired)
{
    switch (size) {
#define SER_X(N, TYPE)                                                                             \
    case N: {                                                                                      \
        TYPE seen = (TYPE)*expected;                                                               \
        bool equal = __atomic_compare_exchange_n((TYPE *)address, &seen, (TYPE)desired, false,     \
                                                 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
        *expected = seen;                                                                          \
        return equal;                                                                              \
    }
        SER_X(1, uint8_t)
        SER_X(2, uint16_t)
        SER_X(4, uint32_t)
        SER_X(8, uint64_t)
#undef SER_X
    default:
        return true;
    }
}

static bool swap_wide(ser_runtime_access *access, unsigned __int128 expected,
                      unsigned __int128 desired)
{
    access->old.wide =
        __sync_val_compare_and_swap((unsigned __int128 *)access->address, expected, desired);
    return access->old.wide == expected;
}

static bool compare_exchange(ser_runtime_access *access)
{
    if (access->size == 16)
        return swap_wide(access, access->expected.wide, access->value.wide);
    access->old.word = access->expected.word;
    return swap_if_equal(access->address, access->size, &access->old.word, access->value.word);
}

/* Others may change the value between two tries: code that is not instrumented. */
static void read_modify_write(ser_runtime_access *access)
{
    if (access->size == 16) {
        while (!swap_wide(access, access->old.wide, access->value.wide))
            continue;
        return;
    }
    load(access);
    uint64_t operand = bytes_of(access->value.word, access->size), desired;
    do
        desired =
            bytes_of(combine(access->rmw, access->old.word, operand, access->size), access->size);
    while (!swap_if_equal(access->address, access->size, &access->old.word, desired));
    access->value.word = desired;
}

/* Atomic stores end with a full barrier, so that loads need none of their own to be in one
 * order with them. */
static void atomic_load(ser_runtime_access *access)
{
    if (access->size == 16)
        swap_wide(access, 0, 0);
    else
        load(access);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static void atomic_store(ser_runtime_access *access)
{
    if (access->size == 16) {
        read_modify_write(access);
        return;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    store(access);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Returns the operation that the trace gets. */
static ser_op perform(ser_runtime_access *access)
{
    switch (access->kind) {
    case SER_ACCESS_LOAD:
        load(access);
        return SER_OP_READ;
    case SER_ACCESS_STORE:
        store(access);
        return SER_OP_WRITE;
    case SER_ACCESS_ATOMIC_LOAD:
        atomic_load(access);
        return SER_OP_READ;
    case SER_ACCESS_ATOMIC_STORE:
        atomic_store(access);
        return SER_OP_WRITE;
    case SER_ACCESS_RMW:
        read_modify_write(access);
        return SER_OP_RMW;
    case SER_ACCESS_COMPARE_EXCHANGE:
        return compare_exchange(access) ? SER_OP_RMW : SER_OP_READ;
    default:
        return ser_pointer_perform(access);
    }
}

/* The value of a read is what was read, of a write and an rmw what was written. */
static void record(ser_thread *me, const ser_runtime_access *access, const ser_touch *touch,
                   ser_op op, uint32_t site)
{
    const ser_value *value = op == SER_OP_READ ? &access->old : &access->value;
    uintptr_t address = (uintptr_t)touch->part;
    uint32_t size = (uint32_t)touch->part_size;
    uint64_t words[2] = {0, 0};
    memcpy(words, value->bytes + (address - (uintptr_t)access->address), size);
    ser_put_record(me, address, words[0], ser_tag(op, size, site));
    if (size > 8)
        ser_put_record(me, address + 8, words[1], ser_tag(SER_RAW_CHUNK, size - 8, site));
}

static ser_op perform_and_record(ser_thread *me, ser_runtime_access *access, uint32_t site)
{
    bool writes = access->kind == SER_ACCESS_STORE;
    ser_touch touch = {.address = access->address,
                       .size = access->size,
                       .writes = writes,
                       .kept = !writes && access->kind != SER_ACCESS_LOAD};
    ser_touch_begin(me, &touch);
    if (!touch.elided && ser_access_is_first_write(access))
        ser_globals_record_held(me, access->address, access->size);
    ser_op op = perform(access);
    if (!touch.elided) {
        ser_reveal(me, &touch, op);
        record(me, access, &touch, op, site);
    }
    ser_touch_end(me, &touch);
    return op;
}

ser_op ser_access_do(ser_runtime_access *access, ser_abi_site *site)
{
    if (ser_access_passes(ser_self)) {
        ser_op op = perform(access);
        ser_access_end_pass(ser_self);
        return op;
    }
    ser_thread *me = ser_enter();
    if (me && !me->ignoring && world->recording) {
        uint32_t number = site           ? ser_site_number(me, site)
                          : access->code ? ser_code_number(me, access->code)
                                         : ser_here(me);
        ser_op op = perform_and_record(me, access, number);
        ser_leave(me);
        return op;
    }
    if (me)
        ser_leave(me);
    else if (ser_self != &ser_nobody && ser_self != &ser_stranger)
        ser_lose(1);
    return perform(access);
}

void ser_access_do_words(ser_runtime_access *access, ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (!ser_access_hides_own_words(me, (uintptr_t)access->address, access->size,
                                    access->kind == SER_ACCESS_STORE)) {
        ser_access_do(access, site);
        return;
    }
    perform(access);
    ser_leave(me);
}

/* Each access has five paths, of which one calls the next: elided in the thread's own word, in a
 * common line (both without a stack frame), or otherwise; recorded on the fast path; slow. */
#define SER_X(N, TYPE)                                                                             \
    static __attribute__((noinline))                                                               \
    TYPE load##N##_slowly(const void *address, ser_abi_site *site)                                 \
    {                                                                                              \
        ser_runtime_access access = {                                                              \
            .kind = SER_ACCESS_LOAD, .size = N, .address = (void *)(uintptr_t)address};            \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline))                                                               \
    TYPE load##N##_recorded(const void *address, ser_abi_site *site)                               \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin(me, site, (uintptr_t)address, N, false);                    \
        if (ser_unlikely(way == SER_SLOW))                                                         \
            return load##N##_slowly(address, site);                                                \
        TYPE value = *(const volatile any##N *)address;                                            \
        ser_access_end(me, way, (uintptr_t)address, value, ser_tag(SER_OP_READ, N, site->number)); \
        return value;                                                                              \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) TYPE load##N(const void *address, ser_abi_site *site)         \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin_elided(me, (uintptr_t)address, N, false);                   \
        if (ser_unlikely(way == SER_SLOW))                                                         \
            return load##N##_recorded(address, site);                                              \
        TYPE value = *(const volatile any##N *)address;                                            \
        ser_access_end_elided(me, way, (uintptr_t)address);                                        \
        return value;                                                                              \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline))                                                               \
    TYPE load##N##_common(const void *address, ser_abi_site *site)                                 \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        if (ser_access_passes(me) || ser_access_hides_frozen(me, (uintptr_t)address, N)) {         \
            TYPE value = *(const volatile any##N *)address;                                        \
            ser_access_end_pass(me);                                                               \
            return value;                                                                          \
        }                                                                                          \
        if (ser_unlikely(!ser_access_hides_common(me, (uintptr_t)address, N, false)))              \
            return load##N(address, site);                                                         \
        TYPE value = *(const volatile any##N *)address;                                            \
        ser_access_end_elided(me, SER_PARALLEL_ELIDED, (uintptr_t)address);                        \
        return value;                                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT TYPE __seriatim_load##N(const void *address, ser_abi_site *site)                    \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        if (ser_unlikely(!ser_access_hides_own(me, (uintptr_t)address, N, false)))                 \
            return load##N##_common(address, site);                                                \
        TYPE value = *(const volatile any##N *)address;                                            \
        ser_leave(me);                                                                             \
        return value;                                                                              \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) void store##N##_slowly(void *address, TYPE value,             \
                                                            ser_abi_site *site)                    \
    {                                                                                              \
        ser_runtime_access access = {                                                              \
            .kind = SER_ACCESS_STORE, .size = N, .address = address, .value.word = value};         \
        ser_access_do(&access, site);                                                              \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) void store##N##_recorded(void *address, TYPE value,           \
                                                              ser_abi_site *site)                  \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin_write(me, site, (uintptr_t)address, N);                     \
        if (ser_unlikely(way == SER_SLOW)) {                                                       \
            store##N##_slowly(address, value, site);                                               \
            return;                                                                                \
        }                                                                                          \
        *(volatile any##N *)address = value;                                                       \
        ser_access_end(me, way, (uintptr_t)address, value,                                         \
                       ser_tag(SER_OP_WRITE, N, site->number));                                    \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) void store##N(void *address, TYPE value, ser_abi_site *site)  \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin_elided(me, (uintptr_t)address, N, true);                    \
        if (ser_unlikely(way == SER_SLOW)) {                                                       \
            store##N##_recorded(address, value, site);                                             \
            return;                                                                                \
        }                                                                                          \
        *(volatile any##N *)address = value;                                                       \
        ser_access_end_elided(me, way, (uintptr_t)address);                                        \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) void store##N##_common(void *address, TYPE value,             \
                                                            ser_abi_site *site)                    \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        if (ser_access_passes(me)) {                                                               \
            *(volatile any##N *)address = value;                                                   \
            ser_access_end_pass(me);                                                               \
            return;                                                                                \
        }                                                                                          \
        if (ser_unlikely(!ser_access_hides_common(me, (uintptr_t)address, N, true))) {             \
            store##N(address, value, site);                                                        \
            return;                                                                                \
        }                                                                                          \
        *(volatile any##N *)address = value;                                                       \
        ser_access_end_elided(me, SER_PARALLEL_ELIDED, (uintptr_t)address);                        \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT void __seriatim_store##N(void *address, TYPE value, ser_abi_site *site)             \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        if (ser_unlikely(!ser_access_hides_own(me, (uintptr_t)address, N, true))) {                \
            store##N##_common(address, value, site);                                               \
            return;                                                                                \
        }                                                                                          \
        *(volatile any##N *)address = value;                                                       \
        ser_leave(me);                                                                             \
    }
SER_X(1, uint8_t)
SER_X(2, uint16_t)
SER_X(4, uint32_t)
SER_X(8, uint64_t)
#undef SER_X
