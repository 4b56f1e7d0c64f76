/* SPDX-License-Identifier: MIT */
/* Accesses and calls of every kind do what they say. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static _Alignas(16) unsigned char wide[16];
static uint64_t word;
static char text[200];
static volatile sig_atomic_t handled;

static void atomics(void)
{
    static const uint64_t results[] = {5, 12, 2, 5, ~UINT64_C(5), 7, 2, 7, 5, 7, 5};
    for (uint32_t kind = 0; kind <= 10; kind++) {
        word = 7;
        __seriatim_atomic_store8(&word, 7, SITE("word"));
        MUST(__seriatim_atomic_rmw8(&word, 5, kind, SITE("word")) == 7);
        MUST(__seriatim_atomic_load8(&word, SITE("word")) == results[kind]);
    }
    int8_t small = -3;
    __seriatim_atomic_rmw1(&small, 2, 8, SITE("small")); /* signed: min */
    MUST(small == -3);
    __seriatim_atomic_rmw1(&small, 2, 10, SITE("small")); /* unsigned: min */
    MUST(small == 2);
    MUST(__seriatim_atomic_compare_exchange1(&small, 9, 1, SITE("small")) == 2 && small == 2);
    MUST(__seriatim_atomic_compare_exchange1(&small, 2, 1, SITE("small")) == 2 && small == 1);
}

static void sixteen(void)
{
    unsigned char a[16], b[16], old[16];
    memset(a, 'a', 16);
    memset(b, 'b', 16);
    __seriatim_atomic_store16(wide, a, SITE("wide"));
    MUST(!__seriatim_atomic_compare_exchange16(wide, b, a, SITE("wide")) && !memcmp(a, b, 16));
    memset(b, 'b', 16);
    MUST(__seriatim_atomic_compare_exchange16(wide, a, b, SITE("wide")));
    __seriatim_atomic_exchange16(wide, a, old, SITE("wide"));
    MUST(!memcmp(old, b, 16));
    __seriatim_atomic_load16(wide, old, SITE("wide"));
    MUST(!memcmp(old, a, 16));
    __seriatim_store_n(wide + 3, "xyz", 3, SITE("wide"));
    __seriatim_load_n(wide + 2, old, 5, SITE("wide"));
    MUST(!memcmp(old, "axyza", 5));
}

static void ranges(void)
{
    char copy[200];
    __seriatim_memset(text, '.', sizeof text, SITE("text"));
    for (size_t i = 0; i < 100; i++)
        __seriatim_store1(&text[i], (uint8_t)i, SITE("text"));
    __seriatim_memcpy(copy, text, sizeof copy, SITE("text"));
    MUST(!memcmp(copy, text, sizeof copy));
    __seriatim_memmove(text + 7, text, 150, SITE("text"));
    MUST(!memcmp(copy, text + 7, 150));
    __seriatim_memmove(text, text + 7, 150, SITE("text"));
    MUST(!memcmp(copy, text, 150));
    __seriatim_load_n(text, copy + 50, 130, SITE("text"));
    MUST(!memcmp(copy + 50, text, 130));
    __seriatim_range_read(text, 100, SITE("text"));
    __seriatim_range_written(text, 100, SITE("text"));
}

static void frames(void)
{
    uint32_t outer = __seriatim_enter(SITE(0));
    for (int i = 0; i < 40; i++)
        __seriatim_enter(SITE(0));
    __seriatim_arrive(outer);
    uint32_t inner = __seriatim_enter(SITE(0));
    __seriatim_leave(inner);
    __seriatim_leave(outer);
}

static void blocks(void)
{
    __seriatim_atomic_begin("block", __FILE__, __LINE__, __func__);
    __VERIFIER_atomic_begin();
    __seriatim_ignore_begin();
    __seriatim_store8(&word, 77, SITE("word"));
    __seriatim_ignore_end();
    __VERIFIER_atomic_end();
    __seriatim_atomic_end(__FILE__, __LINE__, __func__);
    __seriatim_store8(&word, 78, SITE("word"));
    MUST(__seriatim_load8(&word, SITE("word")) == 78);
    uint64_t local = 0;
    __seriatim_local(&local, sizeof local, SITE("local"));
}

static void handle(int signal)
{
    (void)signal;
    handled++;
    __seriatim_store8(&word, (uint64_t)handled, SITE("word"));
}

static void signals(void)
{
    signal(SIGUSR1, handle);
    for (int i = 0; i < 10; i++) {
        raise(SIGUSR1);
        MUST(__seriatim_load8(&word, SITE("word")) == (uint64_t)i + 1);
    }
}

static void heap(void)
{
    for (int i = 0; i < 20; i++) {
        uint32_t *block = malloc(100);
        STORE(block[i], 1);
        block = realloc(block, 1000 + (size_t)i);
        STORE(block[i], 2);
        free(block);
    }
    void *aligned;
    MUST(posix_memalign(&aligned, 64, 100) == 0 && (uintptr_t)aligned % 64 == 0);
    free(aligned);
    free(calloc(3, 7));
    free(strdup("text"));
}

int main(void)
{
    atomics();
    sixteen();
    ranges();
    frames();
    blocks();
    signals();
    heap();
    return 0;
}
