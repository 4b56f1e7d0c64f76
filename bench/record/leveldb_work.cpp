// SPDX-License-Identifier: MIT
//
// leveldb_work FOLDER THREADS ROUNDS: several threads put, get and delete keys of one
// LevelDB in FOLDER, with batches that keep two keys equal and readers that compare
// them in a snapshot. The write buffer is small, so that compaction runs beside.
// Exit status 0 if everything read was what must have been there.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

static leveldb::DB *db;

[[noreturn]] static void fail(const std::string &what)
{
    fprintf(stderr, "leveldb_work: %s\n", what.c_str());
    exit(1);
}

static void check(const leveldb::Status &status)
{
    if (!status.ok())
        fail(status.ToString());
}

static std::string text(const char *kind, int who, int number)
{
    char bytes[64];
    snprintf(bytes, sizeof bytes, "%s-%02d-%06d", kind, who, number * 7919 % 1000000);
    return bytes;
}

static std::string get(const std::string &key, const leveldb::ReadOptions &options = {})
{
    std::string value;
    check(db->Get(options, key, &value));
    return value;
}

// Both keys are written together, and so must be seen together.
static void write_pair(int number)
{
    leveldb::WriteBatch batch;
    batch.Put("left", text("pair", 0, number));
    batch.Put("right", text("pair", 0, number));
    check(db->Write({}, &batch));
}

static void compare_pair()
{
    leveldb::ReadOptions options;
    options.snapshot = db->GetSnapshot();
    if (get("left", options) != get("right", options))
        fail("half of a batch was seen");
    db->ReleaseSnapshot(options.snapshot);
}

static void work(int who, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        check(db->Put({}, text("key", who, i), text("value", who, i)));
        if (get(text("key", who, i / 2)) != text("value", who, i / 2))
            fail("a wrong value");
        if (i % 16 == 0)
            write_pair(i);
        if (i % 16 == 8)
            compare_pair();
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: leveldb_work FOLDER THREADS ROUNDS\n");
        return 2;
    }
    leveldb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    check(leveldb::DB::Open(options, argv[1], &db));
    write_pair(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < atoi(argv[2]); i++)
        threads.emplace_back(work, i, atoi(argv[3]));
    for (std::thread &thread : threads)
        thread.join();
    delete db;
    return 0;
}
