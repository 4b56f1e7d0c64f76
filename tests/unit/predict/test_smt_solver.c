/* SPDX-License-Identifier: MIT */
/*
 * Solvers as child processes, good ones and bad ones; limits on time and memory; the
 * formulas that are kept. As good solver serves this program itself: called with
 * --solve it reads SMT-LIB 2 from its input, line by line, and lets Z3 answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <z3.h>

#include "base/output/log.h"
#include "solver_trial.h"

static const char VIOLATED[] = "1( 1rx 1wx 1) 2wx", NONE[] = "1( 1am 1rx 1wx 1lm 1) 2am 2wx 2lm";
static char itself[4096 + 16]; /* the command that runs this program as solver */

/* Seconds that nothing may take, however busy the machine; solvers that hang do so for longer. */
enum { LONG = 60 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void expect_outcome(const char *text, const char *command, ser_outcome expected)
{
    for (int bits = 0; bits < 2; bits++) {
        ser_search_options options = {.solver_command = command, .smt_bits = bits};
        assert_int_equal(run_text(text, &options).outcome, expected);
        options.criterion = SER_CRITERION_SERIALIZABILITY;
        assert_int_equal(run_text(text, &options).outcome, expected);
    }
}

static void test_good_solver(void **state)
{
    (void)state;
    expect_outcome(VIOLATED, itself, SER_VIOLATED);
    expect_outcome(NONE, itself, SER_NO_VIOLATION);
}

/* The text says the same as what Z3 gets in process. */
static void test_text_and_library_agree(void **state)
{
    (void)state;
    static const random_sizes sizes = {4, 20, 3, 2, 25, 15, 5, 5, 2, 0, 0};
    static const random_sizes changing = {3, 14, 3, 1, 15, 25, 5, 0, 5, 20, 60};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        char text[RANDOM_TASK_LENGTH];
        task_random random = {seed};
        random_task_text(&random, seed <= 20 ? &sizes : &changing, text);
        ser_search_options options = {.smt_bits = seed % 2,
                                      .criterion = (ser_criterion)(seed / 2 % 2)};
        ser_answer library = run_text(text, &options);
        options.solver_command = itself;
        ser_answer child = run_text(text, &options);
        assert_int_equal(child.outcome, library.outcome);
        assert_int_equal(child.constraints, library.constraints);
    }
}

/* Real ones, where they are installed. */
static void test_installed_solvers(void **state)
{
    (void)state;
    static const char *const commands[] = {"z3 -in -smt2", "cvc5 --lang=smt2 --produce-models",
                                           "yices-smt2 --incremental"};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char probe[128];
        snprintf(probe, sizeof probe, "command -v %.*s >/dev/null 2>&1",
                 (int)strcspn(commands[i], " "), commands[i]);
        if (system(probe) != 0)
            continue;
        found++;
        expect_outcome(VIOLATED, commands[i], SER_VIOLATED);
        expect_outcome(NONE, commands[i], SER_NO_VIOLATION);
    }
    if (!found)
        skip();
}

static void expect_unknown(const char *text, const char *command, ser_reason reason)
{
    ser_search_options options = {.solver_command = command, .deadline = now() + 20};
    double start = now();
    ser_answer answer = run_text(text, &options);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, reason);
    assert_true(now() - start < 10);
}

static void test_solvers_that_fail(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "echo '(error \"no such command\")'; echo unsat",
        "read line; echo unsat; echo '(error \"a line was refused\")'",
        "echo unsat\\(error",
        "echo 'unsat (error \"\")'",
        "echo '(error' >&2; echo unsat",
        "read line; echo unknown",
        "echo timeout",
        "echo sat",
        "echo sat; echo '((h0 true)'",
        "echo sat; cat",
        "echo sat; echo '((x0 true) (x1 #z))'",
        "echo what is this",
        "printf unsat",
        "true",
        "exit 3",
        "kill -9 $$",
        "kill -9 0",
        "exec <&-; sleep 0.1",
        "/nonexistent/solver --fast",
        "yes",
        "'unbalanced",
        "",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_unknown(VIOLATED, commands[i], SER_REASON_SOLVER);
}

/* It must answer when it has read the question, not when its input ends. */
static void test_solver_that_reads_on(void **state)
{
    (void)state;
    ser_search_options options = {.solver_command = "cat >/dev/null; echo unsat",
                                  .deadline = now() + 0.2};
    assert_int_equal(run_text(VIOLATED, &options).reason, SER_REASON_TIME);
}

/* More than a pipe holds is written to a solver that does not read, or has gone. */
static void test_long_formula_nobody_reads(void **state)
{
    (void)state;
    char text[4096], *end = text;
    for (int i = 0; i < 25; i++)
        end += sprintf(end, i % 12 == 0 ? "%d( %dwx %dwx " : "2wx 3wx ", 1, 1, 1);
    expect_unknown(text, "true", SER_REASON_SOLVER);
    expect_unknown(text, "read line; exit 1", SER_REASON_SOLVER);
    expect_unknown(text, "exec <&-; sleep 0.2", SER_REASON_SOLVER);
    ser_search_options options = {.solver_command = "sleep 1000", .deadline = now() + 0.2};
    assert_int_equal(run_text(text, &options).reason, SER_REASON_TIME);
    options = (ser_search_options){.solver_command = "yes '(error'"};
    assert_int_equal(run_text(text, &options).reason, SER_REASON_SOLVER);
    /* A handler of ours for SIGPIPE must not have been needed. */
    struct sigaction action;
    sigaction(SIGPIPE, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
}

/* A zombie does not run; it waits for its new parent to collect it. */
static bool is_running(long process)
{
    char path[64], status[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool runs = fgets(status, sizeof status, file) && !strstr(status, ") Z ");
    fclose(file);
    return runs;
}

/* Whatever the solver started goes with it. */
static void test_hanging_solver_is_killed(void **state)
{
    (void)state;
    char path[] = "/tmp/test_smt_XXXXXX", command[128];
    close(mkstemp(path));
    snprintf(command, sizeof command, "sleep 1000 & echo $! >%s; wait", path);
    long process = 0;
    for (double time = 0.3; process == 0 && time < 60;
         time *= 2) { /* until it had enough to start */
        ser_search_options options = {.solver_command = command, .deadline = now() + time};
        double start = now();
        ser_answer answer = run_text(VIOLATED, &options);
        assert_int_equal(answer.outcome, SER_UNKNOWN);
        assert_int_equal(answer.reason, SER_REASON_TIME);
        assert_true(now() - start < time + LONG);
        FILE *file = fopen(path, "r");
        assert_true(fscanf(file, "%ld", &process) == 1 || process == 0);
        fclose(file);
    }
    unlink(path);
    assert_true(process > 0);
    double start = now();
    while (is_running(process) && now() - start < LONG)
        usleep(10000);
    assert_false(is_running(process));
}

static void *raise_flag(void *flag)
{
    usleep(100000);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void expect_interrupted(const ser_task *task, const char *command)
{
    atomic_bool flag = false;
    pthread_t thread;
    ser_search_options options = {.stop = &flag, .solver_command = command};
    pthread_create(&thread, NULL, raise_flag, &flag);
    double start = now();
    ser_answer answer = run(task, &options);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, SER_REASON_INTERRUPTED);
    assert_true(now() - start < LONG);
    pthread_join(thread, NULL);
}

static void test_stop(void **state)
{
    (void)state;
    ser_task *task = hard_task(8, 24);
    expect_interrupted(task, NULL);
    expect_interrupted(task, "sleep 1000");
    expect_interrupted(task, itself);
    ser_task_destroy(task);
}

static void ignore_signal(int number)
{
    (void)number;
}

typedef struct handler_watch {
    atomic_bool ended;
    unsigned foreign; /* how often SIGINT had another handler */
} handler_watch;

static void *watch_handler(void *context)
{
    handler_watch *watch = context;
    while (!atomic_load(&watch->ended)) {
        struct sigaction action;
        sigaction(SIGINT, NULL, &action);
        watch->foreign += action.sa_handler != ignore_signal;
        usleep(1000);
    }
    return NULL;
}

/* Ctrl-C while Z3 works goes to the program's handler, and not to Z3's. */
static void test_interrupts_are_left_alone(void **state)
{
    (void)state;
    struct sigaction ours = {.sa_handler = ignore_signal}, before;
    sigaction(SIGINT, &ours, &before);
    handler_watch watch = {.foreign = 0};
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch_handler, &watch);
    ser_task *task = hard_task(6, 18); /* soon a formula, and hard to solve */
    ser_search_options options = {.deadline = now() + 1};
    ser_answer answer = run(task, &options);
    ser_vector_free(&answer.order);
    ser_task_destroy(task);
    atomic_store(&watch.ended, true);
    pthread_join(watcher, NULL);
    sigaction(SIGINT, &before, NULL);
    assert_int_equal(watch.foreign, 0);
}

static void test_limits(void **state)
{
    (void)state;
    ser_task *task = hard_task(8, 24);
    ser_search_options options = {.deadline = now() + 0.3};
    double start = now();
    ser_answer answer = run(task, &options);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, SER_REASON_TIME);
    assert_true(now() - start < LONG);
    options = (ser_search_options){.deadline = now() - 1};
    assert_int_equal(run(task, &options).reason, SER_REASON_TIME);
    options = (ser_search_options){.memory = 1 << 16, .deadline = now() + 20};
    assert_int_equal(run(task, &options).reason, SER_REASON_MEMORY);
    options = (ser_search_options){.memory = 1 << 23, .deadline = now() + 20};
    assert_int_equal(run(task, &options).reason, SER_REASON_MEMORY);
    ser_task_destroy(task);
}

static void test_dump(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_smt_XXXXXX", path[64], text[65536] = "";
    assert_non_null(mkdtemp(folder));
    strcat(strcpy(path, folder), "/formulas");
    ser_search_options options = {.dump = path};
    assert_int_equal(run_text(VIOLATED, &options).outcome, SER_VIOLATED);
    strcat(path, "/block-1.smt2");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "(set-logic QF_IDL)"));
    assert_non_null(strstr(text, "(check-sat)"));
    unlink(path);
    *strrchr(path, '/') = '\0';
    assert_int_equal(rmdir(path), 0); /* nothing else is in it */
    assert_int_equal(rmdir(folder), 0);
    /* A folder that cannot be had costs the formula, not the answer. */
    options.dump = "/proc/nowhere";
    assert_int_equal(run_text(VIOLATED, &options).outcome, SER_VIOLATED);
}

static void *solve_in_thread(void *unused)
{
    (void)unused;
    static const random_sizes sizes = {3, 9, 2, 1, 25, 15, 5, 5, 2, 20, 0};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        char text[RANDOM_TASK_LENGTH];
        task_random random = {seed};
        random_task_text(&random, &sizes, text);
        ser_task *task = text_task(text);
        ser_search_options options = {.solver_command = seed % 2 ? itself : NULL,
                                      .deadline = now() + 60};
        ser_answer answer;
        ser_search_smt.run(task, &options, &answer);
        task_run run_of_task;
        task_run_init(&run_of_task, task);
        bool violated = task_run_can_violate(&run_of_task, SER_CRITERION_PATH);
        assert_int_equal(answer.outcome, violated ? SER_VIOLATED : SER_NO_VIOLATION);
        ser_answer_fini(&answer);
        ser_task_destroy(task);
    }
    return NULL;
}

static void test_many_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, solve_in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* This program as a solver. */
static int serve(void)
{
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    Z3_del_config(config);
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        fputs(Z3_eval_smtlib2_string(context, line), stdout);
        fflush(stdout);
    }
    free(line);
    Z3_del_context(context);
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "--solve") == 0)
        return serve();
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return 1;
    snprintf(itself, sizeof itself, "'%.*s' --solve", (int)length, path);
    ser_log_set_quiet(true);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_solver),
        cmocka_unit_test(test_text_and_library_agree),
        cmocka_unit_test(test_installed_solvers),
        cmocka_unit_test(test_solvers_that_fail),
        cmocka_unit_test(test_solver_that_reads_on),
        cmocka_unit_test(test_long_formula_nobody_reads),
        cmocka_unit_test(test_hanging_solver_is_killed),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_interrupts_are_left_alone),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_dump),
        cmocka_unit_test(test_many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
