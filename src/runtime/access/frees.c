/* SPDX-License-Identifier: MIT */
/*
 * Memory that the program frees: an operation that conflicts with every access of it.
 *
 * ser_access_free records the words that were used since the block was allocated. The others
 * conflict with nothing, and there may be many. It is always one operation, so that a replay, which
 * keeps no shadow, counts the same. Most blocks were used by one thread only, which also frees
 * them: then the operation is elided on a fast path. O(words of the block).
 */
#include "runtime/access/access.h"
#include "runtime/access/ranges.h"
#include "runtime/core/records/lines.h"

static ser_runtime_world *const world = &ser_the_world;

static uintptr_t next_word(uintptr_t address)
{
    return (address / 8 + 1) * 8;
}

/* Are all used words the thread's own, in lines of its own (parallel mode)? */
static bool is_own(const ser_thread *me, ser_word *leaf, uintptr_t start, uintptr_t end)
{
    const ser_word *first = ser_word_in(leaf, start), *last = ser_word_in(leaf, end - 1);
    for (const ser_word *word = first; word <= last; word++) {
        uintptr_t address = start + (uintptr_t)(word - first) * 8;
        if (!ser_word_is_used(word))
            continue;
        if (!ser_word_is_own(me, word, true) ||
            (me->eliding == SER_ALONE && !ser_line_is_own(me, leaf, address)))
            return false;
    }
    return true;
}

static void hide_own(const ser_thread *me, ser_word *leaf, uintptr_t start, uintptr_t end)
{
    ser_word *last = ser_word_in(leaf, end - 1);
    for (ser_word *word = ser_word_in(leaf, start); word <= last; word++)
        if (ser_word_is_used(word))
            ser_word_hide_own(me, word, true);
}

/* Elides the free of a block that no other thread uses. In parallel mode without a lock: a line
 * is not taken from a thread that is ALONE (owners.h). */
static bool free_own(ser_thread *me, uintptr_t start, uintptr_t end)
{
    ser_word *leaf = ser_leaf_at(start);
    if (me->stamp >= me->elide_limit || !leaf || leaf != ser_leaf_at(end - 1))
        return false;
    me->inside = me->eliding;
    ser_compiler_barrier();
    bool own = is_own(me, leaf, start, end);
    if (own) {
        ser_leave_out(me);
        hide_own(me, leaf, start, end);
    }
    __atomic_store_n(&me->inside, SER_INSIDE, __ATOMIC_RELEASE);
    ser_compiler_barrier();
    return own;
}

/* Serial mode: from a used word on, how many bytes can be elided as a whole, or cannot be at all.
 * What is recorded may go over unused words, so that it needs few records. */
static size_t find_run(ser_thread *me, uintptr_t start, uintptr_t end)
{
    enum { MOST_UNUSED = 64 };
    uintptr_t at = start / 8, used = at, last = (end - 1) / 8;
    bool elides = !me->keeping && ser_may_elide_word(me, ser_word_at(start), true);
    while (++at <= last && at - used <= MOST_UNUSED) {
        const ser_word *word = ser_word_at(at * 8);
        bool is_used = ser_word_is_used(word);
        if (is_used && (!me->keeping && ser_may_elide_word(me, word, true)) != elides)
            break;
        if (!is_used && elides)
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
        at = next_word(at);
    return (at < end ? at : end) - start;
}

/* False if the block was never used. */
static bool free_used_words(ser_thread *me, uintptr_t start, uintptr_t end, uint32_t site)
{
    bool begun = false;
    while (start < end) {
        if (!ser_word_is_used(ser_word_at(start))) {
            start = next_word(start);
            continue;
        }
        size_t run = world->parallel ? find_used(start, end) : find_run(me, start, end);
        ser_range_record(me, SER_RAW_RANGE_FREE, (const char *)start, run, site, begun);
        start += run;
        begun = true;
    }
    return begun;
}

/* As one record, above all that was done there (parallel mode): there is no shadow of it. */
static void free_whole(ser_thread *me, const void *block, size_t size, uint32_t site)
{
    ser_record_elided(me);
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
    if (size <= MOST && free_own(me, start, start + size))
        return;
    uint32_t site = ser_here(me);
    bool keeps_all = me->keeping & SER_KEEP_ALL;
    if (!keeps_all && size <= MOST && free_used_words(me, start, start + size, site))
        return;
    if (keeps_all || (size <= MOST && me->keeping))
        free_whole(me, block, size, site);
    else
        ser_leave_out(me);
}
