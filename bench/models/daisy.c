/* SPDX-License-Identifier: MIT */
/*
 * DaisyTest: two threads use one file system. Each operation locks what it works on (an
 * inode, a bitmap, mostly the disk's free list) and reads what the other thread has just written:
 * many couples, small segments. Some operations lock the disk within. Sometimes a thread
 * waits for the other to unlock a file. Once, a file's size is set without its lock.
 */
#include "models.h"

enum { BUSIEST_PERCENT = 65, SIZE_CHECKS = 3 };

typedef struct file_system {
    uint32_t disk;  /* the innermost lock */
    uint32_t mutex; /* for waiting */
    uint32_t unlocked;
    uint32_t mutex_taken, size;
    range locks, heads;   /* each lock guards a head, which every operation updates, */
    range cells, sectors; /* and cells; the disk guards its sectors */
} file_system;

static void operate(program *p, const file_system *fs)
{
    bool busiest = random_chance(&p->random, BUSIEST_PERCENT);
    uint32_t which = busiest ? 0 : random_below(&p->random, fs->locks.count);
    do_enter(p, "operation");
    do_open(p, fs->locks.first + which);
    do_update(p, fs->heads.first + which);
    slot_accesses(p, part_of(fs->cells, fs->locks.count, which), 15, 3);
    slot_sections(p, fs->disk, fs->sectors, 1);
    do_close(p, fs->locks.first + which);
    do_leave(p);
    slot_accesses(p, (range){fs->heads.first, 1}, 0, 1);
    slot_calls(p, 1);
}

/* The other thread unlocks the file that this one waits for. */
static void lock_file(program *p, const file_system *fs)
{
    do_acquire(p, fs->mutex);
    do_read(p, fs->mutex_taken);
    do_wait(p, fs->mutex, fs->unlocked);
    do_update(p, fs->mutex_taken);
    do_release(p, fs->mutex);
}

static void unlock_file(program *p, const file_system *fs, uint32_t waits)
{
    do_await(p, fs->unlocked, waits);
    do_open(p, fs->mutex);
    do_write(p, fs->mutex_taken);
    do_notify(p, fs->unlocked);
    do_close(p, fs->mutex);
}

static void check_size(program *p, const file_system *fs)
{
    do_open(p, fs->locks.first + 1);
    do_read(p, fs->size);
    do_update(p, fs->heads.first + 1);
    do_read(p, fs->size);
    do_close(p, fs->locks.first + 1);
}

/* Between two hand-overs of the file; in the first part the sizes are checked. */
static void work(program *p, const file_system *fs, uint32_t self, uint32_t waits, uint32_t blocks)
{
    uint32_t unlocks = waits / 2 + (self == 0 && waits % 2);
    uint32_t operations = blocks - unlocks - (self == 0 ? SIZE_CHECKS : 0), done = 0;
    for (uint32_t turn = 0; turn <= waits; turn++) {
        for (uint32_t k = share(operations, waits + 1, turn); k > 0; k--) {
            operate(p, fs);
            if (self == 0 && done++ < SIZE_CHECKS)
                check_size(p, fs);
        }
        if (self == 1 && turn == 0)
            do_write(p, fs->size); /* the mistake */
        if (turn < waits && turn % 2 == self)
            unlock_file(p, fs, turn + 1);
        else if (turn < waits)
            lock_file(p, fs);
    }
}

void build_daisy(program *p)
{
    const figures *wanted = p->wanted;
    file_system fs = {
        .locks = add_objects(p, SER_SPACE_LOCK, wanted->locks - 2, "inode%u"),
        .mutex = add_object(p, SER_SPACE_LOCK, "mutex"),
        .disk = add_object(p, SER_SPACE_LOCK, "disk"),
        .unlocked = add_object(p, SER_SPACE_CONDITION, "mutex"),
        .mutex_taken = add_object(p, SER_SPACE_VARIABLE, "mutex.locked"),
        .size = add_object(p, SER_SPACE_VARIABLE, "file.size"),
        .heads = add_objects(p, SER_SPACE_VARIABLE, wanted->locks - 2, "inode[%u].head"),
        .sectors = add_objects(p, SER_SPACE_VARIABLE, 8, "disk.sector[%u]"),
    };
    fs.cells =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "disk.cell[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, wanted->threads - 1, "user%u");
    p->burst = 20;

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    uint32_t waits = wanted->waits_notifies / 2;
    for (uint32_t i = 0; i < crew.count; i++) {
        act_as(p, crew.first + i);
        work(p, &fs, i, waits, share(wanted->blocks, crew.count, i));
    }
    act_as(p, MAIN);
    do_join_all(p);
    if (wanted->waits_notifies % 2)
        do_notify(p, fs.unlocked);
    if (wanted->lock_events % 2)
        do_acquire(p, fs.disk);
}
