/* SPDX-License-Identifier: MIT */
/* Limits, and the text of SERIATIM_OPTIONS. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <string.h>

#include "record/capture/limit.h"
#include "record/capture/settings.h"

static void expect_limit(const char *text, uint64_t events, uint64_t bytes, double seconds)
{
    ser_limit limit;
    ser_error error;
    assert_int_equal(ser_limit_read(&limit, text, &error), SER_OK);
    assert_int_equal(limit.events, events);
    assert_int_equal(limit.bytes, bytes);
    assert_true(limit.seconds == seconds);
}

static void test_limits(void **state)
{
    (void)state;
    expect_limit("1000", 1000, UINT64_MAX, 0);
    expect_limit("10k", 10000, UINT64_MAX, 0);
    expect_limit("1.5Mevents", 1500000, UINT64_MAX, 0);
    expect_limit("2Gbytes", UINT64_MAX, 2000000000, 0);
    expect_limit("7B", UINT64_MAX, 7, 0);
    expect_limit("0.5s", UINT64_MAX, UINT64_MAX, 0.5);
    expect_limit("0", 0, UINT64_MAX, 0);
    expect_limit("1M,30s,5kbytes", 1000000, 5000, 30);
    assert_true(ser_limit_standard().events >= 1000000);
}

static void test_wrong_limits(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    "M",    "-1",   "10x",        "10 M", "1e30",
                                        "5s,", ",5s",  "1Mm",  "10Meventss", "0s",   "nan",
                                        "inf", "1,,2", "1MsM", NULL};
    for (size_t i = 0; wrong[i]; i++) {
        ser_limit limit;
        ser_error error;
        assert_int_equal(ser_limit_read(&limit, wrong[i], &error), SER_USAGE);
        assert_non_null(strstr(error.text, "--limit"));
    }
}

static ser_status check(const char *text, bool *help, ser_error *error)
{
    ser_settings settings = {0};
    ser_settings_add_text(&settings, text);
    ser_status status = ser_settings_check(&settings, help, error);
    ser_vector_free(&settings);
    return status;
}

static void test_settings_are_checked(void **state)
{
    (void)state;
    bool help;
    ser_error error;
    assert_int_equal(check(NULL, &help, &error), SER_OK);
    assert_int_equal(check("seed=3:scheduler=pct:calls=0", &help, &error), SER_OK);
    assert_false(help);
    assert_int_equal(check("help=1", &help, &error), SER_OK);
    assert_true(help);
    assert_int_equal(check("sed=3", &help, &error), SER_USAGE);
    assert_non_null(strstr(error.text, "did you mean seed"));
    assert_int_equal(check("seed", &help, &error), SER_USAGE);
    assert_int_equal(check("seed=x", &help, &error), SER_USAGE);
    assert_int_equal(check("quantum=0", &help, &error), SER_USAGE);
    assert_int_equal(check("seed=99999999999999999999", &help, &error), SER_USAGE);
    assert_int_equal(check("scheduler=best", &help, &error), SER_USAGE);
}

static void test_settings_are_put_together(void **state)
{
    (void)state;
    ser_settings settings = {0};
    assert_string_equal(ser_settings_text(&settings), "");
    ser_settings_add_text(&settings, "seed=1:calls=0");
    ser_settings_add_text(&settings, "");
    ser_settings_add(&settings, "seed", "2");
    assert_string_equal(ser_settings_text(&settings), "seed=1:calls=0:seed=2");
    ser_vector_free(&settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_wrong_limits),
        cmocka_unit_test(test_settings_are_checked),
        cmocka_unit_test(test_settings_are_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
