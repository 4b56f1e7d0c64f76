/* SPDX-License-Identifier: MIT */
/* Large pieces of memory that go back to the system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

enum { MEGABYTE = 1 << 20, PAGE = 4096 };

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHER_ALLOCATOR 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OTHER_ALLOCATOR 1
#endif

static bool is_mapped(uintptr_t address)
{
    return msync((void *)(address / PAGE * PAGE), PAGE, MS_ASYNC) == 0;
}

/* Takes and frees a piece below another one, which keeps the end of the heap where it is. */
static uintptr_t take_and_free(size_t bytes)
{
    char *volatile piece = ser_alloc(bytes, 1), *volatile above = ser_alloc(PAGE, 1);
    uintptr_t middle = (uintptr_t)piece + bytes / 2;
    free(piece);
    free(above);
    return middle;
}

static void test_large_pieces(void **state)
{
    (void)state;
#ifdef OTHER_ALLOCATOR
    skip();
#endif
    take_and_free((size_t)16 * MEGABYTE); /* from now on the allocator keeps smaller ones */
    assert_true(is_mapped(take_and_free((size_t)4 * MEGABYTE)));
    ser_return_large_pieces();
    assert_false(is_mapped(take_and_free((size_t)8 * MEGABYTE))); /* more than it has kept */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
