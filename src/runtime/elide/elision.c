/* SPDX-License-Identifier: MIT */
#include "runtime/elide/elision.h"

#include "runtime/core/records/lines.h"
#include "runtime/elide/locals.h"
#include "runtime/elide/owners.h"
#include "runtime/elide/word_parts.h"

static ser_runtime_world *const world = &ser_the_world;

/* --- eliding ---------------------------------------------------------- */

bool ser_may_elide_word(ser_thread *me, const ser_word *word, bool writes)
{
    if (!word || word->write & SER_WORD_KEPT || !ser_happens_before(me, word->write))
        return false;
    if (me->locks && !(word->write & SER_WORD_OUTSIDE))
        return false;
    return !writes || ser_happens_before(me, word->read);
}

static uintptr_t first_word(const ser_touch *touch)
{
    return (uintptr_t)touch->address / 8;
}

static uintptr_t last_word(const ser_touch *touch)
{
    return ((uintptr_t)touch->address + touch->size - 1) / 8;
}

/* Does everything that the access conflicts with happen before it? */
static bool may_elide(ser_thread *me, const ser_touch *touch)
{
    uintptr_t last = last_word(touch);
    for (uintptr_t word = first_word(touch); word <= last; word++)
        if (!ser_may_elide_word(me, ser_word_made(word * 8), touch->writes))
            return false;
    return true;
}

size_t ser_touch_run(ser_thread *me, const ser_touch *touch)
{
    uintptr_t start = (uintptr_t)touch->address, at = first_word(touch), last = last_word(touch);
    if (me->keeping)
        return touch->size;
    bool elides = ser_may_elide_word(me, ser_word_made(at * 8), touch->writes);
    while (++at <= last && ser_may_elide_word(me, ser_word_made(at * 8), touch->writes) == elides)
        continue;
    return at > last ? touch->size : at * 8 - start;
}

static void hide_word(ser_thread *me, ser_word *word, bool writes, uint64_t stamp)
{
    uint64_t write = writes ? stamp | (word->write & SER_WORD_UNRECORDED) : word->write;
    word->read = writes ? stamp : ser_read_stamp(me, word, stamp);
    word->write = write | SER_WORD_ELIDED | SER_WORD_OUTSIDE;
}

bool ser_hides_other(ser_thread *me, uintptr_t address, bool writes)
{
    ser_word *word = ser_word_made(address);
    if (!ser_may_elide_word(me, word, writes))
        return false;
    ser_leave_out(me);
    hide_word(me, word, writes, me->stamp);
    return true;
}

bool ser_hides_two(ser_thread *me, uintptr_t address, size_t size, bool writes)
{
    ser_word *word = ser_word_made(address);
    if ((address ^ (address + size - 1)) >> SER_LEAF_BITS ||
        !ser_may_elide_word(me, word, writes) || !ser_may_elide_word(me, word + 1, writes))
        return false;
    ser_leave_out(me);
    hide_word(me, word, writes, me->stamp);
    hide_word(me, word + 1, writes, me->stamp);
    return true;
}

static void elide(ser_thread *me, const ser_touch *touch)
{
    uintptr_t last = last_word(touch);
    if (!touch->goes_on)
        ser_leave_out(me);
    for (uintptr_t word = first_word(touch); word <= last; word++)
        hide_word(me, ser_word_at(word * 8), touch->writes, me->stamp);
}

bool ser_touch_elides(ser_thread *me, const ser_touch *touch)
{
    if (me->keeping || touch->kept || !may_elide(me, touch))
        return false;
    elide(me, touch);
    return true;
}

/* Elides a word at the end of an access that is recorded otherwise; false if it cannot be. */
static bool hide_end(ser_thread *me, const ser_touch *touch, uintptr_t at)
{
    ser_word *word = ser_word_made(at * 8);
    if (!ser_may_elide_word(me, word, touch->writes))
        return false;
    hide_word(me, word, touch->writes, me->stamp + (touch->goes_on ? 0 : SER_STAMP_ONE));
    return true;
}

/* So that an access of two words does not end the elision of a thread-private neighbour of
 * something shared. */
static void trim(ser_thread *me, ser_touch *touch)
{
    uintptr_t start = (uintptr_t)touch->address, end = start + touch->size;
    if (!touch->kept && !me->keeping && first_word(touch) != last_word(touch)) {
        while (end - start > 8 - start % 8 && hide_end(me, touch, start / 8))
            start = (start / 8 + 1) * 8;
        while (start / 8 < (end - 1) / 8 && hide_end(me, touch, (end - 1) / 8))
            end = (end - 1) / 8 * 8;
    }
    touch->part = (const void *)start;
    touch->part_size = end - start;
}

/* --- what is recorded --------------------------------------------------------- */

/* The next event must come after that operation. */
static void put_after(ser_thread *me, uint32_t thread, uint64_t operation)
{
    if (thread != me->number)
        ser_put_note(me, SER_RAW_AFTER, thread, operation, 0);
    ser_learn(me, thread, operation);
}

/* The next event must come after all that the other thread has done. In parallel mode that
 * thread goes on: its clock is read after the number of its operations, so that none of these is
 * later. */
static void stay_behind_thread(ser_thread *me, const ser_thread *other)
{
    uint64_t operation = ser_stamp_operation(__atomic_load_n(&other->stamp, __ATOMIC_ACQUIRE));
    uint64_t clock = __atomic_load_n(&other->clock, __ATOMIC_ACQUIRE);
    if (world->parallel && clock >= me->clock)
        me->clock = clock + 1;
    put_after(me, other->number, operation);
}

/* How a recorded access meets a word. */
typedef struct meeting {
    uint64_t stamp; /* of the record that comes */
    bool reads, writes;
    unsigned bytes;  /* of the word */
    bool behind_all; /* it comes after all that others have done so far */
} meeting;

static void stay_behind(ser_thread *me, uint64_t stamp, meeting *how)
{
    if (how->behind_all || ser_happens_before(me, stamp))
        return;
    if (ser_stamp_thread(stamp) != SER_STAMP_MANY) {
        put_after(me, ser_stamp_thread(stamp), ser_stamp_operation(stamp));
        return;
    }
    how->behind_all = true; /* all readers of this word and the next had read before this access */
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count && i < SER_KNOWN; i++)
        stay_behind_thread(me, world->threads[i]);
}

/* Was it accessed before, but not in this critical section? */
static bool is_of_other_section(const ser_thread *me, const ser_word *word)
{
    uint64_t last = word->read > word->write ? word->read : word->write;
    return ser_stamp_operation(last) > 0 &&
           (!ser_stamp_is_of(word->read, me->stamp) || ser_stamp_operation(last) < me->section);
}

/* A recorded read of a recorded write comes after it in every reordering; not after one that
 * wrote other bytes of the word. */
static void learn_from(ser_thread *me, const ser_word *word, const meeting *how)
{
    if (how->reads && ser_bytes_of_part(word->read & SER_WORD_FLAGS) & how->bytes)
        ser_learn(me, ser_stamp_thread(word->write), ser_stamp_operation(word->write));
}

/* A word of which nothing was elided, and nothing will be: its readers do not matter. */
static void note_kept(ser_thread *me, ser_word *word, const meeting *how)
{
    learn_from(me, word, how);
    if (!how->writes)
        return;
    word->write = how->stamp | (word->write & SER_WORD_FLAGS);
    word->read = how->stamp | ser_part_of_bytes(how->bytes);
}

/* A word of which nothing was elided. */
static void note_recorded(ser_thread *me, ser_word *word, const meeting *how)
{
    uint64_t flags = word->write & SER_WORD_FLAGS, part = word->read & SER_WORD_FLAGS;
    bool ordered =
        ser_happens_before(me, word->write) && (!how->writes || ser_happens_before(me, word->read));
    flags |= me->locks ? 0 : SER_WORD_OUTSIDE;
    if (!ordered || (how->writes && !(flags & SER_WORD_OUTSIDE) && is_of_other_section(me, word)))
        flags |= SER_WORD_KEPT;
    learn_from(me, word, how);
    word->read = how->writes ? how->stamp | ser_part_of_bytes(how->bytes)
                             : ser_read_stamp(me, word, how->stamp) | part;
    word->write = (how->writes ? how->stamp : word->write) | flags;
}

/* The first recorded access after some were elided comes after all of these. Its stamp replaces
 * that of the last read: later accesses must come after it. */
static void unhide(ser_thread *me, ser_word *word, meeting *how)
{
    uint64_t unrecorded = word->write & SER_WORD_UNRECORDED;
    stay_behind(me, word->write, how);
    stay_behind(me, word->read, how);
    *word = (ser_word){
        .write = how->stamp | SER_WORD_ELIDED | SER_WORD_KEPT | unrecorded,
        .read = how->stamp | (how->writes ? ser_part_of_bytes(how->bytes) : 0),
    };
}

static void note_after_elided(ser_thread *me, ser_word *word, meeting *how)
{
    stay_behind(me, word->read, how);
    learn_from(me, word, how);
    if (!how->writes)
        return;
    word->write = how->stamp | (word->write & SER_WORD_FLAGS);
    word->read = (word->read & ~(uint64_t)SER_WORD_FLAGS) | ser_part_of_bytes(how->bytes);
}

static void meet(ser_thread *me, ser_word *word, meeting *how)
{
    uint64_t state = word->write & (SER_WORD_ELIDED | SER_WORD_KEPT);
    if (state == SER_WORD_KEPT)
        note_kept(me, word, how);
    else if (state == SER_WORD_ELIDED)
        unhide(me, word, how);
    else if (state & SER_WORD_ELIDED)
        note_after_elided(me, word, how);
    else
        note_recorded(me, word, how);
}

void ser_meet_recorded(ser_thread *me, uintptr_t address, uint64_t tag)
{
    int op = (uint8_t)(tag >> 48);
    meeting how = {
        .stamp = me->stamp + SER_STAMP_ONE,
        .reads = op != SER_OP_WRITE,
        .writes = op != SER_OP_READ,
        .bytes = ((1U << (tag >> 56)) - 1) << address % 8,
    };
    meet(me, ser_word_at(address), &how);
}

/* True: the word begins a new life. */
static bool reveal_word(ser_thread *me, ser_word *word, uintptr_t address, meeting *how)
{
    bool known = ser_local_reveal(me, address);
    bool begins = (word->write & (SER_WORD_ELIDED | SER_WORD_KEPT)) == SER_WORD_ELIDED;
    meet(me, word, how);
    return begins || !known;
}

void ser_reveal(ser_thread *me, const ser_touch *touch, ser_op op)
{
    meeting how = {.stamp = me->stamp + (touch->goes_on ? 0 : SER_STAMP_ONE),
                   .reads = op != SER_OP_WRITE,
                   .writes = op != SER_OP_READ};
    if (me->keeping & SER_KEEP_ALL)
        return;
    uintptr_t at = (uintptr_t)touch->part / 8;
    uintptr_t end = ((uintptr_t)touch->part + touch->part_size - 1) / 8 + 1;
    uintptr_t start = at; /* of the words that begin a new life */
    for (; at < end; at++) {
        ser_word *word = ser_word_made(at * 8);
        how.bytes = ser_bytes_in(touch, at);
        if (word && reveal_word(me, word, at * 8, &how))
            continue;
        if (start < at)
            ser_put_note(me, SER_RAW_RENEW, start * 8, (at - start) * 8, 0);
        start = at + 1;
    }
    if (start < end)
        ser_put_note(me, SER_RAW_RENEW, start * 8, (end - start) * 8, 0);
}

/* --- around an access ----------------------------------------------------- */

static void lock(ser_thread *me, const ser_touch *touch)
{
    if (!world->parallel)
        return;
    if (me->keeping & SER_KEEP_ALL)
        ser_lines_lock(me, touch->address, touch->size);
    else
        ser_owners_lock(me, touch->address, touch->size, touch->writes || touch->kept);
}

static void unlock(ser_thread *me, const ser_touch *touch)
{
    if (world->parallel)
        ser_lines_unlock(me, touch->address, touch->size);
}

/* A read of frozen lines needs no stamp. */
static bool hide_frozen(ser_thread *me, const ser_touch *touch)
{
    if (touch->writes || !ser_lines_are_frozen((uintptr_t)touch->address, touch->size))
        return false;
    if (!touch->goes_on)
        ser_leave_out(me);
    return true;
}

/* Elides an access without a lock, if the lines are the thread's own, or frozen. */
static bool elide_alone(ser_thread *me, ser_touch *touch)
{
    uintptr_t address = (uintptr_t)touch->address;
    if (!world->parallel || me->stamp >= me->elide_limit)
        return false;
    me->inside = SER_ALONE;
    ser_compiler_barrier();
    touch->alone = hide_frozen(me, touch) ||
                   (ser_lines_are_own(me, address, touch->size) && ser_touch_elides(me, touch));
    if (!touch->alone) {
        __atomic_store_n(&me->inside, SER_INSIDE, __ATOMIC_RELEASE);
        ser_compiler_barrier();
    }
    return touch->alone;
}

/* A thread must not wait for room in the ring with a line locked: so counts of elided operations
 * are recorded before, and if it turns out under the lock that the access cannot be elided, the
 * lock is released once more. */
void ser_touch_begin(ser_thread *me, ser_touch *touch)
{
    bool may_be_elided = !touch->kept && !me->keeping;
    touch->elided = may_be_elided && (elide_alone(me, touch) || may_elide(me, touch));
    if (touch->alone)
        return;
    if (touch->elided) {
        lock(me, touch);
        if (!world->parallel || may_elide(me, touch)) {
            elide(me, touch);
            return;
        }
        unlock(me, touch);
    }
    touch->elided = false;
    ser_record_elided(me);
    lock(me, touch);
    trim(me, touch);
}

void ser_touch_end(ser_thread *me, const ser_touch *touch)
{
    if (touch->alone) {
        __atomic_store_n(&me->inside, SER_INSIDE, __ATOMIC_RELEASE);
        return;
    }
    unlock(me, touch);
    if (world->parallel && !touch->elided)
        ser_clocks_publish(me);
}

/* --- the beginning -------------------------------------------------------- */

void ser_elision_start(ser_thread *thread)
{
    bool can_be_alone = world->parallel && world->can_steal && thread->number < SER_LINE_OWNERS;
    thread->owner_tag = can_be_alone ? (uint16_t)(thread->number + 1) : 0;
    thread->eliding = world->parallel ? SER_ALONE : SER_INSIDE;
    thread->stamp = (uint64_t)thread->number << SER_STAMP_THREAD;
    thread->keeping = world->options.exact == UINT64_MAX ? SER_KEEP_ALL
                      : thread->number >= SER_KNOWN      ? SER_KEEP_ALWAYS
                                                         : SER_KEEP_AT_FIRST;
}
