/* SPDX-License-Identifier: MIT */
/*
 * A runtime for the tests of the instrumenter: performs what it is asked for and
 * writes a line for each call into the file named by FAKE_LOG, if there is one.
 *
 *     load4 counter in increment at counter.c:7
 *
 * A line is one write, so that threads do not mix theirs. With FAKE_UNRECORDED in the environment
 * functions are asked to go on in their copies.
 */
#include "../../src/contract/abi.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned char __seriatim_unrecorded;
static int log_file = -1;
static __thread ser_abi_u32 depth;

__attribute__((constructor)) static void open_log(void)
{
    __seriatim_unrecorded = getenv("FAKE_UNRECORDED") != NULL;
    const char *path = getenv("FAKE_LOG");
    if (path)
        log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    if (log_file < 0)
        return;
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    if (write(log_file, line, (size_t)length) < 0)
        log_file = -1;
}

static void note(const char *what, unsigned long size, const ser_abi_site *site)
{
    if (log_file >= 0)
        say("%s%lu %s in %s at %s:%u%s%s", what, size, site->name ? site->name : "?",
            site->function ? site->function : "?", site->file ? site->file : "?", site->line,
            site->flags & SER_ABI_SITE_DATA ? " data" : "",
            site->flags & SER_ABI_SITE_MODIFIES ? " modifies" : "");
    if (log_file >= 0 && site->flags & SER_ABI_SITE_GUARDED)
        say("guards of %s in %s: %s", site->name, site->function, site->guards);
}

#define ACCESSES(N, TYPE)                                                                          \
    TYPE __seriatim_load##N(const void *address, ser_abi_site *site)                               \
    {                                                                                              \
        TYPE value;                                                                                \
        memcpy(&value, address, N);                                                                \
        note("load", N, site);                                                                     \
        return value;                                                                              \
    }                                                                                              \
    void __seriatim_store##N(void *address, TYPE value, ser_abi_site *site)                        \
    {                                                                                              \
        memcpy(address, &value, N);                                                                \
        note("store", N, site);                                                                    \
    }                                                                                              \
    TYPE __seriatim_atomic_load##N(const void *address, ser_abi_site *site)                        \
    {                                                                                              \
        note("atomic_load", N, site);                                                              \
        return __atomic_load_n((const TYPE *)address, __ATOMIC_SEQ_CST);                           \
    }                                                                                              \
    void __seriatim_atomic_store##N(void *address, TYPE value, ser_abi_site *site)                 \
    {                                                                                              \
        note("atomic_store", N, site);                                                             \
        __atomic_store_n((TYPE *)address, value, __ATOMIC_SEQ_CST);                                \
    }                                                                                              \
    TYPE __seriatim_atomic_compare_exchange##N(void *address, TYPE expected, TYPE desired,         \
                                               ser_abi_site *site)                                 \
    {                                                                                              \
        note("compare_exchange", N, site);                                                         \
        __atomic_compare_exchange_n((TYPE *)address, &expected, desired, 0, __ATOMIC_SEQ_CST,      \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }                                                                                              \
    static TYPE compute##N(TYPE old, TYPE operand, ser_abi_u32 kind)                               \
    {                                                                                              \
        const int bits = 64 - 8 * N;                                                               \
        long long a = (long long)((ser_abi_u64)old << bits),                                       \
                  b = (long long)((ser_abi_u64)operand << bits);                                   \
        switch (kind) {                                                                            \
        case 0:                                                                                    \
            return operand;                                                                        \
        case 1:                                                                                    \
            return (TYPE)(old + operand);                                                          \
        case 2:                                                                                    \
            return (TYPE)(old - operand);                                                          \
        case 3:                                                                                    \
            return old & operand;                                                                  \
        case 4:                                                                                    \
            return (TYPE) ~(old & operand);                                                        \
        case 5:                                                                                    \
            return old | operand;                                                                  \
        case 6:                                                                                    \
            return old ^ operand;                                                                  \
        case 7:                                                                                    \
            return a > b ? old : operand;                                                          \
        case 8:                                                                                    \
            return a < b ? old : operand;                                                          \
        case 9:                                                                                    \
            return old > operand ? old : operand;                                                  \
        case 10:                                                                                   \
            return old < operand ? old : operand;                                                  \
        default:                                                                                   \
            abort();                                                                               \
        }                                                                                          \
    }                                                                                              \
    TYPE __seriatim_atomic_rmw##N(void *address, TYPE operand, ser_abi_u32 kind,                   \
                                  ser_abi_site *site)                                              \
    {                                                                                              \
        note("rmw", N, site);                                                                      \
        TYPE old = __atomic_load_n((TYPE *)address, __ATOMIC_SEQ_CST);                             \
        while (!__atomic_compare_exchange_n((TYPE *)address, &old, compute##N(old, operand, kind), \
                                            0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                \
            continue;                                                                              \
        return old;                                                                                \
    }
ACCESSES(1, ser_abi_u8)
ACCESSES(2, ser_abi_u16)
ACCESSES(4, ser_abi_u32)
ACCESSES(8, ser_abi_u64)

void __seriatim_load_n(const void *address, void *to, ser_abi_size size, ser_abi_site *site)
{
    note("load_n", size, site);
    memcpy(to, address, size);
}

void __seriatim_store_n(void *address, const void *from, ser_abi_size size, ser_abi_site *site)
{
    note("store_n", size, site);
    memcpy(address, from, size);
}

/* One lock is enough for what no test does at once. */
static int lock16;

static void lock(void)
{
    while (__atomic_exchange_n(&lock16, 1, __ATOMIC_ACQUIRE))
        continue;
}

static void unlock(void)
{
    __atomic_store_n(&lock16, 0, __ATOMIC_RELEASE);
}

void __seriatim_atomic_load16(const void *address, void *to, ser_abi_site *site)
{
    note("atomic_load", 16, site);
    lock();
    memcpy(to, address, 16);
    unlock();
}

void __seriatim_atomic_store16(void *address, const void *from, ser_abi_site *site)
{
    note("atomic_store", 16, site);
    lock();
    memcpy(address, from, 16);
    unlock();
}

void __seriatim_atomic_exchange16(void *address, const void *from, void *old, ser_abi_site *site)
{
    note("exchange", 16, site);
    lock();
    memcpy(old, address, 16);
    memcpy(address, from, 16);
    unlock();
}

int __seriatim_atomic_compare_exchange16(void *address, void *expected, const void *desired,
                                         ser_abi_site *site)
{
    note("compare_exchange", 16, site);
    lock();
    int equal = memcmp(address, expected, 16) == 0;
    memcpy(expected, address, 16);
    if (equal)
        memcpy(address, desired, 16);
    unlock();
    return equal;
}

void *__seriatim_memcpy(void *to, const void *from, ser_abi_size size, ser_abi_site *site)
{
    note("memcpy", size, site);
    return memcpy(to, from, size);
}

void *__seriatim_memmove(void *to, const void *from, ser_abi_size size, ser_abi_site *site)
{
    note("memmove", size, site);
    return memmove(to, from, size);
}

void *__seriatim_memset(void *to, int byte, ser_abi_size size, ser_abi_site *site)
{
    note("memset", size, site);
    return memset(to, byte, size);
}

void __seriatim_range_read(const void *address, ser_abi_size size, ser_abi_site *site)
{
    (void)address;
    note("range_read", size, site);
}

void __seriatim_hidden(ser_abi_u32 which, ser_abi_u32 writes, ser_abi_site *site)
{
    note(writes ? "hidden_write" : "hidden_read", which, site);
}

void __seriatim_stream(const void *object, ser_abi_u32 kind, ser_abi_u32 use, ser_abi_site *site)
{
    (void)object;
    note(use == SER_ABI_READS ? "stream_read" : "stream_written", kind, site);
}

void __seriatim_range_written(const void *address, ser_abi_size size, ser_abi_site *site)
{
    (void)address;
    note("range_written", size, site);
}

/* Places of calls are checked where they are seen, in recorded traces (e2e/recorded/calls.sh). */
void __seriatim_calls(ser_abi_site *site)
{
    (void)site;
}

ser_abi_u32 __seriatim_enter(ser_abi_site *function)
{
    say("enter%u %s at %s:%u", depth, function->function, function->file ? function->file : "?",
        function->line);
    return depth++;
}

void __seriatim_leave(ser_abi_u32 before)
{
    depth = before;
    say("leave%u", before);
}

void __seriatim_arrive(ser_abi_u32 before)
{
    say("arrive%u from %u", before, depth);
    depth = before + 1;
}

ser_abi_u8 __seriatim_guard_load(const void *address, ser_abi_site *site)
{
    note("guard_load", 1, site);
    return __atomic_load_n((const ser_abi_u8 *)address, __ATOMIC_SEQ_CST);
}

void __seriatim_semaphore_taken(void *semaphore, ser_abi_u32 taken)
{
    (void)semaphore;
    say("semaphore_taken%u", taken);
}

void __seriatim_semaphore_made(void *semaphore, ser_abi_u64 count)
{
    (void)semaphore;
    say("semaphore_made%lu", (unsigned long)count);
}

void __seriatim_semaphore_posted(void *semaphore, ser_abi_u64 times)
{
    (void)semaphore;
    say("semaphore_posted%lu", (unsigned long)times);
}

void __seriatim_operand(ser_abi_u64 value, ser_abi_site *site)
{
    say("operand %lu of %s", (unsigned long)value, site->function);
}

void __seriatim_outside(ser_abi_u32 stage)
{
    static const char *const names[] = {"runs", "leaves", "returns"};
    if (stage != SER_ABI_STAYS)
        say("outside %s", names[stage]);
}

void __seriatim_outside_by(const void *function, ser_abi_u32 stage)
{
    ser_abi_u64 mark;
    memcpy(&mark, (const char *)function - sizeof mark, sizeof mark);
    if (mark != SER_ABI_SEEN)
        __seriatim_outside(stage);
}

void __seriatim_at(ser_abi_site *site)
{
    note("at", 0, site);
}

void __seriatim_frees(void *block, ser_abi_site *site)
{
    (void)block;
    note("frees", 0, site);
}

void __seriatim_local(void *address, ser_abi_size size, ser_abi_site *site)
{
    (void)address;
    note("local", size, site);
}

void __seriatim_atomic_begin(const char *name, const char *file, int line, const char *function)
{
    say("begin %s in %s at %s:%d", name ? name : "?", function, file, line);
}

void __seriatim_atomic_end(const char *file, int line, const char *function)
{
    say("end in %s at %s:%d", function, file, line);
}

void __seriatim_ignore_begin(void)
{
    say("ignore");
}

void __seriatim_ignore_end(void)
{
    say("heed");
}

/* Containers: libstdc++'s own functions do the work. */
#define SER_LIBRARY(symbol) __asm__(#symbol) __attribute__((weak))
void *increment(const void *node) SER_LIBRARY(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base);
void *decrement(const void *node) SER_LIBRARY(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base);
void insert(ser_abi_u8 left, void *node, void *parent, void *header)
    SER_LIBRARY(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_);
void *erase(void *node, void *header)
    SER_LIBRARY(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_);
void hook(void *node, void *position) SER_LIBRARY(_ZNSt8__detail15_List_node_base7_M_hookEPS0_);
void unhook(void *node) SER_LIBRARY(_ZNSt8__detail15_List_node_base9_M_unhookEv);

void *__seriatim_tree_next(const void *node)
{
    say("tree_next");
    return increment(node);
}

void *__seriatim_tree_previous(const void *node)
{
    say("tree_previous");
    return decrement(node);
}

void __seriatim_tree_insert(ser_abi_u8 left, void *node, void *parent, void *header)
{
    say("tree_insert");
    insert(left, node, parent, header);
}

void *__seriatim_tree_erase(void *node, void *header)
{
    say("tree_erase");
    return erase(node, header);
}

void __seriatim_list_hook(void *node, void *position)
{
    say("list_hook");
    hook(node, position);
}

void __seriatim_list_unhook(void *node)
{
    say("list_unhook");
    unhook(node);
}

void __seriatim_rehash_asked(void *policy, ser_abi_u64 elements, ser_abi_u64 inserted,
                             ser_abi_site *site)
{
    (void)policy, (void)elements, (void)inserted;
    note("rehash_asked", 0, site);
}

void __seriatim_meets(const void *function, const void *object, ser_abi_u32 deed, ser_abi_u32 stage)
{
    (void)function;
    (void)object;
    (void)deed;
    (void)stage;
}
