/* SPDX-License-Identifier: MIT */
/*
 * abi.h - what instrumented code calls.
 *
 * The instrumenter (src/instrument) replaces accesses of memory that may be
 * shared by calls of these functions, which *perform* the access and record it:
 * so nothing can come between an access and its place in the trace, and the
 * value recorded is the value read or written. Without a recorder the functions
 * only perform the access.
 *
 * Every call names its place in the program by a site: a record in the writable
 * data of the object, zero in `number` until the runtime has numbered it. The
 * structure's layout is part of the contract; objects of different versions may
 * meet in one program, so that it is never changed, only followed by another.
 *
 * Sizes 1, 2, 4 and 8 go by value; addresses need no alignment. Everything else
 * (16 bytes, odd sizes) goes through memory with the _n functions. They take any
 * size, 0 included: a copy between shared and private memory is a load_n or
 * store_n of all its bytes; `to` and `from` are private and not recorded.
 * This header includes nothing: size is what the compiler calls size_t.
 */
#ifndef SER_RUNTIME_ABI_H
#define SER_RUNTIME_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef __SIZE_TYPE__ ser_abi_size;
typedef __UINT8_TYPE__ ser_abi_u8;
typedef __UINT16_TYPE__ ser_abi_u16;
typedef __UINT32_TYPE__ ser_abi_u32;
typedef __UINT64_TYPE__ ser_abi_u64;

/* A place in the source. Texts may be null; they live as long as the object. */
typedef struct ser_abi_site {
    ser_abi_u32 number; /* 0 until the runtime gives one */
    ser_abi_u32 line;   /* 0: unknown */
    ser_abi_u32 column;
    ser_abi_u32 flags;    /* 0 in this version */
    const char *file;     /* as given to the compiler */
    const char *function; /* source name; C++: qualified and demangled */
    const char *name; /* the variable or field accessed: "balance of struct account", "counter" */
} ser_abi_site;

/* Plain accesses. */
ser_abi_u8 __seriatim_load1(const void *address, ser_abi_site *site);
ser_abi_u16 __seriatim_load2(const void *address, ser_abi_site *site);
ser_abi_u32 __seriatim_load4(const void *address, ser_abi_site *site);
ser_abi_u64 __seriatim_load8(const void *address, ser_abi_site *site);
void __seriatim_load_n(const void *address, void *to, ser_abi_size size, ser_abi_site *site);
void __seriatim_store1(void *address, ser_abi_u8 value, ser_abi_site *site);
void __seriatim_store2(void *address, ser_abi_u16 value, ser_abi_site *site);
void __seriatim_store4(void *address, ser_abi_u32 value, ser_abi_site *site);
void __seriatim_store8(void *address, ser_abi_u64 value, ser_abi_site *site);
void __seriatim_store_n(void *address, const void *from, ser_abi_size size, ser_abi_site *site);

/*
 * Atomic accesses, at least as strong as any order asked for. An rmw returns the
 * old value; `kind` is the number LLVM-C gives it (LLVMAtomicRMWBinOp: 0 exchange,
 * 1 add, 2 sub, 3 and, 4 nand, 5 or, 6 xor, 7 max, 8 min, 9 umax, 10 umin; others
 * are made of compare-exchanges by the instrumenter). compare_exchange returns the
 * old value: it was written iff that equals `expected`; then it is one rmw, else
 * one read. Sixteen bytes go through memory.
 */
#define SER_ABI_ATOMICS(N, TYPE)                                                                   \
    TYPE __seriatim_atomic_load##N(const void *address, ser_abi_site *site);                       \
    void __seriatim_atomic_store##N(void *address, TYPE value, ser_abi_site *site);                \
    TYPE __seriatim_atomic_rmw##N(void *address, TYPE operand, ser_abi_u32 kind,                   \
                                  ser_abi_site *site);                                             \
    TYPE __seriatim_atomic_compare_exchange##N(void *address, TYPE expected, TYPE desired,         \
                                               ser_abi_site *site);
SER_ABI_ATOMICS(1, ser_abi_u8)
SER_ABI_ATOMICS(2, ser_abi_u16)
SER_ABI_ATOMICS(4, ser_abi_u32)
SER_ABI_ATOMICS(8, ser_abi_u64)
#undef SER_ABI_ATOMICS
void __seriatim_atomic_load16(const void *address, void *to, ser_abi_site *site);
void __seriatim_atomic_store16(void *address, const void *from, ser_abi_site *site);
void __seriatim_atomic_exchange16(void *address, const void *from, void *old, ser_abi_site *site);
/* `expected` receives the old value; 1 if it was equal, and `desired` is stored. */
int __seriatim_atomic_compare_exchange16(void *address, void *expected, const void *desired,
                                         ser_abi_site *site);

/* The guard of a static local variable. While it is 0 nothing depends on it: the program
 * goes on to __cxa_guard_acquire, which looks again. Then it is an atomic load. */
ser_abi_u8 __seriatim_guard_load(const void *address, ser_abi_site *site);

/* Ranges. The first three do the work; the others tell of a range that code which
 * is not instrumented is about to read, or has just written. */
void *__seriatim_memcpy(void *to, const void *from, ser_abi_size size, ser_abi_site *site);
void *__seriatim_memmove(void *to, const void *from, ser_abi_size size, ser_abi_site *site);
void *__seriatim_memset(void *to, int byte, ser_abi_size size, ser_abi_site *site);
void __seriatim_range_read(const void *address, ser_abi_size size, ser_abi_site *site);
void __seriatim_range_written(const void *address, ser_abi_size size, ser_abi_site *site);

/*
 * Functions. enter returns the depth of the call stack before it, which the
 * function keeps, and gives back where it is left: by return (leave), or where
 * control arrives in it from deeper frames that were unwound, after a landing pad
 * or a second return of setjmp (arrive): frames above it are then left, too.
 */
ser_abi_u32 __seriatim_enter(ser_abi_site *function);
void __seriatim_leave(ser_abi_u32 depth);
void __seriatim_arrive(ser_abi_u32 depth);

/* Before a call of code that is only declared here: the place of whatever the
 * runtime may intercept in it (locks, threads, malloc). */
void __seriatim_at(ser_abi_site *site);

/* Memory of a local variable whose address escapes, at the start of its life:
 * it is a new variable from here on. */
void __seriatim_local(void *address, ser_abi_size size, ser_abi_site *site);

/* A semaphore that is not one of POSIX, at the place of the last __seriatim_at: it was
 * taken, if `taken` is not 0; it is about to be posted that many times. */
void __seriatim_semaphore_taken(void *semaphore, ser_abi_u32 taken);
void __seriatim_semaphore_posted(void *semaphore, ser_abi_u64 times);

/* Annotations (annotate.h). Blocks nest; `name` may be null. */
void __seriatim_atomic_begin(const char *name, const char *file, int line, const char *function);
void __seriatim_atomic_end(const char *file, int line, const char *function);
void __seriatim_ignore_begin(void); /* this thread's accesses are not recorded */
void __seriatim_ignore_end(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
