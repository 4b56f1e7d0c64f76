/* SPDX-License-Identifier: MIT */
/* Names of variables from ELF files, places from addr2line, and files that are no ELF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/naming/elf_symbols.h"
#include "record/naming/tool.h"

int exported_numbers[10] = {1};
static int hidden_number = 2;

static int find_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr;
    return 1; /* the first is the program */
}

static void test_our_own_variables(void **state)
{
    (void)state;
    ser_elf_symbols symbols = {0};
    uint64_t base = 0;
    dl_iterate_phdr(find_base, &base);
    assert_true(ser_elf_symbols_add(&symbols, "/proc/self/exe", base));
    ser_elf_symbols_ready(&symbols);
    uint64_t numbers = (uint64_t)(uintptr_t)exported_numbers;
    const ser_elf_symbol *found = ser_elf_symbols_find(&symbols, numbers + 39);
    assert_non_null(found);
    assert_string_equal(found->name, "exported_numbers");
    assert_int_equal(found->start, numbers);
    assert_int_equal(found->end, numbers + sizeof exported_numbers);
    found = ser_elf_symbols_find(&symbols, (uint64_t)(uintptr_t)&hidden_number);
    assert_non_null(found);
    assert_string_equal(found->name, "hidden_number");
    assert_null(ser_elf_symbols_find(&symbols, 16));
    assert_null(ser_elf_symbols_find(&symbols, UINT64_MAX));
    ser_elf_symbols_fini(&symbols);
}

static void test_equal_names_are_told_apart(void **state)
{
    (void)state;
    ser_elf_symbols symbols = {0};
    assert_true(ser_elf_symbols_add(&symbols, "/proc/self/exe", 0));
    assert_true(ser_elf_symbols_add(&symbols, "/proc/self/exe", UINT64_C(1) << 40));
    ser_elf_symbols_ready(&symbols);
    for (size_t i = 1; i < symbols.list.count; i++) {
        assert_true(symbols.list.items[i - 1].end <= symbols.list.items[i].start);
        for (size_t j = 0; j < i && i < 200; j++)
            assert_string_not_equal(symbols.list.items[i].name, symbols.list.items[j].name);
    }
    ser_elf_symbols_fini(&symbols);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Every prefix, and every byte of the first headers changed: no crash, no more. */
static void test_damaged_files(void **state)
{
    (void)state;
    char path[64], *bytes = ser_alloc(1 << 20, 1);
    ser_elf_symbols symbols = {0};
    snprintf(path, sizeof path, "/tmp/test_elf.%d", (int)getpid());
    FILE *file = fopen("/proc/self/exe", "r");
    size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    for (size_t length = 0; length < size; length += 1 + size / 100) {
        write_file(path, bytes, length);
        ser_elf_symbols_add(&symbols, path, 0);
    }
    for (size_t at = 0; at < 64; at++) {
        bytes[at] ^= 0x5a;
        write_file(path, bytes, size);
        ser_elf_symbols_add(&symbols, path, 0);
        bytes[at] ^= 0x5a;
    }
    assert_false(ser_elf_symbols_add(&symbols, "/dev/null", 0));
    assert_false(ser_elf_symbols_add(&symbols, "/no/such/file", 0));
    ser_elf_symbols_ready(&symbols);
    ser_elf_symbols_fini(&symbols);
    unlink(path);
    free(bytes);
}

static void test_tools(void **state)
{
    (void)state;
    ser_tool_lines ask = {0}, answer = {0};
    char *const cat[] = {"cat", NULL}, *const no[] = {"no-such-program", NULL},
                *const fails[] = {"false", NULL};
    ser_tool_add(&ask, "one");
    ser_tool_add(&ask, "");
    ser_tool_add(&ask, "three");
    assert_false(ser_tool_run(no, &ask, &answer));
    assert_false(ser_tool_run(fails, &ask, &answer));
    assert_true(ser_tool_run(cat, &ask, &answer));
    assert_string_equal(ser_tool_next(&answer), "one");
    assert_string_equal(ser_tool_next(&answer), "");
    assert_string_equal(ser_tool_next(&answer), "three");
    assert_null(ser_tool_next(&answer));
    ser_tool_lines_fini(&ask);
    ser_tool_lines_fini(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_our_own_variables),
        cmocka_unit_test(test_equal_names_are_told_apart),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_tools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
