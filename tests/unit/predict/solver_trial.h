/* SPDX-License-Identifier: MIT */
/*
 * solver_trial.h - the engine smt on one task, with checks of what must hold whatever its solver
 * does; and a task that is too hard for it.
 */
#ifndef SER_TESTS_UNIT_PREDICT_SOLVER_TRIAL_H
#define SER_TESTS_UNIT_PREDICT_SOLVER_TRIAL_H

#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>

#include "predict/search.h"
#include "random_task.h"
#include "task_definition.h"

static inline unsigned count_open_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Runs the engine; checks what must hold whatever the solver does. */
static inline ser_answer run(const ser_task *task, const ser_search_options *options)
{
    ser_answer answer;
    unsigned open_files = count_open_files();
    ser_search_smt.run(task, options, &answer);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child, no zombie */
    assert_int_equal(errno, ECHILD);
    assert_int_equal(count_open_files(), open_files);
    if (answer.outcome == SER_VIOLATED)
        assert_true(
            task_order_violates(task, answer.order.items, answer.order.count, options->criterion));
    return answer;
}

static inline ser_answer run_text(const char *text, const ser_search_options *options)
{
    ser_task *task = text_task(text);
    ser_answer answer = run(task, options);
    ser_task_destroy(task);
    ser_vector_free(&answer.order);
    return answer;
}

/* Threads that write three variables over and over, and read what was there at the
 * start: too many orders to be decided soon. The first thread is the block. */
static inline ser_task *hard_task(uint32_t threads, uint32_t steps)
{
    ser_task *task = ser_alloc(1, sizeof *task);
    task->variables = 3;
    for (uint32_t i = 0; i < threads * steps; i++) {
        uint32_t thread = i / steps;
        if (i % steps == 0)
            ser_vector_push(&task->threads, ((ser_task_thread){i, steps}));
        ser_vector_push(&task->steps,
                        ((ser_task_step){.event = i + 1,
                                         .thread = thread,
                                         .variable = (i % steps + thread) % 3,
                                         .lock = SER_TASK_NONE,
                                         .source = SER_TASK_START,
                                         .limit = i + 1,
                                         .ends = SER_TASK_NONE,
                                         .access = i % 2 ? SER_ACCESS_WRITE : SER_ACCESS_RMW,
                                         .in_block = thread == 0,
                                         .transaction = thread == 0 ? 0 : i + 1}));
    }
    task->last_block_step = steps - 1;
    return task;
}

#endif
