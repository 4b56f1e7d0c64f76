/* SPDX-License-Identifier: MIT */
/*
 * Native traces: what is written is read again; what is cut, damaged or of a
 * later version is told apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "trace/reader.h"
#include "trace/writer.h"

static void round_trip_of_a_few_events(void **state)
{
    (void)state;
    ser_symbols *symbols = ser_symbols_create();
    ser_symbols_add(symbols, SER_SPACE_THREAD, "T", 1);
    ser_symbols_add(symbols, SER_SPACE_VARIABLE, "x", 1);
    ser_event events[] = {
        {.object = SER_NO_OBJECT, .site = SER_NO_SITE, .op = SER_OP_BEGIN},
        {.site = SER_NO_SITE, .op = SER_OP_READ, .flags = SER_EVENT_HAS_VALUE, .value = 7},
    };
    char path[] = "/tmp/test_native_XXXXXX";
    close(mkstemp(path));
    ser_error error;
    ser_writer *writer;
    assert_int_equal(ser_writer_open(&writer, path, SER_WRITE_NATIVE, symbols, &error), SER_OK);
    assert_int_equal(ser_writer_put(writer, events, 2, &error), SER_OK);
    assert_int_equal(ser_writer_finish(writer, &error), SER_OK);
    ser_writer_close(writer);

    ser_reader *reader;
    ser_event batch[4];
    size_t count;
    assert_int_equal(ser_reader_open(&reader, path, NULL, &error), SER_OK);
    assert_int_equal(ser_reader_next(reader, batch, 4, &count, &error), SER_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(batch, events, sizeof events);
    assert_int_equal(ser_reader_next(reader, batch, 4, &count, &error), SER_OK);
    assert_int_equal(count, 0);
    assert_null(ser_reader_note(reader));
    ser_reader_close(reader);
    ser_symbols_destroy(symbols);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip_of_a_few_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
