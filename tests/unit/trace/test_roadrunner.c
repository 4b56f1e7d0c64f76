/* SPDX-License-Identifier: MIT */
/* RoadRunner's logs: which events their lines are, and which logs they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "fuzz/round_trip.h"

/* The events of the log must be those of the text. */
static void expect_same(const char *log, const char *text)
{
    for (size_t batch = 1; batch < 9; batch += 2) {
        loaded from_log, from_text;
        load(&from_log, &ser_format_roadrunner, log, strlen(log), batch);
        load(&from_text, &ser_format_text, text, strlen(text), batch);
        assert_int_equal(from_text.status, SER_OK);
        if (from_log.status != SER_OK)
            fail_msg("%s", from_log.error.text);
        const char *what = difference(&from_log, &from_text);
        if (what)
            fail_msg("another %s", what);
        check_text_round_trip(&from_log);
        unload(&from_log);
        unload(&from_text);
    }
}

static void test_a_log_of_the_small_print_tool(void **state)
{
    (void)state;
    expect_same("[main: RoadRunner Agent Loaded.]\n"
                "[main: ]\n"
                "@  main[tid = 0] started .\n"
                "@  Enter(0,test/Bank.main([Ljava/lang/String;)V) from null\n"
                "@   Wr(0,null.test/Bank.total_I)  Final  Bank.java:50:7\n"
                "the program's own output\n"
                "@  Thread-0[tid = 1] started by main[tid = 0].\n"
                "@   Start(0,1)\n"
                "@  Enter(1,test/Bank.run()V) from Bank.java:12\n"
                "@   Acquire(1,@03)\n"
                "@   Rd(1,@04.test/Bank.sum_D)[1 -> 2]  [T@1 : 2]  Bank.java:51\n"
                "@   ARd(1,@1F[3])  x  Bank.java:52:1\n"
                "@   AWr(1,@1F[3])  x  NullLoc\n"
                "@   VWr(1,@04.test/Bank.open_Z)  shadow\n"
                "@   VRd(1,@04.test/Bank.open_Z)  shadow state\n"
                "@   Release(1,@03)\n"
                "@  Exit(1,test/Bank.run()V)\n"
                "@   Join(0,1)\n"
                "@  Exit(0,test/Bank.main([Ljava/lang/String;)V)\r\n",
                "0|call(test/Bank.main([Ljava/lang/String;)V)|\n"
                "0|w(null.test/Bank.total_I)|Bank.java:50:7\n"
                "0|fork(1)|\n"
                "1|call(test/Bank.run()V)|Bank.java:12\n"
                "1|acq(@03)|\n"
                "1|r(@04.test/Bank.sum_D)|Bank.java:51\n"
                "1|r(@1F[3])|Bank.java:52:1\n"
                "1|w(@1F[3])|NullLoc\n"
                "1|w(@04.test/Bank.open_Z)|\n"
                "1|r(@04.test/Bank.open_Z)|\n"
                "1|rel(@03)|\n"
                "1|ret(test/Bank.run()V)|\n"
                "0|join(1)|\n"
                "0|ret(test/Bank.main([Ljava/lang/String;)V)|\n");
}

static void test_lines_printed_twice(void **state)
{
    (void)state;
    expect_same("@  Start(0,1)\n@  Rd(1,x)\n@  Start(0,1)\n@  Join(0,1)\n@  Wr(1,x)\n"
                "@  Join(0,1)\n@  Rd(0,x)\n",
                "0|fork(1)|\n1|r(x)|\n1|w(x)|\n0|join(1)|\n0|r(x)|\n");
    expect_same("@  Notify(0,@1,false)\n@  Notify(0,@1,false)\n@  Notify(0,@1,false)\n"
                "@  Notify(0,@1,false)\n@  Notify(0,@1,true)\n@  Notify(0,@1,true)\n",
                "0|notify(@1)|\n0|notify(@1)|\n0|notifyall(@1)|\n");
}

static void test_a_join_at_the_end(void **state)
{
    (void)state;
    expect_same("@  Rd(1,x)\n@  Join(0,1)", "1|r(x)|\n0|join(1)|\n");
    expect_same("@  Join(0,1)\n@  Join(0,2)\n@  Exit(0,f)\n",
                "0|join(1)|\n0|join(2)|\n0|ret(f)|\n");
}

static void test_waits(void **state)
{
    (void)state;
    expect_same("@  Acquire(1,@3)\n@  Wait(1,@3)\n@  Acquire(0,@3)\n@  Notify(0,@3,true)\n"
                "@  Notify(0,@3,true)\n@  Release(0,@3)\n@  Wait(1,@3)\n@  Release(1,@3)\n",
                "1|acq(@3)|\n1|rel(@3)|\n1|wait(@3)|\n0|acq(@3)|\n0|notifyall(@3)|\n"
                "0|rel(@3)|\n1|acq(@3)|\n1|rel(@3)|\n");
    /* An interrupted wait has no second line, but the lock is held again. */
    expect_same("@  Wait(1,@3)\n@  Release(1,@3)\n", "1|rel(@3)|\n1|wait(@3)|\n1|acq(@3)|\n"
                                                     "1|rel(@3)|\n");
    expect_same("@  Wait(1,@3)\n", "1|rel(@3)|\n1|wait(@3)|\n");
}

static void test_barriers_and_lines_without_event(void **state)
{
    (void)state;
    expect_same("@  Barrier(0,@7,Enter)\n@  Barrier(0,@7,Exit)\n@  pre  sleep\n@  Sleep(0)\n"
                "@  Interrupt(0,1)\n@  Interrupted(1)\n@  ClassInited(0,test/A)\n"
                "@  ClassAccssed(0,test/A)\n@  NewThread(2)\n@   stopped main[tid = 0]\n"
                "@  test acquire @03\n@\n@@  Rd(0,x)\n  @  Rd(0,x)\n\n",
                "0|arrive(@7)|\n0|depart(@7)|\n");
}

static void expect_refused(const char *line, const char *what)
{
    char log[200], expected[300];
    loaded trace;
    snprintf(log, sizeof log, "@  Rd(0,x)\n%s\n", line);
    snprintf(expected, sizeof expected, "bytes:2: event 2: %s in \"%s\"", what, line);
    load(&trace, &ser_format_roadrunner, log, strlen(log), SER_BATCH);
    assert_int_equal(trace.status, SER_INPUT);
    assert_string_equal(trace.error.text, expected);
    assert_int_equal(trace.events.count, 1);
    unload(&trace);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("@  Read(0,x)", "unknown kind of event");
    expect_refused("@  Rd(0,x", "missing ')'");
    expect_refused("@  Enter(0,f()", "missing ')'");
    expect_refused("@  Rd(0)", "missing operand");
    expect_refused("@  Rd(0,)", "missing operand");
    expect_refused("@  Rd(,x)", "missing thread");
    expect_refused("@  Notify(0,@3)", "notify without ',true' or ',false'");
    expect_refused("@  Barrier(0,@3,Stay)", "barrier without ',Enter' or ',Exit'");
}

static bool recognised(const char *text)
{
    return ser_format_roadrunner.recognise((const uint8_t *)text, strlen(text), false) ==
           SER_FORMAT_YES;
}

static void test_recognised(void **state)
{
    (void)state;
    assert_true(recognised("@  Rd(0,x)"));
    assert_true(recognised("@\tEnter(0,x)\n"));
    assert_true(
        recognised("output | of the program\n\n@  main[tid = 0] started .\n@  Start(0,1)\n"));
    assert_true(recognised("[main: RoadRunner Agent Loaded.]\n"));
    assert_false(recognised(""));
    assert_false(recognised("T1|w(x)|@  Rd(0,x)\n"));
    assert_false(recognised("T1|begin|\n@  Rd(0,x)\n"));
    assert_false(recognised("@  main[tid = 0] started .\n"));
    assert_false(recognised("@Rd(0,x)\n"));
    assert_false(recognised("@  Rd(0,x|w(x)|1\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_log_of_the_small_print_tool),
        cmocka_unit_test(test_lines_printed_twice),
        cmocka_unit_test(test_a_join_at_the_end),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_barriers_and_lines_without_event),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
