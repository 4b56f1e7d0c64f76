/* SPDX-License-Identifier: MIT */
/*
 * Most violations need little more than that the block's thread is late at one place. In the
 * observed order no read breaks and no thread stalls, so the steps are taken in that order
 * (follow_observed) and at each place in question the run branches off (try_waiting) without the
 * block's thread. The branches are short at first and longer in each round, since what interferes
 * is mostly close.
 */
#include "predict/dpor/probe.h"

#include "predict/dpor/path.h"
#include "predict/dpor/threads.h"

enum { FIRST_LENGTH = 64, LENGTH_GROWTH = 16, STEPS_BETWEEN_POLLS = 512 };

typedef struct prober {
    ser_path *path;
    const ser_search_options *options;
    ser_answer *answer;
    uint64_t budget;  /* steps left to take */
    uint32_t length;  /* of a branch */
    uint32_t polling; /* steps until the next poll */
} prober;

static bool may_go_on(prober *probe)
{
    ser_reason reason;
    if (probe->budget == 0)
        return false;
    probe->budget--;
    if (--probe->polling > 0)
        return true;
    probe->polling = STEPS_BETWEEN_POLLS;
    if (ser_search_must_stop(probe->options, &reason))
        probe->budget = 0;
    return probe->budget > 0;
}

/* The thread, other than one, whose next step was observed first. */
static uint32_t choose_thread(const ser_path *path, uint32_t other_than)
{
    uint32_t best = SER_NO_THREAD, first = UINT32_MAX;
    for (uint32_t i = 0; i < path->threads; i++) {
        if (i == other_than || !ser_machine_alive(path->machine, i))
            continue;
        uint32_t event = ser_machine_next(path->machine, i)->event;
        if (event < first && ser_path_able(path, i)) {
            first = event;
            best = i;
        }
    }
    return best;
}

static void note_order(const ser_path *path, ser_answer *answer)
{
    for (uint32_t i = 0; i < path->machine->depth; i++)
        ser_vector_push(&answer->order, path->machine->log[i].step);
    ser_path_note_next(path, path->task->block_thread, answer);
}

/* Takes one step; false if there is none, or no time left. */
static bool go_on(prober *probe, uint32_t without)
{
    uint32_t thread = choose_thread(probe->path, without);
    if (thread == SER_NO_THREAD || !may_go_on(probe))
        return false;
    ser_path_take(probe->path, thread);
    return true;
}

static bool try_waiting(prober *probe)
{
    ser_path *path = probe->path;
    uint32_t depth = path->machine->depth;
    bool found = false;
    for (uint32_t i = 0; i < probe->length && !found; i++) {
        if (!go_on(probe, path->task->block_thread))
            break;
        found = ser_path_violates(path);
    }
    probe->answer->explored++;
    if (found)
        note_order(path, probe->answer);
    while (path->machine->depth > depth)
        ser_path_undo(path);
    return found;
}

/* Does the block's thread stand before an access that others can conflict with? */
static bool is_at_place(const ser_path *path)
{
    uint32_t thread = path->task->block_thread;
    uint32_t first = path->machine->next[thread];
    bool contested = false;
    if (!ser_machine_alive(path->machine, thread) || first <= path->task->first_block_step)
        return false;
    for (uint32_t i = first; i < ser_task_move_end(path->task, first); i++)
        contested |= ser_path_is_contested(path, i);
    return contested;
}

static bool follow_observed(prober *probe)
{
    ser_path *path = probe->path;
    uint32_t tried = SER_TASK_NONE;
    bool found = false;
    do {
        uint32_t next = path->machine->next[path->task->block_thread];
        if (next != tried && is_at_place(path)) {
            tried = next;
            found = try_waiting(probe);
        }
    } while (!found && go_on(probe, SER_NO_THREAD));
    while (path->machine->depth > 0)
        ser_path_undo(path);
    return found;
}

bool ser_probe(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    ser_path *path = ser_path_create(task, SER_CRITERION_PATH);
    prober probe = {.path = path,
                    .options = options,
                    .answer = answer,
                    .budget = 100000 + 32 * (uint64_t)task->steps.count,
                    .length = FIRST_LENGTH,
                    .polling = STEPS_BETWEEN_POLLS};
    bool found = false;
    while (!found && !ser_path_is_hopeless(path) && probe.budget > 0) {
        found = follow_observed(&probe);
        if (probe.length >= task->steps.count)
            break;
        probe.length *= LENGTH_GROWTH;
    }
    ser_path_destroy(path);
    return found;
}
