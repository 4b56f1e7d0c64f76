/* SPDX-License-Identifier: MIT */
/* The facade: recognises formats, counts, holds errors back, rewinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <string.h>

#include "trace/reader.h"

static ser_reader *open_text(const char *text)
{
    ser_error error;
    ser_reader *reader;
    if (ser_reader_open_memory(&reader, text, strlen(text), "trace", &error) != SER_OK)
        fail_msg("%s", error.text);
    return reader;
}

static void expect_not_opened(const char *text, const char *message)
{
    ser_error error;
    ser_reader *reader;
    assert_int_equal(ser_reader_open_memory(&reader, text, strlen(text), "trace", &error),
                     SER_INPUT);
    assert_null(reader);
    assert_string_equal(error.text, message);
}

static void test_empty_input_is_no_trace(void **state)
{
    (void)state;
    expect_not_opened("", "trace is empty");
    expect_not_opened("\x1f\x8b",
                      "trace: the gzip data ends early (truncated file?) at byte 2, after event 0");
}

static void test_formats_are_recognised(void **state)
{
    (void)state;
    ser_reader *reader = open_text("T|w(x)|\n");
    assert_string_equal(ser_reader_format(reader), "text");
    ser_reader_close(reader);
    reader = open_text("@  Rd(0,x)\n");
    assert_string_equal(ser_reader_format(reader), "roadrunner");
    ser_reader_close(reader);
    expect_not_opened("\x7f"
                      "ELF\n",
                      "trace is a program, not a trace; `seriatim record` makes a trace of a run");
}

/* The events before a bad line come first, then the same error again and again. */
static void test_errors_come_after_events(void **state)
{
    (void)state;
    static const char text[] = "T|w(a)|\nT|w(b)|\nT|w(c)|\nnonsense\nT|w(d)|\n";
    for (size_t capacity = 1; capacity < 6; capacity++) {
        ser_event batch[6];
        ser_error error;
        size_t count;
        ser_reader *reader = open_text(text);
        for (size_t seen = 0; seen < 3; seen += count) {
            assert_int_equal(ser_reader_next(reader, batch, capacity, &count, &error), SER_OK);
            assert_true(count > 0);
        }
        for (int again = 0; again < 2; again++) {
            assert_int_equal(ser_reader_next(reader, batch, capacity, &count, &error), SER_INPUT);
            assert_int_equal(count, 0);
            assert_string_equal(error.text, "trace:4: event 4: missing operation (no '|') in "
                                            "\"nonsense\"");
        }
        ser_reader_close(reader);
    }
}

static void test_rewind(void **state)
{
    (void)state;
    ser_event batch[4];
    ser_error error;
    size_t count;
    ser_reader *reader = open_text("T|w(a)|p\nT|w(b)|q\nT|w(a)|p\n");
    for (size_t capacity = 1; capacity <= 4; capacity++) {
        bool skip_sites = capacity % 2;
        assert_int_equal(ser_reader_rewind(reader, skip_sites, &error), SER_OK);
        assert_int_equal(ser_reader_next(reader, batch, capacity, &count, &error), SER_OK);
        assert_int_equal(batch[0].object, 0);
        assert_int_equal(batch[0].site, skip_sites ? SER_NO_SITE : 0);
    }
    assert_int_equal(count, 3);
    assert_int_equal(ser_symbols_count(ser_reader_symbols(reader), SER_SPACE_VARIABLE), 2);
    assert_int_equal(ser_symbols_site_count(ser_reader_symbols(reader)), 2);
    assert_int_equal(ser_reader_next(reader, batch, 4, &count, &error), SER_OK);
    assert_int_equal(count, 0);
    assert_null(ser_reader_note(reader));
    ser_reader_close(reader);
}

static void test_skipped_sites_are_not_kept(void **state)
{
    (void)state;
    ser_event batch[4];
    ser_error error;
    size_t count;
    ser_reader *reader = open_text("T|w(a)|p|function=f\nT|w(b)|q\n");
    assert_int_equal(ser_reader_rewind(reader, true, &error), SER_OK);
    assert_int_equal(ser_reader_next(reader, batch, 4, &count, &error), SER_OK);
    assert_int_equal(ser_symbols_site_count(ser_reader_symbols(reader)), 0);
    assert_int_equal(ser_symbols_count(ser_reader_symbols(reader), SER_SPACE_FUNCTION), 0);
    ser_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_input_is_no_trace),
        cmocka_unit_test(test_formats_are_recognised),
        cmocka_unit_test(test_errors_come_after_events),
        cmocka_unit_test(test_rewind),
        cmocka_unit_test(test_skipped_sites_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
