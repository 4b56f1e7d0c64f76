/* SPDX-License-Identifier: MIT */
/*
 * What is at an offset of a variable of this program, as C would write it. This file is always
 * compiled with debug information.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <link.h>
#include <string.h>

#include "record/naming/debug/shape_reader.h"

typedef struct shaped_fork {
    union {
        long bits;
        char bytes[8];
    } lock;
    int holder;
    unsigned low : 3, high : 5;
    struct {
        int x, y;
    };
    struct {
        short left, right;
    } sides[2];
    int _Hidden;
} shaped_fork;

static shaped_fork shaped_forks[3];
static volatile int shaped_grid[2][3];
static shaped_fork *shaped_pointer = shaped_forks;

static int take_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr;
    return 1; /* the first is the program */
}

static int read_own(void **state)
{
    uint64_t base = 0;
    dl_iterate_phdr(take_base, &base);
    ser_shape_reader *reader = ser_shape_reader_create();
    ser_shape_reader_add(reader, "/nowhere", 0);
    ser_shape_reader_add(reader, "/proc/self/exe", base);
    *state = reader;
    return 0;
}

static int forget(void **state)
{
    ser_shape_reader_destroy(*state);
    return 0;
}

static void expect(ser_shape_reader *reader, const volatile void *variable, uint64_t offset,
                   bool into_members, const char *wanted)
{
    ser_label_text text = {0};
    uint32_t shape = ser_shape_of_global(reader, (uint64_t)(uintptr_t)variable);
    ser_shapes_say(ser_shape_reader_shapes(reader), shape, offset, into_members, &text);
    ser_label_put(&text, "", 1);
    assert_string_equal(text.bytes, wanted);
}

static void members_and_elements_are_written_as_in_c(void **state)
{
    ser_shape_reader *reader = *state;
    size_t size = sizeof(shaped_fork);
    expect(reader, shaped_forks, 0, true, "[0].lock");
    expect(reader, shaped_forks, size + offsetof(shaped_fork, holder), true, "[1].holder");
    expect(reader, shaped_forks, 2 * size + offsetof(shaped_fork, y), true, "[2].y");
    expect(reader, shaped_forks, offsetof(shaped_fork, sides[1].right), true, "[0].sides[1].right");
    expect(reader, shaped_grid, 5 * sizeof(int), true, "[1][2]");
    assert_ptr_equal(shaped_pointer, shaped_forks);
}

static void what_is_not_looked_into_has_an_offset(void **state)
{
    ser_shape_reader *reader = *state;
    expect(reader, shaped_forks, 4, true, "[0].lock+4");
    expect(reader, shaped_forks, offsetof(shaped_fork, holder) + 1, true, "[0].holder+1");
    expect(reader, shaped_forks, offsetof(shaped_fork, holder) + sizeof(int), true, "[0]+12");
    expect(reader, shaped_forks, offsetof(shaped_fork, _Hidden), true, "[0]+32");
    expect(reader, shaped_forks, sizeof(shaped_fork), false, "[1]");
    expect(reader, &shaped_pointer, 0, true, "");
    expect(reader, (const char *)shaped_forks + 1, 7, true, "+7");
}

static void locals_and_types_are_found_by_name(void **state)
{
    shaped_fork own[2] = {{.holder = 1}};
    ser_shape_reader *reader = *state;
    static const char local[] = "own of locals_and_types_are_found_by_name()";
    static const char type[] = "shaped_fork", none[] = "no_such_type";
    assert_int_equal(own[0].holder, 1);
    uint32_t shape = ser_shape_of_local(reader, local, sizeof local - 1);
    assert_int_not_equal(shape, SER_NO_SHAPE);
    ser_label_text text = {0};
    ser_shapes_say(ser_shape_reader_shapes(reader), shape, sizeof *own + 8, true, &text);
    assert_int_equal(text.length, strlen("[1].holder"));
    assert_int_not_equal(ser_shape_of_type(reader, type, sizeof type - 1), SER_NO_SHAPE);
    assert_int_equal(ser_shape_of_type(reader, none, sizeof none - 1), SER_NO_SHAPE);
}

static void members_are_found_by_name(void **state)
{
    ser_shape_reader *reader = *state;
    const ser_shapes *shapes = ser_shape_reader_shapes(reader);
    uint32_t fork = ser_shape_of_type(reader, "shaped_fork", strlen("shaped_fork"));
    uint64_t offset = 0;
    assert_true(ser_shapes_find_member(shapes, fork, "holder", 6, &offset));
    assert_int_equal(offset, offsetof(shaped_fork, holder));
    assert_true(ser_shapes_find_member(shapes, fork, "y", 1, &offset)); /* of what has no name */
    assert_int_equal(offset, offsetof(shaped_fork, y));
    assert_false(ser_shapes_find_member(shapes, fork, "hold", 4, &offset));
    assert_false(ser_shapes_find_member(shapes, SER_NO_SHAPE, "holder", 6, &offset));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_elements_are_written_as_in_c),
        cmocka_unit_test(what_is_not_looked_into_has_an_offset),
        cmocka_unit_test(locals_and_types_are_found_by_name),
        cmocka_unit_test(members_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, read_own, forget);
}
