/* SPDX-License-Identifier: MIT */
/*
 * Memory that the program frees: an operation that conflicts with every access of it.
 *
 * ser_access_free tells of the words that were used since the block was allocated. Others have
 * nothing to conflict with, and blocks may have many. It is always one operation, so that a
 * replay, which keeps no shadow, counts the same. O(words of the block).
 */
#include "runtime/access/access.h"
#include "runtime/access/ranges.h"
#include "runtime/core/records/lines.h"

static ser_runtime_world *const world = &ser_the_world;

/* Serial mode: from a used word on, how many bytes can be left out as a whole, or cannot be at all.
 * What is recorded may go over unused words, so that it needs few records. */
static size_t find_run(ser_thread *me, uintptr_t start, uintptr_t end)
{
    enum { MOST_UNUSED = 64 };
    uintptr_t at = start / 8, used = at, last = (end - 1) / 8;
    bool hides = !me->keeping && ser_may_hide_word(me, ser_word_at(start), true);
    while (++at <= last && at - used <= MOST_UNUSED) {
        const ser_word *word = ser_word_at(at * 8);
        bool is_used = ser_word_is_used(word);
        if (is_used && (!me->keeping && ser_may_hide_word(me, word, true)) != hides)
            break;
        if (!is_used && hides)
            break;
        used = is_used ? at : used;
    }
    return (used == last ? end : (used + 1) * 8) - start;
}

/* Parallel mode: the used words from a used one on. */
static size_t find_used(uintptr_t start, uintptr_t end)
{
    uintptr_t at = start;
    while (at < end && ser_word_is_used(ser_word_at(at)))
        at = (at / 8 + 1) * 8;
    return (at < end ? at : end) - start;
}

/* False if nobody has used the block. */
static bool free_used_words(ser_thread *me, uintptr_t start, uintptr_t end, uint32_t site)
{
    bool begun = false;
    while (start < end) {
        if (!ser_word_is_used(ser_word_at(start))) {
            start = (start / 8 + 1) * 8;
            continue;
        }
        size_t run = world->parallel ? find_used(start, end) : find_run(me, start, end);
        ser_range_tell(me, SER_RAW_RANGE_FREE, (const char *)start, run, site, begun);
        start += run;
        begun = true;
    }
    return begun;
}

/* As one record, above all that was done there (parallel mode): there is no shadow of it. */
static void free_whole(ser_thread *me, const void *block, size_t size, uint32_t site)
{
    ser_tell_left_out(me);
    if (world->parallel) {
        ser_lines_rise(me, (uintptr_t)block, size);
        ser_lines_lock(me, block, 1);
    }
    ser_count_recorded(me);
    ser_put_raw(me, (uintptr_t)block, size, ser_tag(SER_RAW_RANGE_FREE, 0, site));
    if (world->parallel) {
        ser_lines_unlock(me, block, 1);
        ser_clocks_publish(me);
    }
}

void ser_access_free(ser_thread *me, const void *block, size_t size)
{
    enum { MOST = 1 << 24 }; /* larger ones would take long, and are mostly of one thread */
    uintptr_t start = (uintptr_t)block;
    if (me->ignoring || !world->recording || size == 0)
        return;
    uint32_t site = ser_here(me);
    if (me->keeping & SER_KEEP_ALL)
        free_whole(me, block, size, site);
    else if (size <= MOST && free_used_words(me, start, start + size, site))
        return;
    else if (size <= MOST && me->keeping)
        free_whole(me, block, size, site);
    else
        ser_leave_out(me);
}
