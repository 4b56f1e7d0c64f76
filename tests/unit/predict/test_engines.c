/* SPDX-License-Identifier: MIT */
/* Corners of task.h that no trace leads to: all engines must read them alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/search.h"
#include "text_task.h"

static void expect(const char *text, ser_outcome expected)
{
    const ser_search_options options = {.switches = UINT32_MAX};
    ser_task *task = text_task(text);
    for (size_t i = 0; ser_search_engines[i]; i++) {
        ser_answer answer = {0};
        ser_search_engines[i]->run(task, &options, &answer);
        if (answer.outcome != expected)
            fail_msg("%s on %s: outcome %d", ser_search_engines[i]->name, text,
                     (int)answer.outcome);
        ser_answer_fini(&answer);
    }
    ser_task_destroy(task);
}

/* A failed try whose source is the start means the exclusive holder there. */
static void test_tries_that_saw_the_start(void **state)
{
    (void)state;
    expect("@2am 1( 1rx 3tm 3wx 1rx 1)", SER_VIOLATED);
    expect("@2am 1( 1rx 3tm 3wx 1rx 1) 2lm", SER_VIOLATED);
    expect("@2sm 1( 1rx 3tm 3wx 1rx 1)", SER_NO_VIOLATION);
    expect("@2sm @4sm 1( 1rx 3tm 3wx 1rx 1) 2em", SER_NO_VIOLATION);
    expect("1( 1rx 3tm 3wx 1rx 1)", SER_NO_VIOLATION);
}

/* One that saw a shared acquire of the task means that one. */
static void test_tries_that_saw_a_sharer(void **state)
{
    (void)state;
    expect("@2sm 4sm 1( 1rx 3tm 3wx 1rx 1)", SER_VIOLATED);
    expect("@2sm 1( 1rx 1rx 1) 1n 4sm<3 3tm 3wx", SER_NO_VIOLATION);
}

/* The table's names are those of the engines themselves. */
static void test_names(void **state)
{
    (void)state;
#define SER_X(engine, help) assert_string_equal(ser_search_##engine.name, #engine);
    SER_SEARCH_ENGINES(SER_X)
#undef SER_X
    assert_ptr_equal(ser_search_engine_by_name("dpor"), &ser_search_dpor);
    assert_null(ser_search_engine_by_name("auto"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tries_that_saw_the_start),
        cmocka_unit_test(test_tries_that_saw_a_sharer),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
