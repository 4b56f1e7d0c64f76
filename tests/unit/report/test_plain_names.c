/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after the above */
#include <cmocka.h>

#include "report/dossier/plain_names.h"

static void expect(const char *recorded, bool exact, const char *wanted)
{
    char *made = ser_make_plain_name(recorded, exact);
    assert_string_equal(made, wanted);
    free(made);
}

static void names_are_those_of_programmers(void **state)
{
    (void)state;
    expect("balance of struct account (alice+40)", false, "alice.balance");
    expect("balance_ of class bank::Account (bank::first+8)", false, "bank::first.balance_");
    expect("total of struct teller (+12) in tellers of main() in T0", false, "tellers.total");
    expect("x of worker() in T2", false, "worker::x");
    expect("x of worker() in T2 (2nd)", true, "x of worker() in T2 (2nd)");
    expect("head of struct queue, allocated at queue.c:12 (3rd)", false,
           "queue{queue.c:12 (3rd)}->head");
}

static void exact_names_keep_the_offset(void **state)
{
    (void)state;
    expect("balance of struct account (accounts+40)", true, "accounts+40.balance");
    expect("total of struct teller (+12) in tellers of main() in T0", true, "tellers+12.total");
    expect("next of struct node (+8), allocated at list.c:3 (1st)", true,
           "node{list.c:3 (1st)}+8->next");
}

static void other_names_stay(void **state)
{
    static const char *const names[] = {"counter",
                                        "accounts+16",
                                        "+8 of block allocated at bank.c:12 (3rd)",

                                        "",
                                        " of struct s (a)",
                                        "a(b)",
                                        "(",
                                        ")",
                                        "a of b (+8)",
                                        "queue.head"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(names[i], false, names[i]);
}

static uint32_t add(ser_symbols *symbols, const char *name)
{
    return ser_symbols_add(symbols, SER_SPACE_VARIABLE, name, strlen(name));
}

static void no_two_variables_share_a_name(void **state)
{
    (void)state;
    ser_symbols *symbols = ser_symbols_create();
    uint32_t first = add(symbols, "balance of struct account (accounts+16)");
    uint32_t second = add(symbols, "balance of struct account (accounts+40)");
    uint32_t third = add(symbols, "balance of struct account (accounts+64)");
    uint32_t alone = add(symbols, "balance of struct account (alice+40)");
    uint32_t forged = add(symbols, "alice.balance");
    ser_plain_names *names = ser_plain_names_create(symbols);
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, first), "accounts+16.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, second), "accounts+40.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, third), "accounts+64.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, alone), "alice+40.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, forged), "alice.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, SER_NO_OBJECT), "");
    ser_plain_names_destroy(names);
    ser_symbols_destroy(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_programmers),
        cmocka_unit_test(exact_names_keep_the_offset),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(no_two_variables_share_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
