/* SPDX-License-Identifier: MIT */
/* A prediction that has used up its time lists all blocks nevertheless, with short witnesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "report/json_file.h"
#include "report/predict_report.h"
#include "unit/marked_trace.h"
#include "unit/small_run.h"

enum { MICROSECONDS = 1000000, MANY = 2000 };

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

/* Orders that begin with the first event, and one that begins near its block. */
static char *write_json(const ser_run *run)
{
    ser_block_result results[3] = {0};
    for (uint32_t i = 0; i < 3; i++) {
        results[i] = (ser_block_result){.block = i, .verdict = SER_VERDICT_VIOLATION};
        for (uint32_t k = 0; k < (i ? 2 : MANY); k++)
            ser_vector_push(&results[i].order, 1 + k % run->count);
    }
    results[2].start = 5;
    const ser_prediction prediction = {.run = run, .results = {.items = results, .count = 3}};
    const ser_predict_report report = {.path = "trace", .prediction = &prediction};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    ser_json json = ser_json_to_file(file);
    ser_predict_report_json(&report, &json);
    ser_json_end(&json);
    fclose(file);
    for (size_t i = 0; i < 3; i++)
        ser_vector_free(&results[i].order);
    return text;
}

static void expect(size_t whole, size_t begun_late)
{
    small_trace trace = marked_trace_of("A|begin A|r(x) A|end A|begin A|r(x) A|end A|begin A|r(x) "
                                        "A|end");
    ser_run *run = small_run_of(&trace);
    char *text = write_json(run);
    assert_int_equal(count_of(text, "\"verdict\": \"violation\""), 3);
    assert_int_equal(count_of(text, "\"witness\": {"), whole);
    assert_int_equal(count_of(text, "\"start\": 5"), begun_late);
    free(text);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void test_late(void **state)
{
    (void)state;
    expect(3, 0);
    ser_budget_start(1.0 / MICROSECONDS);
    while (!ser_should_stop_writing())
        usleep(MICROSECONDS / 100);
    expect(2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_late)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
