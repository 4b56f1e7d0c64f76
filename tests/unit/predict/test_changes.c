/* SPDX-License-Identifier: MIT */
/* Tasks whose reads may change: hand-made ones, and random ones against the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/saturation/saturation.h"
#include "predict/search.h"
#define EXPECTED_CRITERIA 1
#include "expect_task.h"

/* The last one may leave a task open. */
static const ser_search_engine *const engines[] = {&ser_search_dpor, &ser_search_smt,
                                                   &ser_search_saturation};
enum { ENGINES = sizeof engines / sizeof *engines };

static uint32_t left_open; /* by saturation, for paths */

static ser_outcome ask(const ser_search_engine *engine, const ser_task *task,
                       ser_criterion criterion, const char *text)
{
    ser_answer answer = {0};
    ser_search_options options = {.switches = UINT32_MAX, .criterion = criterion};
    engine->run(task, &options, &answer);
    if (answer.outcome == SER_VIOLATED &&
        !task_order_violates(task, answer.order.items, answer.order.count, criterion))
        fail_msg("%s: no witness by %s", text, engine->name);
    ser_outcome outcome = answer.outcome;
    ser_answer_fini(&answer);
    return outcome;
}

static ser_outcome decide(const char *text, ser_criterion criterion)
{
    ser_task *task = text_task(text);
    ser_outcome expected = by_definition(task, criterion);
    for (int i = 0; i < ENGINES; i++) {
        ser_outcome outcome = ask(engines[i], task, criterion, text);
        if (outcome == SER_UNKNOWN && engines[i] == &ser_search_saturation)
            left_open += criterion == SER_CRITERION_PATH;
        else if (outcome != expected)
            fail_msg("%s: outcome %d by %s, criterion %d", text, (int)outcome, engines[i]->name,
                     (int)criterion);
    }
    ser_task_destroy(task);
    return expected;
}

/* Each reads and then writes, under a lock each time. */
static void test_lost_update(void **state)
{
    (void)state;
    expect_none("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2rx 2lm 2am 2wx 2lm");
    expect_violation("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2rx~- 2lm 2am 2wx 2lm");
    expect_none("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2rx~3 2lm 2am 2wx 2lm");
    expect_violation("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2rx=@ 2lm 2am 2wx 2lm");
    /* the write it sees must be accepted, not just any */
    expect_none("3wy 1( 1rx 1rx 1) 1wy 2ry<1 2wx");
    expect_violation("3wy 1( 1rx 1rx 1) 1wy 2ry<1=1 2wx");
    expect_none("3wy 1( 1rx 1rx 1) 1wy 2ry<1=@ 2wx");
}

/* A read-modify-write writes anyway, or is a compare-exchange. */
static void test_updates(void **state)
{
    (void)state;
    expect_none("1( 1rx 1rx 1) 2wy 2ux?");
    expect_violation("1( 1rx 1rx 1) 2wy 2ux?^");
}

/* What is written behind a changed read is dirty: nobody who sees it goes past a limit. */
static void test_dirty_writes(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 3wz 2rz~- 2wy<3 3ry 3wx");
    expect_none("1( 1rx 1wx 1) 2rz?~- 2wy 3ry 3wx");
    expect_violation("1( 1rx 1wx 1) 2rz?~- 2wy 3ry~- 3wx");
    expect_none("1( 1rx 1wx 1) 2rz?~- 2wy 3ry=4 3wx");
    /* through two threads */
    expect_none("1( 1rx 1wx 1) 2rz?~- 2wy 3ry~- 3wu 4ru 4wx");
    /* a compare-exchange that sees a dirty write does not write */
    expect_violation("1( 1rx 1rx 1) 2rz?~- 2wx 3ux<4");
    expect_violation("1( 1ry 1ry 1) 2rz?~- 2wx 3uy 3ux 3wy");
    expect_none("1( 1rx 1ry 1rx 1) 2rz?~- 2wy 3uy<5 3wx");
}

/* A limit may be the end, which a join needs. */
static void test_joins(void **state)
{
    (void)state;
    expect_none("1( 1rx 1wx 1) 2rz? 3n/3 3wx");
    expect_none("1( 1rx 1wx 1) 2rz?~$ 2wy 3n/3 3wx");
    expect_violation("1( 1rx 1wx 1) 2rz?~- 2wy 3n/3 3wx");
    expect_none("1( 1rx 1wx 1) 2rz?~2 2wy 3n/3 3wx");
    expect_violation("1( 1rx 1wx 1) 2rz?~2 2wy 3n<4 3wx");
}

/* What is unspoiled happens before all that is changed, or never. */
static void test_unspoiled(void **state)
{
    (void)state;
    expect_none("1( 1rx 1wx 1) 2rz?~- 3wx&<3");
    expect_violation("1( 1rx 1wx 1) 2rz?~- 3wx&");
    expect_violation("1( 1rx 1wx 1) 2wz 3rz~- 4wx&<4");
    expect_violation("1( 1rx 2wz<1 3rz=@ 3n 4wx& 1wx 1)");
}

/* All reads of a move are changed if one is. */
static void test_moves(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 2ry~-+ 2rz?~- 2wx");
    expect_none("1( 1rx 1wx 1) 2ry~1+ 2rz?~- 2wx");
    expect_violation("1( 1rx 1rx 1) 2ux^~-+ 2uz?^~-");
    expect_none("1( 1rx 1rx 1) 2ux+ 2uz?");
    /* of two writes in a move the last one is seen */
    expect_violation("1( 1rx 1rx 1) 3wy+ 3wy 2ry<3=@ 2wx");
    expect_none("1( 1rx 1rx 1) 3wy+ 3wy 2ry?<3=3=@ 2wx");
}

static void test_random(void **state)
{
    (void)state;
    static const random_sizes kinds[] = {
        {.threads = 2, .steps = 9, .variables = 2, .change_percent = 70},
        {.threads = 3, .steps = 9, .variables = 2, .rmw_percent = 40, .change_percent = 60},
        {.threads = 3, .steps = 9, .variables = 3, .noise_percent = 10, .change_percent = 60},
        {.threads = 3,
         .steps = 10,
         .variables = 2,
         .locks = 1,
         .lock_percent = 40,
         .noise_percent = 5,
         .change_percent = 60},
        {.threads = 3,
         .steps = 9,
         .variables = 2,
         .locks = 1,
         .lock_percent = 15,
         .rmw_percent = 30,
         .need_percent = 15,
         .clear_percent = 10,
         .noise_percent = 5,
         .change_percent = 60},
        {.threads = 3,
         .steps = 9,
         .variables = 3,
         .rmw_percent = 30,
         .need_percent = 5,
         .noise_percent = 5,
         .join_percent = 40,
         .change_percent = 60},
        {.threads = 4, .steps = 9, .variables = 2, .rmw_percent = 30, .change_percent = 80},
    };
    left_open = 0;
    random_tally tally = decide_random_tasks(kinds, sizeof kinds / sizeof *kinds, 40);
    assert_in_range(tally.violated[0], tally.tasks / 8, tally.tasks - tally.tasks / 8);
    assert_in_range(left_open, 0, tally.tasks / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_update),  cmocka_unit_test(test_updates),
        cmocka_unit_test(test_dirty_writes), cmocka_unit_test(test_joins),
        cmocka_unit_test(test_unspoiled),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
