/* SPDX-License-Identifier: MIT */
/* Prediction and recording through the library's interface; what needs an instrumented program
 * is tested with examples/library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <seriatim/seriatim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* T2's write can come between the first two events of T1's block. */
static const char deposits[] = "T1|begin|a.c:1\n"
                               "T1|r(x)|a.c:2\n"
                               "T1|w(x)|a.c:3\n"
                               "T1|end|a.c:4\n"
                               "T2|begin|a.c:8\n"
                               "T2|w(x)|a.c:9\n"
                               "T2|end|a.c:10\n";

static char path[64], message[256];

static seriatim_run *load(void)
{
    strcpy(path, "/tmp/seriatim-api-XXXXXX");
    int fd = mkstemp(path);
    assert_int_equal(write(fd, deposits, strlen(deposits)), strlen(deposits));
    close(fd);
    seriatim_run *run = seriatim_run_load(path, NULL, message, sizeof message);
    assert_non_null(run);
    assert_string_equal(message, "");
    unlink(path);
    return run;
}

static void a_violation_is_predicted(void **state)
{
    (void)state;
    seriatim_run *run = load();
    seriatim_prediction *prediction;
    seriatim_block block = {.size = sizeof block};
    assert_int_equal(seriatim_run_events(run), 7);
    assert_int_equal(seriatim_run_blocks(run), 2);
    assert_int_equal(seriatim_predict(run, NULL, &prediction, message, sizeof message),
                     SERIATIM_VIOLATION);
    assert_string_equal(message, "");
    assert_int_equal(seriatim_prediction_count(prediction), 2);
    assert_int_equal(seriatim_prediction_block(prediction, 0, &block), SERIATIM_OK);
    assert_int_equal(block.size, sizeof block);
    assert_int_equal(block.verdict, SERIATIM_BLOCK_VIOLATED);
    assert_int_equal(block.first, 1);
    assert_int_equal(block.last, 4);
    assert_string_equal(block.thread, "T1");
    assert_string_equal(block.location, "a.c:1");
    assert_true(block.order_length >= 4);
    assert_int_equal(seriatim_prediction_block(prediction, 1, &block), SERIATIM_OK);
    assert_true(block.verdict == SERIATIM_BLOCK_STATIC || block.verdict == SERIATIM_BLOCK_NONE);
    assert_int_equal(block.order_length, 0);
    assert_int_equal(seriatim_prediction_block(prediction, 2, &block), SERIATIM_USAGE);
    seriatim_prediction_destroy(prediction);
    seriatim_run_destroy(run);
}

static void one_block_and_one_engine_can_be_chosen(void **state)
{
    (void)state;
    seriatim_run *run = load();
    seriatim_prediction *prediction;
    seriatim_predict_options options = {.size = sizeof options, .engine = "states", .block = 5};
    assert_int_equal(seriatim_predict(run, &options, &prediction, NULL, 0), SERIATIM_OK);
    assert_int_equal(seriatim_prediction_count(prediction), 1);
    seriatim_prediction_destroy(prediction);
    options.block = 2;
    assert_int_equal(seriatim_predict(run, &options, &prediction, message, sizeof message),
                     SERIATIM_USAGE);
    assert_null(prediction);
    assert_non_null(strstr(message, "block"));
    options.engine = "oracle";
    assert_int_equal(seriatim_predict(run, &options, &prediction, message, sizeof message),
                     SERIATIM_USAGE);
    assert_string_equal(message, "there is no engine oracle");
    seriatim_run_destroy(run);
}

/* A program that was built when the structures had fewer fields, and one from the future. */
static void structures_of_other_sizes_are_understood(void **state)
{
    (void)state;
    seriatim_run *run = load();
    seriatim_prediction *prediction;
    struct {
        seriatim_predict_options options;
        uint64_t later;
    } larger = {.options = {.size = sizeof larger}, .later = 77};
    assert_int_equal(seriatim_predict(run, &larger.options, &prediction, NULL, 0),
                     SERIATIM_VIOLATION);
    seriatim_block block = {.size = offsetof(seriatim_block, thread), .thread = "untouched"};
    assert_int_equal(seriatim_prediction_block(prediction, 0, &block), SERIATIM_OK);
    assert_int_equal(block.last, 4);
    assert_string_equal(block.thread, "untouched");
    seriatim_prediction_destroy(prediction);
    seriatim_predict_options smaller = {.size = offsetof(seriatim_predict_options, block),
                                        .block = 5};
    assert_int_equal(seriatim_predict(run, &smaller, &prediction, NULL, 0), SERIATIM_VIOLATION);
    seriatim_prediction_destroy(prediction);
    seriatim_run_destroy(run);
}

static void a_schedule_can_be_saved(void **state)
{
    (void)state;
    seriatim_run *run = load();
    seriatim_prediction *prediction;
    char schedule[80], line[80];
    assert_int_equal(seriatim_predict(run, NULL, &prediction, NULL, 0), SERIATIM_VIOLATION);
    snprintf(schedule, sizeof schedule, "%s.schedule", path);
    assert_int_equal(seriatim_prediction_save(prediction, 0, schedule, message, sizeof message),
                     SERIATIM_OK);
    FILE *file = fopen(schedule, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "schedule"));
    fclose(file);
    unlink(schedule);
    assert_int_equal(seriatim_prediction_save(prediction, 1, schedule, message, sizeof message),
                     SERIATIM_USAGE);
    assert_string_equal(message, "block 1 of the prediction is not violated");
    seriatim_prediction_destroy(prediction);
    seriatim_run_destroy(run);
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    seriatim_run *run = load();
    seriatim_prediction *prediction;
    seriatim_recorded recorded = {.size = sizeof recorded};
    seriatim_replayed replayed = {.size = sizeof replayed};
    char *command[] = {"/nowhere/at/all", NULL};
    seriatim_record_options record = {.size = sizeof record, .command = command};
    seriatim_replay_options replay = {.size = sizeof replay, .command = command, .trace = "t"};
    assert_int_equal(seriatim_record(&record, &recorded, message, sizeof message), SERIATIM_USAGE);
    assert_string_equal(message, "command and trace must be set");
    record.trace = path;
    record.settings = "nonsense=1";
    assert_int_equal(seriatim_record(&record, &recorded, message, sizeof message), SERIATIM_USAGE);
    assert_non_null(strstr(message, "nonsense"));
    record.settings = NULL;
    assert_int_equal(seriatim_record(&record, &recorded, message, sizeof message),
                     SERIATIM_PROGRAM_NOT_FOUND);
    assert_non_null(strstr(message, "/nowhere/at/all"));
    assert_int_equal(seriatim_predict(run, NULL, &prediction, NULL, 0), SERIATIM_VIOLATION);
    assert_int_equal(seriatim_replay(prediction, 1, &replay, &replayed, message, sizeof message),
                     SERIATIM_USAGE);
    replay.command = NULL;
    assert_int_equal(seriatim_replay(prediction, 0, &replay, &replayed, message, sizeof message),
                     SERIATIM_USAGE);
    assert_null(seriatim_run_load("/nowhere", NULL, message, sizeof message));
    assert_non_null(strstr(message, "/nowhere"));
    seriatim_prediction_destroy(prediction);
    seriatim_run_destroy(run);
}

/* The header says which version it is of; the library must be of the same. */
static void header_and_library_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SERIATIM_VERSION_MAJOR, SERIATIM_VERSION_MINOR,
             SERIATIM_VERSION_PATCH);
    assert_string_equal(seriatim_version(), text);
    assert_int_equal(seriatim_version_number(), SERIATIM_VERSION_NUMBER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_is_predicted),
        cmocka_unit_test(one_block_and_one_engine_can_be_chosen),
        cmocka_unit_test(structures_of_other_sizes_are_understood),
        cmocka_unit_test(a_schedule_can_be_saved),
        cmocka_unit_test(wrong_use_is_refused),
        cmocka_unit_test(header_and_library_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
