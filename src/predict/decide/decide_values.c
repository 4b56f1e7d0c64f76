/* SPDX-License-Identifier: MIT */
/*
 * What the bounds of a model let happen, and the checker refused: the same question with values
 * (values/task_values.h). First in the segment, where a violation is one in the whole run, too.
 * That nothing is violated has to be shown in the whole run: the values that steps above a segment
 * have in other interleavings are not part of it.
 */
#include "base/clock.h"
#include "predict/decide/decision.h"
#include "predict/task/build.h"
#include "predict/values/task_values.h"

/* Small tasks are decided by states within a moment; the solver is for those with many. Once all
 * blocks together have taken long, a block may only take a moment. */
static const double MOST_SECONDS_OF_STATES = 2, MOST_SECONDS_OF_SOLVER = 5, A_MOMENT = 0.1;
static const uint64_t LONG_MICROSECONDS = 30000000;
static const double MICROSECONDS = 1e6;

enum { LARGEST_FORMULA = 4000 }; /* steps of a task for the solver */

enum { LARGEST_RUN = 40000 }; /* that is searched as a whole */

static ser_search_options options_of(const ser_decision *all, double seconds)
{
    ser_search_options options = all->options->search;
    bool is_long = atomic_load(&all->shared->value_microseconds) > LONG_MICROSECONDS;
    double end = ser_clock_work() + (is_long ? A_MOMENT : seconds);
    options.stop = all->limits.stop;
    options.deadline = all->limits.deadline;
    if (options.deadline <= 0 || end < options.deadline)
        options.deadline = end;
    return options;
}

static bool is_over(const ser_decision *all)
{
    return (all->limits.stop && atomic_load(all->limits.stop)) ||
           (all->limits.deadline > 0 && ser_clock_work() >= all->limits.deadline);
}

void ser_decision_ask_values(ser_decision *all, ser_task *task, const ser_segment *segment,
                             const ser_search_triple *triple, ser_answer *answer)
{
    ser_search_options options = options_of(all, MOST_SECONDS_OF_STATES);
    ser_task_values *values = ser_task_values_create(task, segment, ser_stage_code(all->stage));
    double start = ser_clock_work();
    bool proves = true;
    if (triple) {
        options.criterion = SER_CRITERION_TRIPLE;
        options.triple = *triple;
    }
    task->values = values;
    ser_search_states.run(task, &options, answer);
    if (answer->outcome == SER_UNKNOWN && !is_over(all) && task->steps.count <= LARGEST_FORMULA) {
        uint64_t explored = answer->explored;
        ser_search_options further = options_of(all, MOST_SECONDS_OF_SOLVER);
        further.criterion = options.criterion;
        further.triple = options.triple;
        ser_search_smt.run(task, &further, answer);
        proves = !values->is_mixed;
        answer->explored += explored;
    }
    proves = proves && !values->is_partial;
    if (answer->outcome == SER_NO_VIOLATION && !proves) {
        answer->outcome = SER_UNKNOWN;
        answer->reason = SER_REASON_VALUES;
    }
    task->values = NULL;
    ser_task_values_destroy(values);
    atomic_fetch_add(&all->shared->value_microseconds,
                     (uint_fast64_t)((ser_clock_work() - start) * MICROSECONDS));
}

/* An answer for the whole run. */
static void search_run(ser_decision *all, ser_block_result *result)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_segment *whole = ser_segment_whole(all->run);
    ser_task *task =
        ser_task_build(all->run, all->stage->survey.index, result->block, whole, &all->meter);
    if (task) {
        ser_decision_ask_values(all, task, whole, NULL, &answer);
        result->explored += answer.explored;
        if (answer.outcome == SER_NO_VIOLATION)
            result->verdict = SER_VERDICT_NONE;
        if (answer.outcome == SER_VIOLATED)
            ser_decision_take_order(all, result, whole, task, &answer);
    }
    ser_answer_fini(&answer);
    ser_task_destroy(task);
    ser_segment_destroy(whole);
}

void ser_decision_search_values(ser_decision *all, ser_block_result *result, ser_task *task,
                                const ser_segment *segment)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    bool is_whole = task->steps.count == all->run->count;
    ser_decision_ask_values(all, task, segment, NULL, &answer);
    result->explored += answer.explored;
    result->engine = ser_search_states.name;
    if (answer.outcome == SER_VIOLATED)
        ser_decision_take_order(all, result, segment, task, &answer);
    else if (answer.outcome == SER_NO_VIOLATION && is_whole)
        result->verdict = SER_VERDICT_NONE;
    else if (answer.outcome == SER_NO_VIOLATION && !all->only_finds &&
             all->run->count <= LARGEST_RUN)
        search_run(all, result);
    if (result->verdict != SER_VERDICT_UNKNOWN)
        result->reason = SER_REASON_NONE;
    ser_answer_fini(&answer);
}
