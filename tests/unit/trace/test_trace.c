/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/trace.h"

static char path[] = "/tmp/seriatim-trace-XXXXXX";

static void write_trace(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Reads to the end or to an error; one character an event: < opens, > closes,
 * ! both, s skipped, . nothing. */
static ser_status read_marks(ser_trace *trace, char *marks, ser_error *error)
{
    static const char letters[] = {'.', '<', '>', '!'};
    ser_batch batch;
    ser_status status;
    uint64_t number = 1;
    while (!(status = ser_trace_next(trace, &batch, error)) && batch.count > 0) {
        assert_int_equal(batch.first, number);
        number += batch.count;
        for (size_t i = 0; i < batch.count; i++) {
            const ser_event *event = &batch.events[i];
            int mark = (event->flags & SER_EVENT_OPENS ? 1 : 0) |
                       (event->flags & SER_EVENT_CLOSES ? 2 : 0);
            *marks++ = event->op == SER_OP_SKIP ? 's' : letters[mark];
        }
    }
    *marks = '\0';
    return status;
}

static ser_trace *open_trace(const char *atomic, bool lenient)
{
    ser_trace *trace;
    ser_error error;
    ser_trace_options options = {.atomic = atomic, .lenient = lenient, .keep = true};
    assert_int_equal(ser_trace_open(&trace, path, &options, &error), SER_OK);
    return trace;
}

static void a_trace_can_be_read_again(void **state)
{
    (void)state;
    write_trace("T1|acq(m)|a\nT1|call(f)|b\nT1|rel(m)|c\nT1|acq(m)|d\n");
    const char *modes[] = {"locks", "auto"};
    for (size_t i = 0; i < 2; i++) {
        ser_trace *trace = open_trace(modes[i], false);
        char marks[16];
        ser_error error;
        for (int pass = 0; pass < 2; pass++) {
            assert_int_equal(read_marks(trace, marks, &error), SER_OK);
            assert_string_equal(marks, "<.><");
            assert_int_equal(ser_trace_blocks(trace), 2);
            assert_int_equal(ser_trace_rewind(trace, pass, &error), SER_OK);
        }
        ser_trace_close(trace);
    }
}

/* Locations appear in the pass that asked for them, after surveys without. */
static void locations_survive_a_survey(void **state)
{
    (void)state;
    write_trace("T1|r(x)|bank.c:42\n");
    ser_trace *trace = open_trace("functions", false);
    ser_batch batch;
    ser_error error;
    assert_int_equal(ser_trace_next(trace, &batch, &error), SER_OK);
    assert_int_equal(batch.count, 1);
    assert_string_equal(ser_symbols_location(ser_trace_symbols(trace), batch.events[0].site),
                        "bank.c:42");
    ser_trace_close(trace);
}

static void events_before_a_bad_one_come_first(void **state)
{
    (void)state;
    write_trace("T1|begin|\nT1|end|\nT1|end|\nT1|begin|\n");
    const char *modes[] = {"markers", "auto", "functions"};
    const char *expected[] = {"<>", "<>", ".."};
    for (size_t i = 0; i < 3; i++) {
        ser_trace *trace = open_trace(modes[i], false);
        char marks[16], message[128];
        ser_error error;
        snprintf(message, sizeof message, "%s: event 3: T1 ends a block, but has none open", path);
        assert_int_equal(read_marks(trace, marks, &error), SER_INPUT);
        assert_string_equal(marks, expected[i]);
        assert_string_equal(error.text, message);
        error.text[0] = '\0';
        assert_int_equal(read_marks(trace, marks, &error), SER_INPUT);
        assert_string_equal(error.text, message);
        ser_trace_close(trace);
    }
}

static void lenient_drops_what_does_not_fit(void **state)
{
    (void)state;
    write_trace("T1|begin|\nT1|end|\nT1|end|\nT1|rel(m)|\nT1|begin|\n");
    ser_trace *trace = open_trace(NULL, true);
    char marks[16];
    ser_error error;
    assert_int_equal(read_marks(trace, marks, &error), SER_OK);
    assert_string_equal(marks, "<>ss<");
    assert_int_equal(ser_trace_dropped(trace), 2);
    assert_string_equal(ser_trace_first_complaint(trace),
                        "event 3: T1 ends a block, but has none open");
    ser_trace_close(trace);
}

static void what_cannot_be_opened_says_so(void **state)
{
    (void)state;
    write_trace("T1|r(x)|\n");
    ser_trace *trace;
    ser_error error;
    ser_trace_options options = {.atomic = "/nowhere/at/all"};
    assert_int_equal(ser_trace_open(&trace, path, &options, &error), SER_INPUT);
    assert_null(trace);
    options.atomic = NULL;
    assert_int_equal(ser_trace_open(&trace, "/nowhere/at/all", &options, &error), SER_INPUT);
    assert_null(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_can_be_read_again),
        cmocka_unit_test(locations_survive_a_survey),
        cmocka_unit_test(events_before_a_bad_one_come_first),
        cmocka_unit_test(lenient_drops_what_does_not_fit),
        cmocka_unit_test(what_cannot_be_opened_says_so),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
