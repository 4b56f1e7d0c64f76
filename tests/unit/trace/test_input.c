/* SPDX-License-Identifier: MIT */
/* Files, pipes and memory; plain, gzip and zstd; ends, damages and rewinds. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "trace/io/input.h"

enum { LARGE = 3 << 20 };

static uint8_t *large; /* LARGE bytes that do not compress to nothing */

typedef struct packed {
    uint8_t *bytes;
    size_t length;
} packed;

static packed pack_gzip(const void *bytes, size_t length)
{
    packed result = {ser_alloc(length + length / 8 + 128, 1), length + length / 8 + 128};
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = result.bytes;
    stream.avail_out = (uInt)result.length;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    result.length = stream.total_out;
    deflateEnd(&stream);
    return result;
}

static packed pack_zstd(const void *bytes, size_t length)
{
    size_t bound = ZSTD_compressBound(length);
    packed result = {ser_alloc(bound, 1), 0};
    result.length = ZSTD_compress(result.bytes, bound, bytes, length, 1);
    return result;
}

static packed concatenate(packed a, packed b)
{
    a.bytes = ser_resize(a.bytes, a.length + b.length, 1);
    memcpy(a.bytes + a.length, b.bytes, b.length);
    a.length += b.length;
    free(b.bytes);
    return a;
}

/* Reads to the end in bites of odd sizes; returns how many bytes there were. */
static size_t expect_content(ser_input *input, const uint8_t *expected, size_t length)
{
    size_t total = 0, have;
    for (size_t bite = 1;; bite = bite * 3 % 70001 + 1) {
        const uint8_t *bytes = ser_input_peek(input, bite, &have);
        if (have == 0)
            break;
        size_t used = have < bite ? have : bite;
        assert_true(total + used <= length);
        assert_memory_equal(bytes, expected + total, used);
        ser_input_consume(input, used);
        total += used;
        assert_int_equal(ser_input_offset(input), total);
    }
    return total;
}

static void expect_packed(packed data, const uint8_t *expected, size_t length)
{
    ser_error error;
    ser_input *input = ser_input_open_memory(data.bytes, data.length, "memory");
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(expect_content(input, expected, length), length);
        assert_int_equal(ser_input_status(input, &error), SER_OK);
        assert_int_equal(ser_input_rewind(input, &error), SER_OK);
    }
    ser_input_close(input);
    free(data.bytes);
}

/* What can be read before the failure must be right; the message is given. */
static void expect_failure(packed data, const char *message)
{
    ser_error error;
    ser_input *input = ser_input_open_memory(data.bytes, data.length, "broken");
    for (int pass = 0; pass < 2; pass++) {
        expect_content(input, large, LARGE);
        assert_int_equal(ser_input_status(input, &error), SER_INPUT);
        assert_non_null(strstr(error.text, message));
        assert_non_null(strstr(error.text, "broken"));
        assert_int_equal(ser_input_rewind(input, &error), SER_OK);
    }
    ser_input_close(input);
    free(data.bytes);
}

static void test_decodes(void **state)
{
    (void)state;
    packed plain = {ser_alloc(LARGE, 1), LARGE};
    memcpy(plain.bytes, large, LARGE);
    expect_packed(plain, large, LARGE);
    expect_packed(pack_gzip(large, LARGE), large, LARGE);
    expect_packed(pack_zstd(large, LARGE), large, LARGE);
    expect_packed(pack_gzip("", 0), large, 0);
    expect_packed(pack_zstd("", 0), large, 0);
    expect_packed((packed){NULL, 0}, large, 0);
}

static void test_members_in_a_row(void **state)
{
    (void)state;
    expect_packed(concatenate(pack_gzip(large, 1000), pack_gzip(large + 1000, LARGE - 1000)), large,
                  LARGE);
    expect_packed(concatenate(pack_zstd(large, 1000), pack_zstd(large + 1000, LARGE - 1000)), large,
                  LARGE);
    expect_packed(concatenate(pack_gzip("", 0), pack_gzip(large, 10)), large, 10);
}

static void test_truncated(void **state)
{
    (void)state;
    packed (*const packers[])(const void *, size_t) = {pack_gzip, pack_zstd};
    const char *const messages[] = {"the gzip data ends early (truncated file?) at byte ",
                                    "the zstd data ends early (truncated file?) at byte "};
    for (int kind = 0; kind < 2; kind++) {
        for (size_t cut = 1; cut < 400000; cut = cut * 5 + 1) {
            packed data = packers[kind](large, LARGE);
            data.length -= cut;
            expect_failure(data, messages[kind]);
        }
    }
}

static void test_damaged(void **state)
{
    (void)state;
    packed data = pack_gzip(large, LARGE);
    data.bytes[data.length - 5] ^= 1; /* the checksum */
    expect_failure(data, "damaged near byte");
    data = pack_zstd(large, LARGE);
    memset(data.bytes + data.length / 2, 0xff, 100);
    expect_failure(data, "damaged near byte");
    expect_failure(concatenate(pack_gzip(large, 10), pack_zstd(large, 10)), "follows its end");
    expect_failure(concatenate(pack_zstd(large, 10), pack_gzip(large, 10)), "damaged near byte");
}

static void test_peek_grows_the_window(void **state)
{
    (void)state;
    size_t have;
    ser_input *input = ser_input_open_memory(large, LARGE, "memory");
    ser_input_peek(input, 10, &have);
    ser_input_consume(input, 7);
    const uint8_t *bytes = ser_input_peek(input, LARGE - 7, &have);
    assert_int_equal(have, LARGE - 7);
    assert_memory_equal(bytes, large + 7, have);
    ser_input_peek(input, LARGE, &have);
    assert_int_equal(have, LARGE - 7);
    ser_input_close(input);
}

/* --- files and pipes --- */

static char folder[] = "/tmp/seriatim-test-XXXXXX";

static void test_file(void **state)
{
    (void)state;
    char path[64];
    ser_error error;
    ser_input *input;
    uint64_t done, total;
    snprintf(path, sizeof path, "%s/plain", folder);
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(large, 1, LARGE, file), LARGE);
    fclose(file);
    assert_int_equal(ser_input_open(&input, path, false, &error), SER_OK);
    assert_string_equal(ser_input_name(input), path);
    expect_content(input, large, LARGE);
    ser_input_progress(input, &done, &total);
    assert_int_equal(done, LARGE);
    assert_int_equal(total, LARGE);
    assert_int_equal(ser_input_rewind(input, &error), SER_OK);
    assert_int_equal(expect_content(input, large, LARGE), LARGE);
    ser_input_close(input);
    unlink(path);
}

static void expect_not_opened(const char *path, const char *reason)
{
    ser_error error;
    ser_input *input;
    assert_int_equal(ser_input_open(&input, path, false, &error), SER_INPUT);
    assert_null(input);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, reason));
}

static void test_cannot_open(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/missing", folder);
    expect_not_opened(path, "No such file or directory");
    expect_not_opened(folder, "Is a directory");
    if (geteuid() != 0) { /* root may read everything */
        close(open(path, O_CREAT | O_WRONLY, 0));
        expect_not_opened(path, "Permission denied");
        unlink(path);
    }
}

/* A named pipe that a child fills. */
static ser_input *open_pipe(bool keep, size_t length)
{
    char path[64];
    ser_error error;
    ser_input *input;
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    if (fork() == 0) {
        int fd = open(path, O_WRONLY);
        for (size_t at = 0; at < length;) {
            ssize_t written = write(fd, large + at, length - at);
            if (written < 0)
                _exit(1);
            at += (size_t)written;
        }
        _exit(0);
    }
    assert_int_equal(ser_input_open(&input, path, keep, &error), SER_OK);
    unlink(path);
    return input;
}

static void test_kept_pipe_rewinds_from_anywhere(void **state)
{
    (void)state;
    ser_error error;
    size_t have;
    ser_input *input = open_pipe(true, LARGE);
    for (size_t part = 1; part < LARGE; part *= 7) {
        ser_input_peek(input, part, &have);
        ser_input_consume(input, part);
        assert_int_equal(ser_input_rewind(input, &error), SER_OK);
    }
    assert_int_equal(expect_content(input, large, LARGE), LARGE);
    assert_int_equal(ser_input_rewind(input, &error), SER_OK);
    assert_int_equal(expect_content(input, large, LARGE), LARGE);
    ser_input_close(input);
}

static void test_other_pipes_do_not_rewind(void **state)
{
    (void)state;
    ser_error error;
    ser_input *input = open_pipe(false, LARGE);
    assert_int_equal(expect_content(input, large, LARGE), LARGE);
    assert_int_equal(ser_input_rewind(input, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "it is a pipe"));
    ser_input_close(input);
}

static void test_copy_that_cannot_be_made(void **state)
{
    (void)state;
    ser_error error;
    setenv("TMPDIR", "/nonexistent-folder", 1);
    ser_input *input = open_pipe(true, LARGE);
    unsetenv("TMPDIR");
    assert_int_equal(expect_content(input, large, LARGE), LARGE);
    assert_int_equal(ser_input_status(input, &error), SER_OK);
    assert_int_equal(ser_input_rewind(input, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "second time: its copy in"));
    ser_input_close(input);
}

/* A limit on the size of files stands for a full disk. */
static void test_copy_that_does_not_fit(void **state)
{
    (void)state;
    ser_error error;
    struct rlimit old;
    signal(SIGXFSZ, SIG_IGN);
    ser_input *input = open_pipe(true, LARGE);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){LARGE / 2, old.rlim_max});
    size_t total = expect_content(input, large, LARGE);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(total, LARGE);
    assert_int_equal(ser_input_status(input, &error), SER_OK);
    assert_int_equal(ser_input_rewind(input, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "File too large"));
    ser_input_close(input);
}

static int prepare(void **state)
{
    (void)state;
    uint32_t random = 1;
    large = ser_alloc(LARGE, 1);
    for (size_t i = 0; i < LARGE; i++) {
        random = random * 1664525 + 1013904223;
        large[i] = "abcdefgh\n(|)0123"[random >> 28];
    }
    return mkdtemp(folder) ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    free(large);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decodes),
        cmocka_unit_test(test_members_in_a_row),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_peek_grows_the_window),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_cannot_open),
        cmocka_unit_test(test_kept_pipe_rewinds_from_anywhere),
        cmocka_unit_test(test_other_pipes_do_not_rewind),
        cmocka_unit_test(test_copy_that_cannot_be_made),
        cmocka_unit_test(test_copy_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
