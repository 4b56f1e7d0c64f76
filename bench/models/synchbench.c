/* SPDX-License-Identifier: MIT */
/*
 * SynchBench: threads count under a lock, in a synchronized method and in a synchronized
 * block, which now and then calls another synchronized method of the same object.
 */
#include "models.h"

static void count_up(program *p, uint32_t lock, uint32_t counter)
{
    do_enter(p, "count");
    do_open(p, lock);
    do_update(p, counter);
    slot_sections(p, lock, (range){counter, 1}, 1);
    do_close(p, lock);
    do_leave(p);
}

void build_synchbench(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t workers = wanted->threads - 1;
    range locks = add_objects(p, SER_SPACE_LOCK, wanted->locks, "lock%u");
    range counters = add_objects(p, SER_SPACE_VARIABLE, wanted->locks, "counter[%u]");
    range settings =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "setting[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, workers, "worker%u");
    p->burst = 16;

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    do_join_all(p);
    do_read_all(p, counters);
    for (uint32_t i = 0; i < workers; i++) {
        act_as(p, crew.first + i);
        for (uint32_t k = 0; k < share(wanted->blocks, workers, i); k++) {
            slot_accesses(p, settings, 0, 1);
            slot_calls(p, 1);
            count_up(p, locks.first + k % locks.count, counters.first + k % locks.count);
        }
    }
}
