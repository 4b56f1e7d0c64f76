/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the first four above first. */
#include <cmocka.h>

#include "base/cxx_names.h"

static void expect(const char *name, const char *without)
{
    assert_int_equal(ser_length_without_parameters(name), strlen(without));
}

static void parameters_are_the_last_parentheses(void **state)
{
    (void)state;
    expect("main", "main");
    expect("bank::Account::add(long) const", "bank::Account::add");
    expect("each(void (*)(int))", "each");
    expect("operator()(int)", "operator()");
    expect("(anonymous namespace)::f", "(anonymous namespace)::f");
    expect("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
    expect("update<(lambda at box.cc:3:5)>", "update<(lambda at box.cc:3:5)>");
    expect(")", ")");
    expect("", "");
}

static void abi_tags_are_dropped(void **state)
{
    (void)state;
    char tagged[] = "shop[abi:cxx11]::names[abi:cxx11]", broken[] = "f[abi:", plain[] = "f[3]";
    ser_drop_abi_tags(tagged);
    ser_drop_abi_tags(broken);
    ser_drop_abi_tags(plain);
    assert_string_equal(tagged, "shop::names");
    assert_string_equal(broken, "f");
    assert_string_equal(plain, "f[3]");
}

static void reserved_names_begin_with_an_underscore_and_more(void **state)
{
    (void)state;
    assert_true(ser_is_reserved_name("_M_p"));
    assert_true(ser_is_reserved_name("__kind"));
    assert_false(ser_is_reserved_name("_count"));
    assert_false(ser_is_reserved_name("count_"));
    assert_false(ser_is_reserved_name("_"));
    assert_false(ser_is_reserved_name(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_the_last_parentheses),
        cmocka_unit_test(abi_tags_are_dropped),
        cmocka_unit_test(reserved_names_begin_with_an_underscore_and_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
