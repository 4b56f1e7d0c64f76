/* SPDX-License-Identifier: MIT */
/* Traces that are read once: what is done with them later needs no file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "session/check_passes.h"
#include "session/run/analysis/analysis.h"
#include "session/run/kept.h"

/* Two deposits: T1 has another one between its read and its write. T2's comes later, but could
 * come between as well. */
static const char deposits[] = "T1|begin|a.c:1\n"
                               "T1|r(x)|a.c:2\n"
                               "T2|w(x)|a.c:9\n"
                               "T1|w(x)|a.c:3\n"
                               "T1|end|a.c:4\n"
                               "T12|begin|a.c:1\n"
                               "T12|r(x)|a.c:2\n"
                               "T12|w(x)|a.c:3\n"
                               "T12|end|a.c:4\n"
                               "T2|w(x)|a.c:9\n";

typedef struct subject {
    char path[64];
} subject;

static subject write_trace(void)
{
    subject made = {.path = "/tmp/seriatim-loaded-XXXXXX"};
    int fd = mkstemp(made.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, deposits, strlen(deposits)), strlen(deposits));
    close(fd);
    return made;
}

static ser_source_settings settings_of(const subject *trace)
{
    return (ser_source_settings){.verb = "test", .path = trace->path};
}

static void load(ser_loaded *loaded, const subject *trace)
{
    ser_error error = {0};
    const ser_source_settings settings = settings_of(trace);
    assert_int_equal(ser_loaded_make(loaded, &settings, &error), SER_OK);
}

static void memory_has_the_same_events_as_the_file(void **state)
{
    (void)state;
    subject trace = write_trace();
    ser_loaded loaded;
    ser_source source;
    ser_batch batch;
    ser_error error;
    load(&loaded, &trace);
    unlink(trace.path);
    ser_source_open_run(&source, &loaded.source, loaded.run);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
        assert_int_equal(batch.count, 10);
        assert_int_equal(batch.first, 1);
        assert_int_equal(batch.events[2].op, SER_OP_WRITE);
        assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
        assert_int_equal(batch.count, 0);
        assert_int_equal(ser_source_rewind(&source, false, &error), SER_OK);
    }
    ser_source_close(&source);
    ser_loaded_close(&loaded);
}

/* What was read before Ctrl-C is read again, but not for ever. */
static void an_interrupt_leaves_a_moment_for_another_pass(void **state)
{
    enum { LONG_SECONDS = 60 };
    (void)state;
    subject trace = write_trace();
    ser_loaded loaded;
    ser_source source;
    ser_batch batch;
    ser_error error;
    load(&loaded, &trace);
    unlink(trace.path);
    ser_source_open_run(&source, &loaded.source, loaded.run);
    assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
    ser_interrupt_note();
    assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
    assert_string_equal(source.stopped, "interrupted");
    assert_int_equal(ser_source_rewind(&source, false, &error), SER_OK);
    assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
    assert_int_equal(batch.count, 10);
    double start = ser_clock_now();
    while (!ser_should_stop() && ser_clock_now() - start < LONG_SECONDS)
        usleep(10000);
    assert_int_equal(ser_source_next(&source, &batch, &error), SER_OK);
    assert_string_equal(source.stopped, "interrupted");
    ser_interrupt_reset();
    ser_source_close(&source);
    ser_loaded_close(&loaded);
}

/* The passes over a source, which they close. */
static void expect_violation(ser_check_passes *passes)
{
    ser_error error = {0};
    assert_int_equal(ser_check_run(passes, &error), SER_OK);
    assert_int_equal(passes->found.list.count, 1);
    const ser_finding *finding = ser_explainer_finding(passes->explainer, 0);
    assert_int_equal(finding->begin, 1);
    ser_check_passes_fini(passes);
}

static void the_monitor_finds_the_same_in_memory(void **state)
{
    (void)state;
    subject trace = write_trace();
    ser_error error = {0};
    ser_loaded loaded;
    load(&loaded, &trace);
    ser_check_passes file = {.engine = &ser_engine_summaries, .found.all = true};
    ser_source_settings settings = settings_of(&trace);
    settings.keep = settings.skip_sites = true;
    assert_int_equal(ser_source_open(&file.source, &settings, &error), SER_OK);
    expect_violation(&file);
    unlink(trace.path);
    ser_check_passes memory = {.engine = &ser_engine_summaries, .found.all = true};
    ser_source_open_run(&memory.source, &loaded.source, loaded.run);
    expect_violation(&memory);
    ser_loaded_close(&loaded);
}

static void threads_keep_their_numbers(void **state)
{
    (void)state;
    subject trace = write_trace();
    ser_loaded loaded;
    uint32_t thread;
    load(&loaded, &trace);
    unlink(trace.path);
    ser_loaded_leave_file(&loaded);
    assert_true(ser_run_find_thread(loaded.run, 12, &thread));
    assert_int_equal(thread, 2);
    assert_string_equal(ser_symbols_name(loaded.run->symbols, SER_SPACE_THREAD, thread), "T12");
    assert_false(ser_run_find_thread(loaded.run, 3, &thread));
    ser_loaded_close(&loaded);
}

static void a_trace_that_is_kept_needs_no_file(void **state)
{
    (void)state;
    subject trace = write_trace();
    const ser_source_settings settings = settings_of(&trace);
    ser_error error = {0};
    ser_loaded first, second, *found;
    ser_prediction none = {0}, some = {0};
    ser_kept kept = {0};
    load(&first, &trace);
    load(&second, &trace);
    some.run = second.run;
    ser_kept_add(&kept, 1, &first, &none);
    ser_kept_add(&kept, 4, &second, &some);
    assert_null(ser_kept_find(&kept, 1)); /* without a prediction */
    assert_non_null(ser_kept_find(&kept, 4));
    assert_int_equal(kept.bytes, 2 * 10 * 52);
    assert_int_equal(ser_kept_get(&kept, 3, &settings, &found, &error), SER_OK); /* read now */
    assert_int_equal(found->run->count, 10);
    unlink(trace.path);
    assert_int_equal(ser_kept_get(&kept, 4, &settings, &found, &error), SER_OK);
    assert_int_equal(found->run->count, 10);
    assert_int_equal(kept.traces.count, 1); /* those before are gone */
    assert_int_equal(ser_kept_get(&kept, 5, &settings, &found, &error), SER_INPUT);
    ser_kept_fini(&kept);
}

/* The witness of a bug is what its schedule file says. */
static void analysis_hands_the_witness_over(void **state)
{
    (void)state;
    subject trace = write_trace();
    char folder[] = "/tmp/seriatim-analysis-XXXXXX", schedule[128];
    ser_error error = {0};
    ser_loaded loaded;
    ser_prediction prediction = {0};
    assert_non_null(mkdtemp(folder));
    ser_run_report report = {.name = "run"};
    const ser_run_trace first = {.path = ser_copy_text(trace.path, strlen(trace.path))};
    ser_vector_push(&report.traces, first);
    const ser_run_options options = {.folder = folder, .effort = {.jobs = 1}};
    assert_int_equal(ser_run_analyse(&report, &options, NULL, &loaded, &prediction, &error),
                     SER_OK);
    assert_ptr_equal(prediction.run, loaded.run);
    assert_true(report.bugs.list.count > 0);
    assert_true(report.bugs.list.items[0].order.count > 3);
    assert_int_equal(report.bugs.list.items[0].status, SER_BUG_OBSERVED);
    assert_int_equal(report.traces.items[0].size.events, 10);
    for (size_t i = 1; i <= report.bugs.list.count; i++) {
        snprintf(schedule, sizeof schedule, "%s/violation-%zu.schedule", folder, i);
        assert_int_equal(unlink(schedule), 0);
    }
    rmdir(folder);
    unlink(trace.path);
    ser_prediction_fini(&prediction);
    ser_loaded_close(&loaded);
    ser_run_report_fini(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_has_the_same_events_as_the_file),
        cmocka_unit_test(an_interrupt_leaves_a_moment_for_another_pass),
        cmocka_unit_test(the_monitor_finds_the_same_in_memory),
        cmocka_unit_test(threads_keep_their_numbers),
        cmocka_unit_test(a_trace_that_is_kept_needs_no_file),
        cmocka_unit_test(analysis_hands_the_witness_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
