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

/* The first used word of `at` to `last`, which are numbers of words; last + 1 if there is none. */
static uintptr_t find_used(uintptr_t at, uintptr_t last)
{
    while (at <= last) {
        uintptr_t behind =
            (at / SER_LEAF_WORDS + 1) * SER_LEAF_WORDS; /* the first of the next leaf */
        const uintptr_t end = behind <= last ? behind : last + 1;
        const ser_word *word = ser_word_at(at * 8);
        for (; word && at < end; at++, word++)
            if (ser_word_is_used(word))
                return at;
        at = end;
    }
    return at;
}

/* Serial mode: from a used word on, how many bytes can be elided as a whole, or cannot be at all.
 * What is recorded may go over unused words, so that it needs few records. *next: no word between
 * these and that one is used. */
static size_t find_run(ser_thread *me, uintptr_t start, uintptr_t end, uintptr_t *next)
{
    enum { MOST_UNUSED = 64 };
    uintptr_t used = start / 8, last = (end - 1) / 8;
    bool elides = !me->keeping && ser_may_elide_word(me, ser_word_at(start), true);
    for (*next = used + 1; *next <= last; *next = used + 1) {
        uintptr_t farthest = last - used < MOST_UNUSED ? last : used + MOST_UNUSED;
        *next = elides ? *next : find_used(*next, farthest);
        const ser_word *word = *next <= farthest ? ser_word_at(*next * 8) : 0;
        if (!ser_word_is_used(word) ||
            (!me->keeping && ser_may_elide_word(me, word, true)) != elides)
            break;
        used = *next;
    }
    return (used == last ? end : (used + 1) * 8) - start;
}

/* Parallel mode: the used words from a used one on. */
static size_t count_used(uintptr_t start, uintptr_t end, uintptr_t *next)
{
    uintptr_t at = start;
    while (at < end && ser_word_is_used(ser_word_at(at)))
        at = next_word(at);
    *next = at / 8;
    return (at < end ? at : end) - start;
}

/* False if the block was never used. */
static bool free_used_words(ser_thread *me, uintptr_t start, uintptr_t end, uint32_t site)
{
    bool begun = false;
    uintptr_t last = (end - 1) / 8, at = find_used(start / 8, last);
    while (at <= last) {
        uintptr_t from = at * 8 > start ? at * 8 : start; /* the first may be part of a word */
        size_t run = world->parallel ? count_used(from, end, &at) : find_run(me, from, end, &at);
        ser_range_record(me, SER_RAW_RANGE_FREE, (const char *)from, run, site, begun);
        begun = true;
        at = find_used(at, last);
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
