/* SPDX-License-Identifier: MIT */
/* A spool gives back what was put into it, up to where it is cut or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/capture/definitions.h"
#include "record/capture/pack.h"
#include "record/capture/spool.h"

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/test_spool.%d", (int)getpid());
    unlink(path);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static ser_record sample(uint64_t i)
{
    return (ser_record){.object = i * 8,
                        .value = i * i,
                        .site = (uint32_t)i % 7,
                        .thread = (uint16_t)(i % 3),
                        .op = (uint8_t)(i % 20),
                        .size = 8};
}

static void write_samples(uint64_t count, uint64_t flush_each)
{
    ser_spool *spool;
    ser_error error;
    assert_int_equal(ser_spool_create(&spool, path, &error), SER_OK);
    for (uint64_t i = 0; i < count; i++) {
        ser_record record = sample(i);
        assert_int_equal(ser_spool_put(spool, &record, 1, &error), SER_OK);
        if ((i + 1) % flush_each == 0)
            assert_int_equal(ser_spool_flush(spool, &error), SER_OK);
    }
    assert_int_equal(ser_spool_flush(spool, &error), SER_OK);
    assert_int_equal(ser_spool_records(spool), count);
    ser_spool_close(spool);
}

/* How many records there are, all of them as they were. */
static uint64_t read_samples(bool *cut)
{
    ser_spool_reader *reader;
    const ser_record *records;
    ser_error error;
    uint64_t total = 0;
    size_t count;
    assert_int_equal(ser_spool_open(&reader, path, &error), SER_OK);
    do {
        assert_int_equal(ser_spool_next(reader, &records, &count, &error), SER_OK);
        for (size_t i = 0; i < count; i++, total++) {
            ser_record wanted = sample(total);
            assert_memory_equal(&records[i], &wanted, sizeof wanted);
        }
    } while (count > 0);
    *cut = ser_spool_is_cut(reader);
    ser_spool_reader_close(reader);
    return total;
}

/* As version 2 wrote it: twelve samples in two blocks, whose checksums are not those of today. */
static void test_older_version(void **state)
{
    (void)state;
    static const uint8_t spool[] = {
        0x53, 0x45, 0x52, 0x53, 0x50, 0x4f, 0x4f, 0x4c, 0x02, 0x00, 0x00, 0x00, 0xd6, 0x3b, 0x62,
        0x44, 0x08, 0x00, 0x00, 0x00, 0x56, 0x00, 0x00, 0x00, 0x35, 0xac, 0xaa, 0xe4, 0x81, 0xee,
        0xf8, 0xe1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x12, 0x08, 0x01, 0x01,
        0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x08, 0x12, 0x10, 0x04, 0x02, 0x00, 0x00, 0x00, 0x02,
        0x00, 0x02, 0x08, 0x12, 0x18, 0x09, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x08, 0x12,
        0x20, 0x10, 0x04, 0x00, 0x00, 0x00, 0x01, 0x00, 0x04, 0x08, 0x12, 0x28, 0x19, 0x05, 0x00,
        0x00, 0x00, 0x02, 0x00, 0x05, 0x08, 0x12, 0x30, 0x24, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x06, 0x08, 0x12, 0x38, 0x31, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x07, 0x08, 0x04, 0x00,
        0x00, 0x00, 0x2c, 0x00, 0x00, 0x00, 0x7d, 0xc9, 0x37, 0xb8, 0x45, 0x5a, 0xd8, 0x65, 0x12,
        0x40, 0x40, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x08, 0x08, 0x12, 0x48, 0x51, 0x02, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x09, 0x08, 0x12, 0x50, 0x64, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00,
        0x0a, 0x08, 0x12, 0x58, 0x79, 0x04, 0x00, 0x00, 0x00, 0x02, 0x00, 0x0b, 0x08};
    bool cut;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(spool, 1, sizeof spool, file), sizeof spool);
    fclose(file);
    assert_int_equal(read_samples(&cut), 12);
    assert_false(cut);
}

/* So that spools are read by later builds, whatever library they have. */
static void test_checksum(void **state)
{
    (void)state;
    assert_int_equal(ser_spool_checksum(3, "", 0), 0x38d394c2);
    assert_int_equal(ser_spool_checksum(3, "spool", 5), 0xe9a82f00);
}

static void test_all_comes_back(void **state)
{
    (void)state;
    bool cut;
    write_samples(100000, 1000000);
    assert_int_equal(read_samples(&cut), 100000);
    assert_false(cut);
}

/* What comes back of records: clocks are gone, but for what belongs to definitions. */
static void take_clocks(ser_record *records, size_t count)
{
    uint64_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (!ser_definitions_pass(&left, &records[i]))
            records[i].clock = 0;
}

/* Any records at all, far apart in every word. */
static void test_packing(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    ser_pack_state *packer = ser_alloc(1, sizeof *packer), *unpacker = ser_alloc(1, sizeof *packer);
    ser_record *records = ser_alloc(COUNT, sizeof *records),
               *again = ser_alloc(COUNT, sizeof *again);
    uint8_t *bytes = ser_alloc(COUNT * SER_PACK_LONGEST + SER_PACK_SLACK, 1);
    uint64_t random = 88172645463325252;
    for (size_t i = 0; i < COUNT * sizeof *records; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        bool keep = random >> 60 < 8 && i >= sizeof *records; /* as in the record before */
        uint8_t *byte = (uint8_t *)records + i;
        *byte = keep ? byte[-(ptrdiff_t)sizeof *records] : (uint8_t)random;
    }
    for (size_t i = 0; i < COUNT; i++)
        if (records[i].op == SER_RAW_TEXT)
            records[i].value %= 100;
    size_t size = ser_pack(packer, records, 7, bytes); /* texts may go on in another call */
    for (size_t i = 7; i < COUNT; i++)
        size += ser_pack(packer, &records[i], 1, bytes + size);
    take_clocks(records, COUNT);
    assert_true(size <= COUNT * SER_PACK_LONGEST);
    assert_int_equal(ser_unpack(unpacker, bytes, size, again, COUNT), size);
    assert_memory_equal(records, again, COUNT * sizeof *records);
    memset(unpacker, 0, sizeof *unpacker);
    assert_true(ser_unpack(unpacker, bytes, size / 2, again, COUNT) > size / 2);
    free(packer);
    free(unpacker);
    free(records);
    free(again);
    free(bytes);
}

static void test_a_cut_file_ends_with_its_last_whole_block(void **state)
{
    (void)state;
    struct stat about;
    bool cut = true;
    write_samples(50, 10);
    assert_int_equal(stat(path, &about), 0);
    uint64_t before = 0;
    for (off_t size = 16; size <= about.st_size; size++) {
        unlink(path);
        write_samples(50, 10);
        assert_int_equal(truncate(path, size), 0);
        uint64_t found = read_samples(&cut);
        assert_true(found % 10 == 0 && found >= before && found <= 50);
        before = found;
    }
    assert_int_equal(before, 50);
    assert_false(cut);
}

static void test_a_damaged_block_ends_it(void **state)
{
    (void)state;
    struct stat about;
    bool cut;
    write_samples(50, 10);
    assert_int_equal(stat(path, &about), 0);
    for (off_t at = 16; at < about.st_size; at++) {
        uint8_t byte;
        int fd = open(path, O_RDWR);
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 0x55;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        assert_true(read_samples(&cut) < 50);
        assert_true(cut);
        byte ^= 0x55;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        close(fd);
    }
    assert_int_equal(read_samples(&cut), 50);
}

/* A reader that has seen enough need not read on. */
static void test_reading_can_stop_anywhere(void **state)
{
    (void)state;
    write_samples(100000, 1000);
    for (int pieces = 0; pieces < 20; pieces++) {
        ser_spool_reader *reader;
        const ser_record *records;
        size_t count;
        ser_error error;
        assert_int_equal(ser_spool_open(&reader, path, &error), SER_OK);
        for (int i = 0; i < pieces; i++) {
            assert_int_equal(ser_spool_next(reader, &records, &count, &error), SER_OK);
            assert_in_range(count, 1, SER_SPOOL_PIECE);
        }
        ser_spool_reader_close(reader);
    }
}

static void test_other_files_are_refused(void **state)
{
    (void)state;
    ser_spool_reader *reader;
    ser_error error;
    assert_int_equal(ser_spool_open(&reader, "/dev/null", &error), SER_INPUT);
    assert_int_equal(ser_spool_open(&reader, path, &error), SER_INPUT);
    FILE *file = fopen(path, "w");
    fputs("this is a text of more than sixteen bytes", file);
    fclose(file);
    assert_int_equal(ser_spool_open(&reader, path, &error), SER_INPUT);
    assert_null(reader);
}

static void test_what_a_dead_recorder_left_is_not_overwritten(void **state)
{
    (void)state;
    ser_spool *spool;
    ser_error error;
    bool cut;
    write_samples(20, 10);
    assert_int_equal(ser_spool_create(&spool, path, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "--finish"));
    assert_int_equal(read_samples(&cut), 20);
}

static void test_a_full_disk_leaves_whole_blocks(void **state)
{
    (void)state;
    struct rlimit limit, small;
    ser_spool *spool;
    ser_error error;
    uint64_t put = 0;
    bool cut;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = (struct rlimit){1000000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    assert_int_equal(ser_spool_create(&spool, path, &error), SER_OK);
    ser_record record = sample(0);
    while (ser_spool_put(spool, &record, 1, &error) == SER_OK)
        record = sample(++put);
    assert_int_equal(ser_spool_flush(spool, &error), SER_INPUT);
    uint64_t kept = ser_spool_records(spool);
    ser_spool_close(spool);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(read_samples(&cut), kept);
    assert_true(kept > 0 && kept < put);
    assert_false(cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test_setup_teardown(test_older_version, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_all_comes_back, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_a_cut_file_ends_with_its_last_whole_block, make_path,
                                        remove_file),
        cmocka_unit_test_setup_teardown(test_a_damaged_block_ends_it, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_reading_can_stop_anywhere, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_other_files_are_refused, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_what_a_dead_recorder_left_is_not_overwritten,
                                        make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_a_full_disk_leaves_whole_blocks, make_path,
                                        remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
