/* SPDX-License-Identifier: MIT */
/* How a crowded machine delays things. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "base/host.h"

static void test_delay(void **state)
{
    (void)state;
    assert_true(ser_host_delay(0, 2) == 1);
    assert_true(ser_host_delay(3.9, 2) == 1); /* perhaps our own */
    assert_true(ser_host_delay(4, 2) == 2);
    assert_true(ser_host_delay(6, 2) == 3);
    assert_true(ser_host_delay(6, 4) == 1);
    assert_true(ser_host_delay(1000, 2) == 4);
}

static void test_now(void **state)
{
    (void)state;
    double delay = ser_host_delay_now();
    assert_true(delay >= 1 && delay <= 4);
    assert_true(ser_host_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay),
        cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
