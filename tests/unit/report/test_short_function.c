/* SPDX-License-Identifier: MIT */
/* Long template arguments are cut, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "report/short_function.h"

static void expect(const char *name, const char *wanted)
{
    char *brief = ser_short_function(name);
    assert_string_equal(brief, wanted);
    free(brief);
}

static void long_arguments_are_cut(void **state)
{
    (void)state;
    expect("main", "main");
    expect("", "");
    expect("Queue<int>::push<int &, void>", "Queue<int>::push<int &, void>");
    expect("Queue<int, std::allocator<mpmc::Slot<int> > >::push<int &>", "Queue<..>::push<int &>");
    expect("std::_Hashtable<std::basic_string<char, std::char_traits<char> >, int>::find",
           "std::_Hashtable<..>::find");
}

static void operators_are_no_brackets(void **state)
{
    (void)state;
    expect("a::operator<", "a::operator<");
    expect("operator<< <std::char_traits<char>, std::string>", "operator<< <..>");
    expect("smart<std::vector<int, std::allocator<int> > >::operator->", "smart<..>::operator->");
    expect("broken<std::vector<int, std::allocator<int>",
           "broken<std::vector<int, std::allocator<int>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_arguments_are_cut),
        cmocka_unit_test(operators_are_no_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
