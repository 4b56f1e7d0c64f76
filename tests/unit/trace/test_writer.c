/* SPDX-License-Identifier: MIT */
/* Files appear complete or not at all, whatever goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/io/output.h"
#include "trace/writer.h"

enum { MANY = 200000 }; /* events that fill more than one buffer */

static char folder[] = "/tmp/seriatim-test-XXXXXX";
static char path[64];
static ser_symbols *symbols;

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void expect_content(const char *expected)
{
    char content[200] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(content, 1, sizeof content - 1, file) > 0 || !*expected);
    fclose(file);
    assert_string_equal(content, expected);
}

static void make_file(const char *content)
{
    FILE *file = fopen(path, "wb");
    fputs(content, file);
    fclose(file);
}

/* Writes `count` events; stops at the first failure, as every caller does. */
static ser_status write_events(const char *to, size_t count, ser_error *error)
{
    ser_event event = {.op = SER_OP_WRITE, .site = SER_NO_SITE};
    ser_writer *writer;
    ser_status status = ser_writer_open(&writer, to, SER_WRITE_TEXT, symbols, error);
    for (size_t i = 0; i < count && status == SER_OK; i++)
        status = ser_writer_put(writer, &event, 1, error);
    if (status == SER_OK)
        status = ser_writer_finish(writer, error);
    ser_writer_close(writer);
    return status;
}

static void test_finished_file(void **state)
{
    (void)state;
    ser_error error;
    struct stat about;
    mode_t mask = umask(027);
    assert_int_equal(write_events(path, 2, &error), SER_OK);
    umask(mask);
    expect_content("T|w(x)|\nT|w(x)|\n");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(write_events(path, 0, &error), SER_OK);
    expect_content("# a trace without events\n");
    assert_int_equal(files_in_folder(), 1);
}

static void test_file_appears_only_when_finished(void **state)
{
    (void)state;
    ser_error error;
    ser_event event = {.op = SER_OP_WRITE, .site = SER_NO_SITE};
    ser_writer *writer;
    assert_int_equal(ser_writer_open(&writer, path, SER_WRITE_TEXT, symbols, &error), SER_OK);
    assert_int_equal(ser_writer_put(writer, &event, 1, &error), SER_OK);
    assert_int_equal(access(path, F_OK), -1);
    ser_writer_close(writer);
    assert_int_equal(files_in_folder(), 0);
}

static void test_link_stays_a_link(void **state)
{
    (void)state;
    ser_error error;
    struct stat about;
    char target[80];
    snprintf(target, sizeof target, "%s-target", path);
    fclose(fopen(target, "wb"));
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(write_events(path, 1, &error), SER_OK);
    expect_content("T|w(x)|\n");
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    unlink(target);
}

static void expect_failure(const char *to, size_t count, const char *reason)
{
    ser_error error;
    assert_int_equal(write_events(to, count, &error), SER_INPUT);
    assert_non_null(strstr(error.text, to));
    assert_non_null(strstr(error.text, reason));
}

static void test_cannot_open(void **state)
{
    (void)state;
    expect_failure(folder, 1, "Is a directory");
    expect_failure("/nonexistent-folder/trace", 1, "No such file or directory");
}

static void test_devices_are_written_directly(void **state)
{
    (void)state;
    ser_error error;
    struct stat about;
    assert_int_equal(write_events("/dev/null", MANY, &error), SER_OK);
    expect_failure("/dev/full", 1, "No space left on device");
    expect_failure("/dev/full", MANY, "No space left on device");
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

/* A limit on the size of files stands for a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    struct rlimit old, small;
    make_file("what was there before");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){4096, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    expect_failure(path, MANY, "File too large");
    expect_failure(path, 1000, "File too large");
    setrlimit(RLIMIT_FSIZE, &old);
    expect_content("what was there before");
    assert_int_equal(files_in_folder(), 1);
}

static void test_closed_pipe(void **state)
{
    (void)state;
    int ends[2];
    ser_error error;
    signal(SIGPIPE, SIG_IGN);
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    ser_status status = write_events("-", 1, &error);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_int_equal(status, SER_INPUT);
    assert_string_equal(error.text, "cannot write standard output: Broken pipe");
}

static void test_large_and_small_pieces(void **state)
{
    (void)state;
    enum { LARGE = 1 << 20 };
    size_t length;
    char *large = malloc(LARGE);
    memset(large, 'l', LARGE);
    ser_output *output = ser_output_open_memory();
    ser_output_write(output, "small", 5);
    ser_output_write(output, large, LARGE);
    ser_output_write(output, "", 0);
    ser_output_write(output, "end", 3);
    const char *bytes = ser_output_bytes(output, &length);
    assert_int_equal(length, LARGE + 8);
    assert_memory_equal(bytes, "small", 5);
    assert_memory_equal(bytes + 5, large, LARGE);
    assert_memory_equal(bytes + 5 + LARGE, "end", 3);
    ser_output_close(output);
    free(large);
}

static int prepare(void **state)
{
    (void)state;
    symbols = ser_symbols_create();
    ser_symbols_add(symbols, SER_SPACE_THREAD, "T", 1);
    ser_symbols_add(symbols, SER_SPACE_VARIABLE, "x", 1);
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/trace", folder);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    ser_symbols_destroy(symbols);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_finished_file, remove_file),
        cmocka_unit_test_teardown(test_file_appears_only_when_finished, remove_file),
        cmocka_unit_test_teardown(test_link_stays_a_link, remove_file),
        cmocka_unit_test(test_cannot_open),
        cmocka_unit_test(test_devices_are_written_directly),
        cmocka_unit_test_teardown(test_full_disk, remove_file),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_large_and_small_pieces),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
