/* SPDX-License-Identifier: MIT */
/*
 * Names of variables, functions and lines from ELF files: our own, what strip leaves of it, and
 * damaged ones. This file is always compiled with debug information.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/naming/debug/debug_info.h"
#include "record/naming/debug/demangle.h"
#include "record/naming/debug/globals.h"

int exported_numbers[10] = {1};
static int hidden_number = 2;

/* --- places in this file -------------------------------------------------- */

__attribute__((noinline)) static uint64_t where_am_i(void)
{
    return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

enum { INLINED_LINE = __LINE__ + 4 };
__attribute__((always_inline)) static inline uint64_t inlined_part(void)
{
    /* Not the last call, which might be a jump. */
    return where_am_i() + (uint64_t)(hidden_number != 2);
}

__attribute__((noinline)) static uint64_t outer_part(void)
{
    return inlined_part() + (uint64_t)(exported_numbers[0] != 1);
}

/* Where inlined_part calls: one byte before the call returns to. */
static uint64_t address_of_call(void)
{
    return outer_part() - 1;
}

static int take_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr;
    return 1; /* the first is the program */
}

static uint64_t own_base(void)
{
    uint64_t base = 0;
    dl_iterate_phdr(take_base, &base);
    return base;
}

/* --- files ---------------------------------------------------------------- */

static char folder[] = "/tmp/test_debug_info.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Runs a command in the folder, where "whole" is a copy of this program. */
static void run(const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    assert_int_equal(system(line), 0);
}

static int set_up(void **state)
{
    (void)state;
    char line[128];
    if (!mkdtemp(folder))
        return -1;
    snprintf(line, sizeof line, "cp /proc/%d/exe %s/whole", (int)getpid(), folder);
    return system(line);
}

static int tear_down(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

/* --- tests ---------------------------------------------------------------- */

static void check_variables(const char *path)
{
    ser_globals globals = {0};
    assert_true(ser_globals_add(&globals, path, own_base()));
    ser_globals_ready(&globals);
    uint64_t numbers = (uint64_t)(uintptr_t)exported_numbers;
    const ser_global *found = ser_globals_find(&globals, numbers + 39);
    assert_non_null(found);
    assert_string_equal(found->name, "exported_numbers");
    assert_int_equal(found->start, numbers);
    assert_int_equal(found->end, numbers + sizeof exported_numbers);
    found = ser_globals_find(&globals, (uint64_t)(uintptr_t)&hidden_number);
    assert_non_null(found);
    assert_string_equal(found->name, "hidden_number");
    if (found->file) /* --strip-debug takes it away */
        assert_string_equal(found->file, "test_record_debug_info.c");
    assert_null(ser_globals_find(&globals, 16));
    assert_null(ser_globals_find(&globals, UINT64_MAX));
    ser_globals_fini(&globals);
}

static void test_variables(void **state)
{
    (void)state;
    check_variables("/proc/self/exe");
}

static void test_equal_names_are_told_apart(void **state)
{
    (void)state;
    ser_globals globals = {0};
    assert_true(ser_globals_add(&globals, "/proc/self/exe", 0));
    assert_true(ser_globals_add(&globals, "/proc/self/exe", UINT64_C(1) << 40));
    ser_globals_ready(&globals);
    bool is_told_by_file = false;
    for (size_t i = 1; i < globals.list.count; i++) {
        is_told_by_file |=
            strcmp(globals.list.items[i].name, "hidden_number (test_record_debug_info.c)") == 0;
        assert_true(globals.list.items[i - 1].end <= globals.list.items[i].start);
        for (size_t j = 0; j < i && i < 200; j++)
            assert_string_not_equal(globals.list.items[i].name, globals.list.items[j].name);
    }
    assert_true(is_told_by_file);
    ser_globals_fini(&globals);
}

static void check_place(const char *path)
{
    static const char this_file[] = "/test_record_debug_info.c";
    ser_debug_info *info = ser_debug_info_open(path, own_base());
    assert_non_null(info);
    ser_debug_place place = ser_debug_info_place(info, address_of_call());
    assert_non_null(place.function);
    assert_string_equal(place.function, "inlined_part");
    assert_non_null(place.file);
    assert_true(strlen(place.file) > strlen(this_file));
    assert_string_equal(place.file + strlen(place.file) - strlen(this_file), this_file);
    assert_int_equal(place.line, INLINED_LINE);
    place = ser_debug_info_place(info, 16);
    assert_null(place.file);
    place = ser_debug_info_place(info, UINT64_MAX);
    assert_null(place.file);
    ser_debug_info_close(info);
}

static void test_place_in_inlined_function(void **state)
{
    (void)state;
    check_place("/proc/self/exe");
}

/* Only the function can be known then, and which functions are inlined in it cannot. */
static void test_program_without_debug_information(void **state)
{
    (void)state;
    run("objcopy --strip-debug whole bare");
    check_variables(path_of("bare"));
    ser_debug_info *info = ser_debug_info_open(path_of("bare"), own_base());
    ser_debug_place place = ser_debug_info_place(info, address_of_call());
    assert_non_null(place.function);
    assert_string_equal(place.function, "outer_part");
    assert_null(place.file);
    assert_int_equal(place.line, 0);
    ser_debug_info_close(info);
}

/* Symbols of the linker that happen to come before an address say nothing about it. */
static void test_stripped_program(void **state)
{
    (void)state;
    run("objcopy --strip-all whole stripped");
    ser_globals globals = {0};
    assert_true(ser_globals_add(&globals, path_of("stripped"), own_base()));
    ser_globals_ready(&globals);
    assert_null(ser_globals_find(&globals, (uint64_t)(uintptr_t)&hidden_number));
    ser_globals_fini(&globals);
    ser_debug_info *info = ser_debug_info_open(path_of("stripped"), own_base());
    ser_debug_place place = ser_debug_info_place(info, address_of_call());
    assert_null(place.function);
    assert_null(place.file);
    ser_debug_info_close(info);
}

static void test_separate_debug_file(void **state)
{
    (void)state;
    run("objcopy --only-keep-debug whole linked.debug");
    run("objcopy --strip-all --add-gnu-debuglink=linked.debug whole linked");
    check_variables(path_of("linked"));
    check_place(path_of("linked"));
}

/* Whatever there is to be read is read. */
static void read_all(const char *path)
{
    ser_globals globals = {0};
    ser_globals_add(&globals, path, 0);
    ser_globals_ready(&globals);
    ser_globals_fini(&globals);
    ser_debug_info *info = ser_debug_info_open(path, 0);
    if (info)
        ser_debug_info_place(info, address_of_call() - own_base());
    ser_debug_info_close(info);
}

typedef struct damage {
    int fd;
    off_t size;
} damage;

static void damage_at(damage *file, off_t at, uint8_t bits)
{
    uint8_t byte;
    const char *path = path_of("damaged");
    assert_int_equal(pread(file->fd, &byte, 1, at), 1);
    byte ^= bits;
    assert_int_equal(pwrite(file->fd, &byte, 1, at), 1);
    read_all(path);
    byte ^= bits;
    assert_int_equal(pwrite(file->fd, &byte, 1, at), 1);
}

static damage open_damaged(void)
{
    damage file = {open(path_of("damaged"), O_RDWR | O_CLOEXEC), 0};
    assert_true(file.fd >= 0);
    file.size = lseek(file.fd, 0, SEEK_END);
    return file;
}

/* The first header, the section headers at the end, and bytes all over the file. */
static void test_changed_bytes(void **state)
{
    (void)state;
    run("cp whole damaged");
    damage file = open_damaged();
    uint64_t random = 1;
    for (off_t at = 0; at < 64; at++)
        damage_at(&file, at, 0x5a);
    for (int i = 0; i < 300; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        off_t from_end = (off_t)(random >> 33) % (i % 3 == 0 ? 2048 : file.size);
        damage_at(&file, file.size - 1 - from_end, (uint8_t)(1 | random >> 56));
    }
    close(file.fd);
}

static void test_files_that_end_early(void **state)
{
    (void)state;
    run("cp whole damaged");
    damage file = open_damaged();
    for (int i = 100; i >= 0; i--) {
        assert_int_equal(ftruncate(file.fd, file.size / 100 * i), 0);
        read_all(path_of("damaged"));
    }
    close(file.fd);
}

static void test_files_that_are_no_programs(void **state)
{
    (void)state;
    ser_globals globals = {0};
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_false(ser_globals_add(&globals, path_of("pipe"), 0));
    assert_false(ser_globals_add(&globals, "/dev/null", 0));
    assert_false(ser_globals_add(&globals, "/tmp", 0));
    assert_false(ser_globals_add(&globals, "/no/such/file", 0));
    ser_globals_ready(&globals);
    ser_globals_fini(&globals);
}

static void check_demangled(const char *name, const char *wanted)
{
    char *plain = ser_demangle(name);
    assert_string_equal(plain, wanted);
    free(plain);
}

static void test_demangling(void **state)
{
    (void)state;
    check_demangled("_ZN4bank5totalE", "bank::total");
    check_demangled("_ZL7counter", "counter");
    check_demangled("_ZN4bank8transferEii", "bank::transfer(int, int)");
    check_demangled("_Zwrong", "_Zwrong");
    check_demangled("plain", "plain");
    check_demangled("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_equal_names_are_told_apart),
        cmocka_unit_test(test_place_in_inlined_function),
        cmocka_unit_test(test_program_without_debug_information),
        cmocka_unit_test(test_stripped_program),
        cmocka_unit_test(test_separate_debug_file),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_files_that_end_early),
        cmocka_unit_test(test_files_that_are_no_programs),
        cmocka_unit_test(test_demangling),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
