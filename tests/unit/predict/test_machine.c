/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/task/machine.h"
#include "text_task.h"

typedef struct fixture {
    ser_task *task;
    ser_machine *machine;
} fixture;

static fixture start(const char *text)
{
    ser_task *task = text_task(text);
    return (fixture){task, ser_machine_create(task)};
}

static void finish(fixture *it)
{
    ser_machine_destroy(it->machine);
    ser_task_destroy(it->task);
}

/* Lets the threads named take one step each; a step may complete a violation only if
 * it is the last. */
static bool run(fixture *it, const char *threads)
{
    bool violated = false;
    for (; *threads; threads++) {
        uint32_t thread = (uint32_t)(*threads - '0');
        assert_false(violated);
        assert_true(ser_machine_enabled(it->machine, thread));
        violated = ser_machine_step(it->machine, thread);
    }
    return violated;
}

static void assert_blocked(fixture *it, uint32_t thread)
{
    assert_false(ser_machine_enabled(it->machine, thread));
}

static void assert_run(const char *text, const char *threads, bool violated, bool on_cycle)
{
    fixture it = start(text);
    assert_int_equal(run(&it, threads), violated);
    assert_int_equal(ser_machine_on_cycle(it.machine), on_cycle);
    finish(&it);
}

static void test_lost_update(void **state)
{
    (void)state;
    const char *text = "1( 1rx 1wx 1) 2wx";
    assert_run(text, "121", true, true);
    assert_run(text, "112", false, false);
    fixture it = start(text);
    assert_false(run(&it, "2"));
    assert_true(ser_machine_breaks(it.machine, 1));
    assert_false(run(&it, "1"));
    assert_true(it.machine->stopped[1]);
    assert_blocked(&it, 1);
    finish(&it);
}

static void test_reads_do_not_conflict(void **state)
{
    (void)state;
    assert_run("1( 1rx 1rx 1) 2rx", "121", false, false);
    assert_run("1( 1rx 1rx 1) 2wx", "121", true, true);
    assert_run("1( 1wx 1wx 1) 2rx", "121", true, true);
}

/* Out by x to thread 2, on by program order and y to thread 3, back by z. */
static void test_long_path(void **state)
{
    (void)state;
    assert_run("1( 1wx 1wz 1) 2rx 2wy 3wy 3rz", "122331", true, true);
    assert_run("1( 1wx 1wz 1) 2rx 2wy 3wy 3rz", "123231", false, false);
    assert_run("1( 1wx 1wz 1) 2rx 2wy 3wz", "12231", false, false);
}

static void test_broken_update_does_not_write(void **state)
{
    (void)state;
    fixture it = start("1( 1rx 1rx 1) 3wx 2ux");
    run(&it, "12");
    assert_true(it.machine->stopped[2]);
    assert_int_equal(it.machine->last_write['x' - 'a'], SER_TASK_START);
    assert_false(run(&it, "1"));
    finish(&it);
    assert_run("1( 1rx 1rx 1) 2ux", "121", true, true);
    assert_run("1( 1rx 1wx 1) 3wx 2ux", "121", false, false); /* two reads before */
    assert_run("1( 1wx 1wx 1) 3wx 2ux", "121", true, true);   /* it has read all the same */
}

static void test_locks(void **state)
{
    (void)state;
    fixture it = start("1am 1lm 2am 2lm");
    run(&it, "1");
    assert_blocked(&it, 2);
    run(&it, "12");
    assert_int_equal(it.machine->holder['m' - 'a'], 2);
    ser_machine_undo(it.machine);
    ser_machine_undo(it.machine);
    assert_int_equal(it.machine->holder['m' - 'a'], 1);
    assert_blocked(&it, 2);
    finish(&it);
}

static void test_stopped_thread_keeps_its_locks(void **state)
{
    (void)state;
    fixture it = start("1am 1rx 1lm 2am 3wx");
    run(&it, "131");
    assert_blocked(&it, 1);
    assert_blocked(&it, 2);
    finish(&it);
}

static void test_shared_locks(void **state)
{
    (void)state;
    fixture it = start("1sm 2sm 1em 2em 3am 3lm 1n 2n");
    run(&it, "12");
    assert_blocked(&it, 3);
    run(&it, "1");
    assert_blocked(&it, 3);
    run(&it, "23");
    finish(&it);
    it = start("3am 3lm 1sm 1em");
    run(&it, "3");
    assert_blocked(&it, 1);
    run(&it, "31");
    finish(&it);
    it = start("@2sm 1sm 1am 1lm 1em 2em"); /* from shared to exclusive */
    run(&it, "1");
    assert_blocked(&it, 1);
    run(&it, "21");
    finish(&it);
}

static void test_locks_held_at_the_start(void **state)
{
    (void)state;
    fixture it = start("@1am @2sk 1lm 2ek 3am 3ak");
    assert_blocked(&it, 3);
    run(&it, "13");
    assert_blocked(&it, 3);
    run(&it, "23");
    finish(&it);
}

static void assert_breaks(const char *text, const char *threads, uint32_t thread, bool breaks)
{
    fixture it = start(text);
    run(&it, threads);
    assert_int_equal(ser_machine_breaks(it.machine, thread), breaks);
    finish(&it);
}

static void test_failed_tries(void **state)
{
    (void)state;
    const char *text = "1am 2tm 1lm 1am 1lm";
    assert_breaks(text, "", 2, true);
    assert_breaks(text, "1", 2, false);
    assert_breaks(text, "11", 2, true);
    assert_breaks(text, "111", 2, true); /* held again, by another acquire */
    assert_breaks("@1am 2tm 1lm 1am", "", 2, false);
    assert_breaks("@1am 2tm 1lm 1am", "1", 2, true);
    assert_breaks("@1am 2tm 1lm 1am", "11", 2, true);
    assert_breaks("1sm 3sm 2tm 1em 3em", "1", 2, true);
    assert_breaks("1sm 3sm 2tm 1em 3em", "13", 2, false);
    assert_breaks("1sm 3sm 2tm 1em 3em", "131", 2, false);
    assert_breaks("@1sm 2tm 1em", "", 2, true); /* nobody held it exclusively */
    assert_breaks("1am 2tm? 1lm", "1", 2, true);
}

static void test_needs(void **state)
{
    (void)state;
    fixture it = start("1rx 2n<1 3wx");
    assert_blocked(&it, 2);
    run(&it, "12");
    finish(&it);
    it = start("1rx 2n<1 3wx");
    run(&it, "31"); /* the read is broken */
    assert_blocked(&it, 2);
    finish(&it);
}

static void test_clear(void **state)
{
    (void)state;
    fixture it = start("3n!2 1n 1n");
    run(&it, "1");
    assert_blocked(&it, 3);
    run(&it, "13");
    finish(&it);
    it = start("3n!2 1n");
    run(&it, "1");
    assert_blocked(&it, 3); /* nothing comes after it: it stays pending */
    finish(&it);
    it = start("1n!1");
    run(&it, "1"); /* it is not pending before it happens */
    finish(&it);
}

static void test_never(void **state)
{
    (void)state;
    assert_breaks("1rx?", "", 1, true);
}

/* Serializable by paths of accesses, but not with thread 2's block contracted. */
static void test_cycle_without_path(void **state)
{
    (void)state;
    const char *text = "2{ 2rx 1( 1wx 1wy 1) 2ry 2}";
    assert_run(text, "2112", false, true);
    assert_run("2rx 1( 1wx 1wy 1) 2ry", "2112", false, false);
    assert_run(text, "211", false, false);
    /* into the block by program order */
    assert_run("2{ 2rx 1wx 1( 1wy 1) 2ry 2}", "2112", false, true);
    /* out of it by program order */
    assert_run("2{ 2rx 1( 1wx 1) 1wy 2ry 2}", "2112", false, true);
    /* two other blocks that need more than one sweep */
    assert_run("3{ 3rx 2{ 2ry 1( 1wx 1wz 1) 2rz 2} 3wy 3}", "321123", false, true);
    assert_run("3{ 3wx 2{ 2wy 3ry 3} 1( 1rx 1wz 1) 2rz 2}", "323112", false, true);
}

typedef struct snapshot {
    uint32_t next[4], holder[26], sharers[26], last_write[26];
    uint32_t limit[4], spoiled;
    uint8_t marks[26];
    bool stopped[4], reached[4], changed[4], dirty[26];
} snapshot;

static snapshot take_snapshot(const fixture *it)
{
    snapshot shot;
    memset(&shot, 0, sizeof shot);
    const ser_machine *machine = it->machine;
    memcpy(shot.next, machine->next, it->task->threads.count * sizeof *shot.next);
    memcpy(shot.stopped, machine->stopped, it->task->threads.count * sizeof *shot.stopped);
    memcpy(shot.reached, machine->reached, it->task->threads.count * sizeof *shot.reached);
    memcpy(shot.limit, machine->limit, it->task->threads.count * sizeof *shot.limit);
    memcpy(shot.changed, machine->changed, it->task->threads.count * sizeof *shot.changed);
    memcpy(shot.dirty, machine->dirty, it->task->variables * sizeof *shot.dirty);
    shot.spoiled = machine->spoiled;
    memcpy(shot.holder, machine->holder, it->task->locks.count * sizeof *shot.holder);
    memcpy(shot.sharers, machine->sharers, it->task->locks.count * sizeof *shot.sharers);
    memcpy(shot.last_write, machine->last_write, it->task->variables * sizeof *shot.last_write);
    memcpy(shot.marks, machine->marks, it->task->variables);
    return shot;
}

/* In every run, taking a step back restores everything. */
static void walk(fixture *it)
{
    for (uint32_t thread = 0; thread < it->task->threads.count; thread++) {
        if (!ser_machine_enabled(it->machine, thread))
            continue;
        snapshot before = take_snapshot(it);
        ser_machine_step(it->machine, thread);
        walk(it);
        ser_machine_undo(it->machine);
        snapshot after = take_snapshot(it);
        assert_memory_equal(&before, &after, sizeof before);
    }
}

static void test_undo(void **state)
{
    (void)state;
    fixture changing = start("3wx 1( 1rx~- 1wy 1ux^~2 1) 2ry=@~$ 2wx 2ux^ 2wy& 3n/6");
    walk(&changing);
    finish(&changing);
    fixture it = start("@3sk 1am 1( 1rx 2ux 1wx 1) 1lm 2am 2tk 3ek 2lm 3ry 2wx");
    walk(&it);
    snapshot fresh = take_snapshot(&it);
    run(&it, "12");
    ser_machine_reset(it.machine);
    snapshot reset = take_snapshot(&it);
    assert_memory_equal(&fresh, &reset, sizeof fresh);
    assert_int_equal(it.machine->depth, 0);
    finish(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_update),
        cmocka_unit_test(test_reads_do_not_conflict),
        cmocka_unit_test(test_long_path),
        cmocka_unit_test(test_broken_update_does_not_write),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_stopped_thread_keeps_its_locks),
        cmocka_unit_test(test_shared_locks),
        cmocka_unit_test(test_locks_held_at_the_start),
        cmocka_unit_test(test_failed_tries),
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_cycle_without_path),
        cmocka_unit_test(test_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
