/* SPDX-License-Identifier: MIT */
/* Answers kept for tasks that are the same but for their events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <pthread.h>

#include "predict/reuse.h"
#include "random_task.h"

static const char TEXT[] = "@3sk 1am 1( 1rx 1wx 1) 1lm 2wx<1 2n!2 3ux 3ek";

static ser_answer violation(uint32_t first, uint32_t second)
{
    ser_answer answer = {.outcome = SER_VIOLATED};
    ser_vector_push(&answer.order, first);
    ser_vector_push(&answer.order, second);
    return answer;
}

static bool knows(ser_reuse *reuse, const ser_task *task)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    bool found = ser_reuse_find(reuse, task, &answer) != NULL;
    ser_answer_fini(&answer);
    return found;
}

static void test_same_shape(void **state)
{
    (void)state;
    ser_reuse *reuse = ser_reuse_create();
    ser_task *task = text_task(TEXT), *other = text_task(TEXT);
    ser_answer kept = violation(3, 1), answer = {.outcome = SER_UNKNOWN};
    for (size_t i = 0; i < other->steps.count; i++) {
        other->steps.items[i].event += 100;
        other->steps.items[i].transaction += 7;
    }
    assert_false(knows(reuse, task));
    ser_reuse_keep(reuse, task, &ser_search_dpor, &kept);
    assert_ptr_equal(ser_reuse_find(reuse, other, &answer), &ser_search_dpor);
    assert_int_equal(answer.outcome, SER_VIOLATED);
    assert_int_equal(answer.order.count, 2);
    assert_int_equal(answer.order.items[0], 3);
    assert_int_equal(answer.order.items[1], 1);
    ser_answer_fini(&kept);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
    ser_task_destroy(other);
    ser_reuse_destroy(reuse);
}

/* Each field that can matter, changed alone. */
static void change(ser_task *task, int field)
{
    ser_task_step *step = &task->steps.items[4];
    switch (field) {
    case 0:
        step->access = SER_ACCESS_RMW;
        break;
    case 1:
        step->source = SER_TASK_NEVER;
        break;
    case 2:
        step->variable++;
        break;
    case 3:
        step->in_block = !step->in_block;
        break;
    case 4:
        task->steps.items[0].action = SER_LOCK_ACQUIRE_SHARED;
        break;
    case 5:
        task->steps.items[0].lock++;
        break;
    case 6:
        task->lists.items[0]++;
        break;
    case 7:
        task->lists.items[1]++;
        break;
    case 8:
        task->steps.items[1].transaction = task->steps.items[0].transaction;
        break;
    case 9:
        task->last_block_step--;
        break;
    case 10:
        task->locks.items[0].holder = 2;
        break;
    case 11:
        for (size_t i = 0; i < task->locks.count; i++)
            task->locks.items[i].sharers.count = 0;
        break;
    default:
        task->block_thread++;
        break;
    }
}

static void test_every_field_counts(void **state)
{
    (void)state;
    ser_reuse *reuse = ser_reuse_create();
    ser_task *task = text_task(TEXT);
    ser_answer none = {.outcome = SER_NO_VIOLATION};
    ser_reuse_keep(reuse, task, &ser_search_states, &none);
    assert_true(knows(reuse, task));
    for (int field = 0; field < 13; field++) {
        ser_task *other = text_task(TEXT);
        change(other, field);
        if (knows(reuse, other))
            fail_msg("change %d makes no difference", field);
        ser_task_destroy(other);
    }
    ser_task_destroy(task);
    ser_reuse_destroy(reuse);
}

static void test_unknown_is_not_kept(void **state)
{
    (void)state;
    ser_reuse *reuse = ser_reuse_create();
    ser_task *task = text_task(TEXT);
    ser_answer unknown = {.outcome = SER_UNKNOWN, .reason = SER_REASON_TIME};
    ser_reuse_keep(reuse, task, &ser_search_states, &unknown);
    assert_false(knows(reuse, task));
    ser_task_destroy(task);
    ser_reuse_destroy(reuse);
    ser_reuse_destroy(NULL);
}

/* Keeps and finds the same random tasks as the other threads. NULL if all were found. */
static void *work(void *context)
{
    void *failed = NULL;
    static const random_sizes sizes = {.threads = 3, .steps = 6, .variables = 2};
    task_random random = {1};
    char text[RANDOM_TASK_LENGTH];
    for (int i = 0; i < 300; i++) {
        random_task_text(&random, &sizes, text);
        ser_task *task = text_task(text);
        ser_answer none = {.outcome = SER_NO_VIOLATION};
        if (!knows(context, task))
            ser_reuse_keep(context, task, &ser_search_states, &none);
        if (!knows(context, task))
            failed = context;
        ser_task_destroy(task);
    }
    return failed;
}

static void test_several_threads(void **state)
{
    (void)state;
    ser_reuse *reuse = ser_reuse_create();
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, reuse), 0);
    for (int i = 0; i < 3; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    ser_reuse_destroy(reuse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_shape),
        cmocka_unit_test(test_every_field_counts),
        cmocka_unit_test(test_unknown_is_not_kept),
        cmocka_unit_test(test_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
