/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <seriatim/seriatim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 1000, SECOND = 7 }; /* threads; their numbers are the program's choice */
static int x, y;
#define X ((uintptr_t)&x)
#define Y ((uintptr_t)&y)

static int step(seriatim_monitor *monitor, uint64_t thread, seriatim_op op, uint64_t object)
{
    return seriatim_monitor_event(monitor, thread, op, object);
}

/* A lost update: the second thread writes between the first one's read and write. */
static int lose_update(seriatim_monitor *monitor)
{
    assert_int_equal(step(monitor, FIRST, SERIATIM_BEGIN, SERIATIM_NO_OBJECT), SERIATIM_OK);
    assert_int_equal(step(monitor, FIRST, SERIATIM_READ, X), SERIATIM_OK);
    assert_int_equal(step(monitor, SECOND, SERIATIM_WRITE, X), SERIATIM_OK);
    return step(monitor, FIRST, SERIATIM_WRITE, X);
}

static void every_engine_reports_a_lost_update(void **state)
{
    (void)state;
    static const char *const engines[] = {NULL, "summaries", "velodrome", "aerodrome"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        seriatim_monitor *monitor = seriatim_monitor_create(engines[i], NULL);
        assert_non_null(monitor);
        assert_int_equal(lose_update(monitor), SERIATIM_VIOLATION);
        assert_int_equal(seriatim_monitor_violation_count(monitor), 1);
        const seriatim_violation *found = seriatim_monitor_violation(monitor, 0);
        assert_int_equal(found->event, 4);
        assert_int_equal(found->thread, FIRST);
        assert_int_equal(found->block, 1);
        assert_null(seriatim_monitor_violation(monitor, 1));
        assert_int_equal(step(monitor, FIRST, SERIATIM_END, SERIATIM_NO_OBJECT), SERIATIM_OK);
        seriatim_monitor_destroy(monitor);
    }
}

static void velodrome_names_the_cycle(void **state)
{
    (void)state;
    seriatim_monitor *monitor = seriatim_monitor_create("velodrome", "markers");
    lose_update(monitor);
    const seriatim_violation *found = seriatim_monitor_violation(monitor, 0);
    assert_int_equal(found->cycle_length, 2);
    assert_int_equal(found->cycle[0].thread, FIRST);
    assert_int_equal(found->cycle[0].first, 1);
    assert_int_equal(found->cycle[1].thread, SECOND);
    assert_int_equal(found->cycle[1].first, 3);
    seriatim_monitor_destroy(monitor);
}

static void serializable_events_are_fine(void **state)
{
    (void)state;
    seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
    for (uint64_t thread = 0; thread < 100; thread++) {
        assert_int_equal(step(monitor, thread, SERIATIM_BEGIN, 5), SERIATIM_OK);
        assert_int_equal(step(monitor, thread, SERIATIM_READ, X), SERIATIM_OK);
        assert_int_equal(step(monitor, thread, SERIATIM_WRITE, Y), SERIATIM_OK);
        assert_int_equal(step(monitor, thread, SERIATIM_END, 5), SERIATIM_OK);
    }
    assert_int_equal(seriatim_monitor_violation_count(monitor), 0);
    seriatim_monitor_destroy(monitor);
}

static void sections_of_locks_can_be_the_blocks(void **state)
{
    (void)state;
    seriatim_monitor *monitor = seriatim_monitor_create(NULL, "locks");
    assert_int_equal(step(monitor, FIRST, SERIATIM_ACQUIRE, 1), SERIATIM_OK);
    assert_int_equal(step(monitor, FIRST, SERIATIM_READ, X), SERIATIM_OK);
    assert_int_equal(step(monitor, SECOND, SERIATIM_WRITE, X), SERIATIM_OK);
    assert_int_equal(step(monitor, FIRST, SERIATIM_READ, X), SERIATIM_VIOLATION);
    seriatim_monitor_destroy(monitor);
}

static void impossible_events_are_ignored(void **state)
{
    (void)state;
    seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
    assert_int_equal(step(monitor, FIRST, SERIATIM_RELEASE, 17), SERIATIM_INPUT);
    assert_int_equal(seriatim_monitor_ignored(monitor), 1);
    assert_non_null(strstr(seriatim_monitor_complaint(monitor), "17"));
    assert_non_null(strstr(seriatim_monitor_complaint(monitor), "1000"));
    assert_int_equal(step(monitor, FIRST, SERIATIM_ACQUIRE, 17), SERIATIM_OK);
    assert_int_equal(step(monitor, SECOND, SERIATIM_ACQUIRE, 17), SERIATIM_INPUT);
    assert_int_equal(step(monitor, FIRST, SERIATIM_RELEASE, 17), SERIATIM_OK);
    assert_int_equal(seriatim_monitor_ignored(monitor), 2);
    seriatim_monitor_destroy(monitor);
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    assert_null(seriatim_monitor_create("fast", NULL));
    assert_null(seriatim_monitor_create(NULL, "functions"));
    seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
    assert_int_equal(step(monitor, 1, (seriatim_op)99, 1), SERIATIM_USAGE);
    assert_int_equal(step(monitor, 1, SERIATIM_READ, SERIATIM_NO_OBJECT), SERIATIM_USAGE);
    seriatim_monitor_destroy(monitor);
    seriatim_monitor_destroy(NULL);
    seriatim_trace_close(NULL);
}

static char *write_file(const char *text)
{
    static char path[64];
    strcpy(path, "/tmp/seriatim-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void a_trace_can_feed_a_monitor(void **state)
{
    (void)state;
    char *path = write_file("A|begin|1\nA|r(x)|2\nB|w(x)|3\nA|w(x)|bank.c:4\n");
    seriatim_trace *trace = seriatim_trace_open(path, NULL, 0);
    unlink(path);
    assert_non_null(trace);
    seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
    seriatim_event event;
    int result = SERIATIM_OK;
    for (uint64_t number = 1; seriatim_trace_next(trace, &event) == 1; number++) {
        assert_int_equal(event.number, number);
        result = step(monitor, event.thread, event.op, event.object);
    }
    assert_int_equal(result, SERIATIM_VIOLATION);
    assert_int_equal(event.number, 4);
    assert_string_equal(event.thread_name, "A");
    assert_string_equal(event.object_name, "x");
    assert_string_equal(event.location, "bank.c:4");
    assert_int_equal(seriatim_trace_next(trace, &event), 0);
    seriatim_monitor_destroy(monitor);
    seriatim_trace_close(trace);
}

static void a_damaged_trace_is_reported(void **state)
{
    (void)state;
    char *path = write_file("A|w(x)|1\nA|rel(m)|2\n");
    seriatim_trace *trace = seriatim_trace_open(path, NULL, 0);
    unlink(path);
    seriatim_event event;
    assert_int_equal(seriatim_trace_next(trace, &event), 1);
    assert_int_equal(seriatim_trace_next(trace, &event), -1);
    assert_int_equal(seriatim_trace_next(trace, &event), -1);
    assert_non_null(strstr(seriatim_trace_problem(trace), "event 2"));
    seriatim_trace_close(trace);

    char message[256];
    assert_null(seriatim_trace_open("/no/such/file", message, sizeof message));
    assert_non_null(strstr(message, "/no/such/file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_reports_a_lost_update),
        cmocka_unit_test(velodrome_names_the_cycle),
        cmocka_unit_test(serializable_events_are_fine),
        cmocka_unit_test(sections_of_locks_can_be_the_blocks),
        cmocka_unit_test(impossible_events_are_ignored),
        cmocka_unit_test(wrong_use_is_refused),
        cmocka_unit_test(a_trace_can_feed_a_monitor),
        cmocka_unit_test(a_damaged_trace_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
