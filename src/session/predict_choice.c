/* SPDX-License-Identifier: MIT */
#include "session/predict_choice.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "base/options/suggest.h"

static bool matches(const char *glob, const ser_symbols *symbols, ser_space space, uint32_t number)
{
    return number != SER_NO_OBJECT &&
           fnmatch(glob, ser_symbols_whole_name(symbols, space, number).text, 0) == 0;
}

/* By the label of its begin, the function that is called, or the one it begins in. */
static bool matches_function(const char *glob, const ser_run *run, const ser_event *first)
{
    bool named = ser_op_opens((ser_op)first->op);
    uint32_t function = ser_symbols_site_function(run->symbols, first->site);
    return (named && matches(glob, run->symbols, ser_op_space((ser_op)first->op), first->object)) ||
           matches(glob, run->symbols, SER_SPACE_FUNCTION, function);
}

/* Whatever the shard. */
static bool passes(const ser_predict_choice *choice, const ser_run *run, uint32_t block)
{
    const ser_run_block *candidate = &run->blocks.items[block];
    if (choice->block && candidate->begin != choice->block)
        return false;
    ser_span thread = ser_symbols_whole_name(run->symbols, SER_SPACE_THREAD, candidate->thread);
    if (choice->thread && strcmp(choice->thread, thread.text) != 0)
        return false;
    return !choice->function ||
           matches_function(choice->function, run, &run->events[candidate->begin]);
}

bool ser_predict_choice_wants(const ser_predict_choice *choice, const ser_run *run, uint32_t block)
{
    return ser_shard_has(&choice->shard, block) && passes(choice, run, block);
}

size_t ser_predict_choice_count(const ser_predict_choice *choice, const ser_run *run)
{
    size_t count = 0;
    for (uint32_t i = 0; i < run->blocks.count; i++)
        count += passes(choice, run, i);
    return count;
}

/* The blocks that begin next before and after an event; 0: there is none. */
static void find_neighbours(const ser_run *run, uint32_t event, uint32_t *before, uint32_t *after)
{
    *before = *after = 0;
    for (size_t i = 0; i < run->blocks.count; i++) {
        uint32_t begin = run->blocks.items[i].begin;
        if (begin < event && begin > *before)
            *before = begin;
        if (begin > event && (!*after || begin < *after))
            *after = begin;
    }
}

static bool has_block(const ser_run *run, uint32_t begin)
{
    return begin <= run->count && run->block_of[begin] &&
           run->blocks.items[run->block_of[begin] - 1].begin == begin;
}

static ser_status refuse_block(const ser_run *run, uint32_t event, ser_error *error)
{
    uint32_t before, after;
    find_neighbours(run, event, &before, &after);
    if (event <= run->count && run->block_of[event])
        return ser_fail(error, SER_USAGE,
                        "--block %" PRIu32 ": that event is in the block that starts at event "
                        "%" PRIu32,
                        event, run->blocks.items[run->block_of[event] - 1].begin);
    if (before && after)
        return ser_fail(error, SER_USAGE,
                        "--block %" PRIu32 ": no block starts at that event; the nearest start "
                        "at events %" PRIu32 " and %" PRIu32,
                        event, before, after);
    if (before || after)
        return ser_fail(error, SER_USAGE,
                        "--block %" PRIu32 ": no block starts at that event; the nearest starts "
                        "at event %" PRIu32,
                        event, before ? before : after);
    return ser_fail(error, SER_USAGE, "--block %" PRIu32 ": the trace has no blocks", event);
}

static bool has_thread(const ser_run *run, const char *name, ser_suggestion *best)
{
    for (uint32_t i = 0; i < run->threads.count; i++) {
        if (strcmp(ser_symbols_whole_name(run->symbols, SER_SPACE_THREAD, i).text, name) == 0)
            return true;
        ser_suggest(best, name, ser_symbols_name(run->symbols, SER_SPACE_THREAD, i));
    }
    return false;
}

static ser_status refuse_thread(const char *name, const ser_suggestion *best, ser_error *error)
{
    if (best->word)
        return ser_fail(error, SER_USAGE, "--thread %s: there is no such thread; did you mean %s?",
                        name, best->word);
    return ser_fail(error, SER_USAGE, "--thread %s: there is no such thread", name);
}

ser_status ser_predict_choice_check(const ser_predict_choice *choice, const ser_run *run,
                                    ser_error *error)
{
    ser_suggestion best = {0};
    if (choice->block && !has_block(run, choice->block))
        return refuse_block(run, choice->block, error);
    if (choice->thread && !has_thread(run, choice->thread, &best))
        return refuse_thread(choice->thread, &best, error);
    bool narrowed = choice->block || choice->thread || choice->function;
    if (narrowed && ser_predict_choice_count(choice, run) == 0)
        return ser_fail(error, SER_USAGE, "no block matches --block, --thread and --function");
    return SER_OK;
}
