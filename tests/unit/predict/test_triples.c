/* SPDX-License-Identifier: MIT */
/* Three accesses in a given order: both engines that decide that, on random tasks against all their
 * runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/saturation/saturation.h"
#include "predict/search.h"
#include "random_task.h"
#include "task_definition.h"

typedef struct tally {
    uint32_t asked, real, open;
} tally;

/* Did the three happen in that order, and do both neighbours conflict? */
static bool has_triple(const task_run *run, const ser_search_triple *triple)
{
    const uint32_t wanted[] = {triple->from, triple->remote, triple->to};
    uint32_t found = 0;
    for (uint32_t i = 0; i < run->count && found < 3; i++)
        found += run->order[i] == wanted[found];
    return found == 3 && (task_run_writes(run, triple->remote) ||
                          (task_run_writes(run, triple->from) && task_run_writes(run, triple->to)));
}

static bool can_have_triple(const task_run *run, const ser_search_triple *triple)
{
    bool found = has_triple(run, triple);
    for (uint32_t t = 0; t < run->task->threads.count && !found; t++) {
        if (!task_run_may_step(run, t))
            continue;
        task_run next = *run;
        task_run_step(&next, t);
        found = can_have_triple(&next, triple);
    }
    return found;
}

static bool shows_triple(const ser_task *task, const ser_answer *answer,
                         const ser_search_triple *triple)
{
    task_run run;
    task_run_init(&run, task);
    while (run.count < answer->order.count) {
        uint32_t thread = task->steps.items[answer->order.items[run.count]].thread;
        if (!task_run_may_step(&run, thread))
            return false;
        task_run_step(&run, thread);
    }
    return has_triple(&run, triple);
}

static ser_outcome ask(const ser_search_engine *engine, const ser_task *task,
                       const ser_search_triple *triple, const char *text)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    const ser_search_options options = {
        .switches = UINT32_MAX, .criterion = SER_CRITERION_TRIPLE, .triple = *triple};
    engine->run(task, &options, &answer);
    if (answer.outcome == SER_VIOLATED && !shows_triple(task, &answer, triple))
        fail_msg("%s: no witness for %u %u %u by %s", text, triple->from, triple->remote,
                 triple->to, engine->name);
    ser_outcome outcome = answer.outcome;
    ser_answer_fini(&answer);
    return outcome;
}

static void decide_triple(const ser_task *task, const ser_search_triple *triple, const char *text,
                          tally *sum)
{
    task_run run;
    task_run_init(&run, task);
    ser_outcome right = can_have_triple(&run, triple) ? SER_VIOLATED : SER_NO_VIOLATION;
    ser_outcome forced = ask(&ser_search_saturation, task, triple, text);
    ser_outcome solved = ask(&ser_search_smt, task, triple, text);
    if (solved != right || (forced != SER_UNKNOWN && forced != right))
        fail_msg("%s: %u %u %u: right %d, saturation %d, smt %d", text, triple->from,
                 triple->remote, triple->to, (int)right, (int)forced, (int)solved);
    sum->asked++;
    sum->real += right == SER_VIOLATED;
    sum->open += forced == SER_UNKNOWN;
}

static bool is_potential(const ser_task *task, const ser_search_triple *triple)
{
    const ser_task_step *from = &task->steps.items[triple->from];
    const ser_task_step *remote = &task->steps.items[triple->remote];
    const ser_task_step *to = &task->steps.items[triple->to];
    return from->in_block && to->in_block && from->access && remote->access && to->access &&
           remote->thread != from->thread && from->variable == remote->variable &&
           to->variable == remote->variable &&
           (remote->access != SER_ACCESS_READ ||
            (from->access != SER_ACCESS_READ && to->access != SER_ACCESS_READ));
}

static void decide_task(const char *text, tally *sum)
{
    ser_task *task = text_task(text);
    uint32_t count = (uint32_t)task->steps.count;
    for (uint32_t from = 0; from < count; from++)
        for (uint32_t to = from + 1; to < count; to++)
            for (uint32_t remote = 0; remote < count; remote++) {
                const ser_search_triple triple = {from, remote, to};
                if (is_potential(task, &triple))
                    decide_triple(task, &triple, text, sum);
            }
    ser_task_destroy(task);
}

static void test_random(void **state)
{
    (void)state;
    static const random_sizes kinds[] = {
        {.threads = 3,
         .steps = 9,
         .variables = 2,
         .locks = 1,
         .lock_percent = 30,
         .rmw_percent = 20},
        {.threads = 2, .steps = 10, .variables = 2, .need_percent = 10, .join_percent = 20},
        {.threads = 3,
         .steps = 9,
         .variables = 2,
         .locks = 1,
         .lock_percent = 20,
         .rmw_percent = 20,
         .change_percent = 40},
        {.threads = 3, .steps = 8, .variables = 1, .change_percent = 70, .join_percent = 10},
    };
    const char *tasks = getenv("SER_TEST_TASKS");
    uint32_t count = tasks ? (uint32_t)strtoul(tasks, NULL, 10) : 50;
    tally sum = {0};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        task_random random = {1000 + kind};
        for (uint32_t i = 0; i < count; i++) {
            char text[RANDOM_TASK_LENGTH];
            random_task_text(&random, &kinds[kind], text);
            decide_task(text, &sum);
        }
    }
    print_message("%u triples, %u real, %u left open by saturation\n", sum.asked, sum.real,
                  sum.open);
    assert_in_range(sum.real, sum.asked / 20, sum.asked);
    assert_in_range(sum.open, 0, sum.asked / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
