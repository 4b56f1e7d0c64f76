/* SPDX-License-Identifier: MIT */
/* What leaves a job undecided: the first run, or a run that may hang. Further ones, of as many as
 * there is time for, are only counted if they were cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "report/run_report.h"

enum { RUNS = 3 };

/* Two threads ran, three times. */
static ser_run_report three_runs(uint64_t wanted)
{
    static char *const command[] = {"./program", NULL};
    ser_run_report report = {.name = "run", .command = command, .wanted_runs = wanted, .orders = 4};
    for (int i = 0; i < RUNS; i++) {
        ser_run_trace trace = {.path = ser_copy_text("run.srt", strlen("run.srt")),
                               .size = {.events = 9, .threads = 2, .blocks = 2}};
        ser_vector_push(&report.traces, trace);
    }
    return report;
}

static ser_status verdict_with(uint64_t wanted, size_t run, const ser_run_trace *end)
{
    ser_run_report report = three_runs(wanted);
    ser_run_trace *trace = &report.traces.items[run];
    trace->cut = end->cut;
    trace->undecided = end->undecided;
    trace->overran = end->overran;
    ser_status verdict = ser_run_verdict(&report);
    ser_run_report_fini(&report);
    return verdict;
}

static const ser_run_trace whole = {0}, cut = {.cut = true}, open_block = {.undecided = 1},
                           hanging = {.cut = true, .overran = true};

static void further_runs_decide_nothing(void **state)
{
    (void)state;
    assert_int_equal(verdict_with(0, 2, &whole), SER_OK);
    assert_int_equal(verdict_with(0, 2, &cut), SER_OK);
    assert_int_equal(verdict_with(0, 1, &open_block), SER_OK);
}

static void the_first_run_does(void **state)
{
    (void)state;
    assert_int_equal(verdict_with(0, 0, &cut), SER_UNDECIDED);
    assert_int_equal(verdict_with(0, 0, &open_block), SER_UNDECIDED);
}

static void so_does_a_run_that_may_hang_or_was_asked_for(void **state)
{
    (void)state;
    assert_int_equal(verdict_with(0, 2, &hanging), SER_UNDECIDED);
    assert_int_equal(verdict_with(RUNS, 2, &cut), SER_UNDECIDED);
    assert_int_equal(verdict_with(RUNS, 2, &open_block), SER_UNDECIDED);
}

static void cut_runs_are_counted(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    ser_run_report report = three_runs(0);
    report.traces.items[1].cut = true;
    report.traces.items[2].undecided = 1;
    FILE *file = open_memstream(&text, &size);
    ser_run_report_text(&report, file);
    fclose(file);
    assert_non_null(strstr(text, "\n2 further runs were cut short by --effort\n"));
    assert_non_null(strstr(text, "\nno violation: "));
    assert_null(strstr(text, "only a part of the run"));
    free(text);
    ser_run_report_fini(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(further_runs_decide_nothing),
        cmocka_unit_test(the_first_run_does),
        cmocka_unit_test(so_does_a_run_that_may_hang_or_was_asked_for),
        cmocka_unit_test(cut_runs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
