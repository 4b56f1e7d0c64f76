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
 * This header includes nothing but its table: size is what the compiler calls size_t.
 *
 * Fields and functions are listed in abi.def; this is what they mean.
 *
 * Site: `number` is 0 until the runtime gives one; `line` is 0 if it is unknown; `flags` are of
 * ser_abi_site_flags, 0 in objects of older versions; `file` is as given to the compiler;
 * `function` is its source name, in C++ qualified and demangled; `name` is the variable or field
 * accessed ("balance of struct account", "counter"). Texts may be null; they live as long as the
 * object.
 *
 * Atomic accesses (atomic_*) are at least as strong as any order asked for. An rmw returns the
 * old value; `kind` is the number LLVM-C gives it (LLVMAtomicRMWBinOp: 0 exchange,
 * 1 add, 2 sub, 3 and, 4 nand, 5 or, 6 xor, 7 max, 8 min, 9 umax, 10 umin; others
 * are made of compare-exchanges by the instrumenter). compare_exchange returns the
 * old value: it was written iff that equals `expected`; then it is one rmw, else
 * one read. Sixteen bytes go through memory: `expected` of compare_exchange16 receives the old
 * value, and it returns 1 if that was equal, and `desired` is stored.
 *
 * guard_load: the guard of a static local variable. While it is 0 nothing depends on it: the
 * program goes on to __cxa_guard_acquire, which looks again. Then it is an atomic load.
 *
 * Shared pointers (shared_*, weak_* for std::weak_ptr) are two words, the object and its counters;
 * `to` and so on are private ones. A load makes `to`, which held nothing, a copy. A store and an
 * exchange swap the two: what was there is the caller's. A compare-exchange that succeeds puts
 * `desired` there, which then has the counters of what was there; one that fails makes `expected`,
 * which held nothing, a copy.
 *
 * Ranges: memcpy, memmove and memset do the work; range_read and range_written record a range that
 * code which is not instrumented is about to read, or has just written. parts_read and
 * parts_written are the same for an array of `struct iovec`; of those written the first `bytes`
 * bytes, none if that is negative.
 *
 * hidden: a function of the C library is about to read, or to write, what the library keeps for
 * itself (ser_abi_hidden). stream: a function of libstdc++ is about to use a part of a stream
 * (ser_abi_stream), or has just changed it (ser_abi_use); `object` is a basic_ostream,
 * basic_istream or what is derived of them.
 *
 * Functions: enter returns the depth of the call stack before it, which the
 * function keeps, and gives back where it is left: by return (leave), or where
 * control arrives in it from deeper frames that were unwound, after a landing pad
 * or a second return of setjmp (arrive): frames above it are then left, too.
 *
 * calls: before a call of a function that may be instrumented: the place to which it returns.
 *
 * at: before a call of code that is only declared here: the place of whatever the
 * runtime may intercept in it (locks, threads, malloc).
 *
 * outside: code that is not instrumented reads memory (ser_abi_outside): it is about to run once
 * without calling instrumented code (RUNS), or it begins (LEAVES) or has ended (RETURNS) and may
 * call some in between. STAYS says nothing: the code was found to be instrumented. outside_by: the
 * same where a pointer is called; SER_ABI_SEEN stands before instrumented functions whose address
 * is taken. Code that is known to read nothing of the program's, or nothing but ranges that are
 * recorded, is not recorded. meets: what such a function gets a pointer to; threads may wait for
 * each other there. By its name it may lock or unlock (ser_abi_deed).
 *
 * operand: before a load, whose site it names: the number with which what is going to be read is
 * compared (`p` in the guards of the site; a second and third call give `P` and `Q`).
 *
 * frees: the same before a call that frees the block, or unmaps it: the free itself is then an
 * operation of the thread, at that place.
 *
 * local: memory of a local variable whose address escapes, at the start of its life:
 * it is a new variable from here on.
 *
 * Containers: tree_ and list_ are called in the place of functions that libstdc++ has compiled, do
 * the same, and record it, at the place of the last `at`. rehash_asked is called before a hash
 * table asks whether it must grow.
 *
 * Semaphores that are not those of POSIX, at the place of the last `at`: semaphore_taken: it was
 * taken, if `taken` is not 0; semaphore_posted: it is about to be posted that many times;
 * semaphore_made: it begins with that count.
 *
 * __seriatim_unrecorded, a byte: not 0 as soon as it is certain that the process is not recorded,
 * and will not be. Until then it is 0: before the runtime has begun, too. Functions that have a
 * copy without calls of the runtime may then jump to it.
 *
 * Annotations (annotate.h): atomic blocks nest; `name` may be null. Between ignore_begin and
 * ignore_end the thread's accesses are not recorded.
 */
#ifndef SER_CONTRACT_ABI_H
#define SER_CONTRACT_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef __SIZE_TYPE__ ser_abi_size;
typedef __UINT8_TYPE__ ser_abi_u8;
typedef __UINT16_TYPE__ ser_abi_u16;
typedef __UINT32_TYPE__ ser_abi_u32;
typedef __UINT64_TYPE__ ser_abi_u64;

/* The types of the table. */
typedef void ser_abi_none;
typedef int ser_abi_number;
typedef void *ser_abi_pointer;
typedef const void *ser_abi_source;
typedef const char *ser_abi_text;

/* What the instrumenter found out about the code at a site. */
enum ser_abi_site_flags {
    SER_ABI_SITE_DATA = 1,     /* what is read here reaches nothing but values that are stored:
                                  no branch, address, size, divisor, or code outside */
    SER_ABI_SITE_MODIFIES = 2, /* a read-modify-write that writes whatever it has read */
    SER_ABI_SITE_TELLS = 4,    /* of `at` and `frees`: the object reports code that is not
                                  instrumented */
    SER_ABI_SITE_GUARDED = 8,  /* the site has `guards`: what a read's value decides (guards.def).
                                  Objects of earlier versions have no such field */
    SER_ABI_SITE_FIXED = 32,   /* what is written here is not computed from anything whose site has
                                  SER_ABI_SITE_DATA */
    SER_ABI_SITE_DECIDES = 16, /* it depends on what is read here whether a lock is taken later, or
                                  something is changed atomically, or what is written after another
                                  lock was taken */
    SER_ABI_SITE_ATOMIC = 64,  /* an atomic operation of the language */
    SER_ABI_SITE_HANDED = 128, /* what is read here decides so, or is stored, after the call that
                                  reads it has returned */
    SER_ABI_SITE_ANYWAY = 256, /* what is read here does not decide whether something is written
                                  before a lock is given back, */
    SER_ABI_SITE_BLIND = 512,  /* and reaches no branch until then; without SER_ABI_SITE_ANYWAY:
                                  it never decides anything */
    SER_ABI_SITE_CALL = 1024,  /* of `calls`: its column distinguishes calls of one line */
    SER_ABI_SITE_LOOPS = 2048, /* of a function: it has a loop that takes locks, or changes
                                  something atomically, itself or in what it calls; of a method of
                                  Java: one that only reads */
    SER_ABI_SITE_DISPATCHES = 4096, /* of `calls`: through a pointer, in a loop */
    SER_ABI_SITE_KEEPS = 8192, /* of a function: it returns nothing, and has no pointer parameter */
    SER_ABI_SITE_SPINS = 16384, /* of a function: it has a loop that only looks */
    SER_ABI_SITE_TAKES = 32768, /* an atomic operation that makes a constant of zero, and tells
                                   whether it was zero: it may take a lock */
};

/* Stands before the code of an instrumented function, in the 8 bytes that end there. */
#define SER_ABI_SEEN 0x9d6c1b7f35a8e24bULL

enum ser_abi_outside {
    SER_ABI_RUNS = 0,
    SER_ABI_LEAVES = 1,
    SER_ABI_RETURNS = 2,
    SER_ABI_STAYS = 3
};

/* What a function that is not instrumented does to an object, as far as its name says. */
enum ser_abi_deed { SER_ABI_USES = 0, SER_ABI_LOCKS = 1, SER_ABI_UNLOCKS = 2 };

/* What the C library keeps: where strtok goes on, the environment, the table of hsearch, the
 * current folder, the mask of permissions. */
enum ser_abi_hidden {
    SER_ABI_HIDDEN_STRTOK,
    SER_ABI_HIDDEN_ENVIRONMENT,
    SER_ABI_HIDDEN_TABLE,
    SER_ABI_HIDDEN_FOLDER,
    SER_ABI_HIDDEN_UMASK,
    SER_ABI_HIDDEN_COUNT
};

/* What is read or written of a stream's buffer. */
enum ser_abi_stream {
    SER_ABI_STREAM_OUT, /* where it is written next */
    SER_ABI_STREAM_IN,  /* where it is read next */
    SER_ABI_STREAM_ALL
};
enum ser_abi_use { SER_ABI_READS = 0, SER_ABI_HAS_WRITTEN = 1 };

/* The value of a record that acquires or releases what runs once: it was run before, or it runs
 * between the two. */
enum { SER_ABI_ONCE = 1, SER_ABI_ONCE_RUNS = 2 };

/* A place in the source. */
typedef struct ser_abi_site {
#define SER_ABI_FIELD(type, name) ser_abi_##type name;
#include "abi.def"
} ser_abi_site;
typedef ser_abi_site *ser_abi_place;

#ifdef __cplusplus
#define SER_ABI_SURE static_assert
#else
#define SER_ABI_SURE _Static_assert
#endif
#define SER_ABI_LIES_AT(field, place)                                                              \
    SER_ABI_SURE(__builtin_offsetof(ser_abi_site, field) == (place), "objects have it there")
SER_ABI_LIES_AT(number, 0);
SER_ABI_LIES_AT(line, 4);
SER_ABI_LIES_AT(column, 8);
SER_ABI_LIES_AT(flags, 12);
SER_ABI_LIES_AT(file, 16);
SER_ABI_LIES_AT(function, 24);
SER_ABI_LIES_AT(name, 32);
SER_ABI_LIES_AT(guards, 40);
SER_ABI_SURE(sizeof(ser_abi_site) == 48, "objects have sites of that size, or without guards");
#undef SER_ABI_LIES_AT
#undef SER_ABI_SURE

#define SER_ABI_0(r, name)         ser_abi_##r __seriatim_##name(void);
#define SER_ABI_1(r, name, t1, p1) ser_abi_##r __seriatim_##name(ser_abi_##t1 p1);
#define SER_ABI_2(r, name, t1, p1, t2, p2)                                                         \
    ser_abi_##r __seriatim_##name(ser_abi_##t1 p1, ser_abi_##t2 p2);
#define SER_ABI_3(r, name, t1, p1, t2, p2, t3, p3)                                                 \
    ser_abi_##r __seriatim_##name(ser_abi_##t1 p1, ser_abi_##t2 p2, ser_abi_##t3 p3);
#define SER_ABI_4(r, name, t1, p1, t2, p2, t3, p3, t4, p4)                                         \
    ser_abi_##r __seriatim_##name(ser_abi_##t1 p1, ser_abi_##t2 p2, ser_abi_##t3 p3,               \
                                  ser_abi_##t4 p4);
#include "abi.def"

/* Annotations by other names, with which programs for verifiers come. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
