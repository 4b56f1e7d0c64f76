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
    expect("x of bank::Account::total() in T2", false, "total::x");
    expect("x of bank::Account::total() in T2", true, "bank::Account::total::x");
    expect("x of (lambda)() in T2", false, "x of (lambda)() in T2");
    expect("second of struct std::pair, allocated at a.c:2 (1st)", false,
           "pair{a.c:2 (1st)}->second");
    expect("x of worker() in T2 (2nd)", true, "x of worker() in T2 (2nd)");
    expect("head of struct queue, allocated at queue.c:12 (3rd)", false,
           "queue{queue.c:12 (3rd)}->head");
    expect("*limit, allocated at bank.c:12 (3rd)", false, "*limit");
    expect("*limit, allocated at bank.c:12 (3rd)", true, "*limit{bank.c:12 (3rd)}");
    expect("+8 of block allocated at bank.c:12 (3rd)", false, "{bank.c:12 (3rd)}+8");
    expect("+0 of block allocated at bank.c:12 (3rd)", true, "{bank.c:12 (3rd)}");
}

static void paths_are_names(void **state)
{
    (void)state;
    expect("holder of struct fork (forks[1].holder)", false, "forks[1].holder");
    expect("holder of struct fork (forks[1].holder)", true, "forks[1].holder");
    expect("key of cache (cache.key[1])", false, "cache.key[1]");
    expect("counts (counts[4])", true, "counts[4]");
    expect("amount of struct teller (tellers[1].amount) in tellers of main() in T0", false,
           "tellers[1].amount");
    expect("amount of struct teller (tellers[1].amount) in tellers of main() in T0", true,
           "main::tellers[1].amount");
    expect("m_ (inv.m_) in inv of a::Test::body() in T0", false, "inv.m_");
    expect("m_ (inv.m_) in inv of a::Test::body() in T0", true, "a::Test::body::inv.m_");
    expect("bits of struct s (table[2]+4)", false, "table[2]+4");
    expect("count of class box (box<int>::all.count)", false, "box<int>::all.count");
    expect("x of struct s (bank.c)", false, "bank.c");
    expect("x (a.c:3 said)", false, "x (a.c:3 said)");
    expect("x of struct s (\033[31m)", false, "\033[31m.x");
}

static void members_of_the_library_are_their_container(void **state)
{
    static const char cursor[] =
        "_M_cur of struct std::_Deque_iterator (pool.jobs.c+16) in pool of "
        "main() in T0";
    (void)state;
    expect(cursor, false, "pool.jobs.c._M_cur");
    expect(cursor, true, "main::pool.jobs.c+16._M_cur");
    expect("left of struct node (tree.root+16)", true, "tree.root+16.left");
    assert_int_equal(ser_own_name_length("pool.jobs.c+16._M_cur"), strlen("pool.jobs.c"));
    assert_int_equal(ser_own_name_length("table._M_finish"), strlen("table"));
    assert_int_equal(ser_own_name_length("tree.root+16"), strlen("tree.root+16"));
    assert_int_equal(ser_own_name_length("_M_cur"), strlen("_M_cur"));
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
    static const char *const names[] = {"counter",   "accounts+16", "",  " of struct s (a)",
                                        "a(b)",      "(",           ")", "a of b (+8)",
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
    const ser_run run = {.symbols = symbols};
    ser_plain_names *names = ser_plain_names_create(&run);
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, first), "accounts+16.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, second), "accounts+40.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, third), "accounts+64.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, alone), "alice+40.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, forged), "alice.balance");
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, SER_NO_OBJECT), "");
    ser_plain_names_destroy(names);
    ser_symbols_destroy(symbols);
}

typedef struct heap {
    ser_symbols *symbols;
    ser_event events[16];
    ser_run run;
} heap;

static void write_at(heap *made, uint32_t variable, const char *location, uint64_t value)
{
    uint32_t site = ser_symbols_add_site(made->symbols, location, strlen(location), SER_NO_OBJECT);
    made->events[++made->run.count] = (ser_event){.op = SER_OP_WRITE,
                                                  .object = variable,
                                                  .site = site,
                                                  .flags = SER_EVENT_HAS_VALUE,
                                                  .value = value};
}

/* What `head` of the object of q.c:5 is called if `queue` is written there, and what else says. */
static void expect_head(const char *more, uint64_t value, bool again, const char *wanted)
{
    heap made = {.symbols = ser_symbols_create()};
    made.run = (ser_run){.symbols = made.symbols, .events = made.events};
    uint32_t queue = add(made.symbols, "queue");
    uint32_t head = add(made.symbols, "head of struct node (+8), allocated at q.c:5 (1st)");
    uint32_t other = add(made.symbols, more);
    uint32_t lock =
        ser_symbols_add(made.symbols, SER_SPACE_LOCK, "+0 of block allocated at q.c:5 (1st)", 36);
    write_at(&made, queue, "q.c:5", value);
    write_at(&made, other, "q.c:5", 0x7000);
    if (again)
        write_at(&made, queue, "q.c:9", value + 8);
    ser_plain_names *names = ser_plain_names_create(&made.run);
    assert_string_equal(ser_plain_name(names, SER_SPACE_VARIABLE, head), wanted);
    if (strncmp(wanted, "queue", 5) == 0)
        assert_string_equal(ser_plain_name(names, SER_SPACE_LOCK, lock), "*queue");
    ser_plain_names_destroy(names);
    ser_symbols_destroy(made.symbols);
}

/* The third variable is accessed in add() by the library, the fourth in no function. */
static void objects_of_a_library_go_by_the_function_that_made_them(void **state)
{
    static const char header[] = "/usr/include/c++/12/bits/stl_tree.h:9";
    (void)state;
    heap made = {.symbols = ser_symbols_create()};
    made.run = (ser_run){.symbols = made.symbols, .events = made.events};
    uint32_t own = add(made.symbols, "left of struct node, allocated at shop.c:3 (1st)");
    uint32_t first =
        add(made.symbols, "second of struct std::pair, allocated at stl_tree.h:7 (2nd)");
    uint32_t other = add(made.symbols, "+8 of block allocated at stl_tree.h:7 (2nd)");
    uint32_t next =
        add(made.symbols, "second of struct std::pair, allocated at stl_tree.h:7 (1st)");
    uint32_t none = add(made.symbols, "first of struct std::pair, allocated at stl_tree.h:8 (1st)");
    uint32_t function = ser_symbols_add(made.symbols, SER_SPACE_FUNCTION, "Shop::add", 9);
    uint32_t library = ser_symbols_add(made.symbols, SER_SPACE_FUNCTION, "std::map::at", 12);
    write_at(&made, function, "shop.c:1", 0);
    made.events[1].op = SER_OP_CALL;
    write_at(&made, library, header, 0);
    made.events[2].op = SER_OP_CALL;
    write_at(&made, other, header, 0);
    write_at(&made, next, header, 0);
    write_at(&made, own, "shop.c:4", 0);
    write_at(&made, library, header, 0);
    made.events[6].op = SER_OP_RETURN;
    write_at(&made, function, "shop.c:1", 0);
    made.events[7].op = SER_OP_RETURN;
    write_at(&made, none, header, 0);
    ser_plain_names *names = ser_plain_names_create(&made.run);
    static const struct {
        int variable;
        const char *name;
    } wanted[] = {{1, "pair{Shop::add() (1st)}->second"},
                  {2, "{Shop::add() (1st)}+8"},
                  {3, "pair{Shop::add() (2nd)}->second"},
                  {0, "node{shop.c:3 (1st)}->left"},
                  {4, "pair{stl_tree.h:8 (1st)}->first"}};
    const uint32_t variables[] = {own, first, other, next, none};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(
            ser_plain_name(names, SER_SPACE_VARIABLE, variables[wanted[i].variable]),
            wanted[i].name);
    ser_plain_names_destroy(names);
    ser_symbols_destroy(made.symbols);
}

static void objects_go_by_the_one_variable_that_points_to_them(void **state)
{
    static const char by_line[] = "node{q.c:5 (1st)}->head";
    (void)state;
    expect_head("other", 0x55550010, false, "queue->head");
    expect_head("other", 17, false, by_line);        /* no pointer */
    expect_head("other", 0x55550010, true, by_line); /* it points elsewhere later */
    expect_head("head of struct node, allocated at q.c:5 (2nd)", 0x55550010, false, by_line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_programmers),
        cmocka_unit_test(paths_are_names),
        cmocka_unit_test(members_of_the_library_are_their_container),
        cmocka_unit_test(exact_names_keep_the_offset),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(no_two_variables_share_a_name),
        cmocka_unit_test(objects_of_a_library_go_by_the_function_that_made_them),
        cmocka_unit_test(objects_go_by_the_one_variable_that_points_to_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
