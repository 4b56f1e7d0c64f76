/* SPDX-License-Identifier: MIT */
#include "runtime/elide/happens_before.h"

static ser_runtime_world *const world = &ser_the_world;

enum { SET_BITS = SER_MANY_TIME, LAST_TIME = 1 << 27 };

/* At least as many operations as the thread had made at a time: by the first of its last samples
 * that is not before, or by now. In parallel mode the thread goes on taking samples, so only the
 * older half is used; and without a sample the result may grow later. */
static uint64_t operations_at(const ser_thread *thread, uint64_t time, bool *certain)
{
    uint64_t end = __atomic_load_n(&thread->samples, __ATOMIC_ACQUIRE);
    uint64_t low = end > SER_SAMPLES / 2 ? end - SER_SAMPLES / 2 : 0, high = end;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (thread->sample[middle % SER_SAMPLES].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    *certain = *certain && (low < end || !world->parallel);
    return low < end ? thread->sample[low % SER_SAMPLES].operations
                     : ser_stamp_operation(__atomic_load_n(&thread->stamp, __ATOMIC_ACQUIRE));
}

/* In parallel mode many clocks are one time: a sample of the same time may be older. */
static bool look_up_many(const ser_thread *me, uint32_t count, uint64_t time, uint64_t set,
                         bool *certain)
{
    uint64_t sampled = time + world->parallel;
    bool all = count <= SER_KNOWN && time < LAST_TIME;
    for (uint32_t i = 0; i < count && all; i++)
        all = i == me->number || !(set & ser_many_bit(i)) ||
              me->known[i] >= operations_at(world->threads[i], sampled, certain);
    return all;
}

static bool still_holds(const ser_thread *me, const ser_known_answer *answer, uint32_t count)
{
    return answer->known ? answer->threads == count : answer->learned == me->learned;
}

/* Do all operations of the threads in the set up to that time happen before? Results are cached:
 * "yes" holds until there is another thread, which may have read by then, too; "no" until the
 * thread's clock grows. */
bool ser_many_happen_before(ser_thread *me, uint64_t stamp)
{
    uint64_t operation = ser_stamp_operation(stamp), set = operation & ((1 << SET_BITS) - 1);
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    ser_known_answer *answer = &me->answers[(operation >> SET_BITS) % SER_ANSWERS];
    stamp &= ~(uint64_t)SER_WORD_FLAGS;
    if (answer->stamp == stamp && still_holds(me, answer, count))
        return answer->known;
    bool certain = true, known = look_up_many(me, count, operation >> SET_BITS, set, &certain);
    if (certain || !known)
        *answer = (ser_known_answer){stamp, me->learned, count, known};
    return known;
}

/* A thread that reads a word repeatedly is noted as a reader until some time in the future: then
 * its next reads need not be noted (ser_reads_among_many). */
static uint64_t foreseen(uint64_t time, uint64_t last)
{
    enum { TIMES = 8, FARTHEST = 64 };
    uint64_t gap = time - last;
    return TIMES * gap <= FARTHEST ? time + TIMES * gap : time;
}

static uint64_t stamp_of_many(uint64_t time, uint64_t set)
{
    time = time < LAST_TIME ? time : LAST_TIME;
    return (uint64_t)SER_STAMP_MANY << SER_STAMP_THREAD | (time << SET_BITS | set)
                                                              << SER_STAMP_OPERATION;
}

uint64_t ser_read_stamp(ser_thread *me, const ser_word *word, uint64_t stamp)
{
    uint64_t last = ser_stamp_operation(word->read), until = last >> SET_BITS,
             time = ser_time_now(me);
    bool many = ser_stamp_thread(word->read) == SER_STAMP_MANY;
    uint64_t own = ser_many_bit(me->number);
    uint64_t set = many ? last & ((1 << SET_BITS) - 1) : ser_many_bit(ser_stamp_thread(word->read));
    if (many && set & own && until >= time)
        return word->read & ~(uint64_t)SER_WORD_FLAGS; /* it is among them already */
    if (ser_happens_before(me, word->read))
        return stamp;
    if (many && world->parallel)
        time = until >= time ? until : foreseen(time, until);
    return stamp_of_many(time, set | own);
}

uint64_t ser_stamp_of_all(uint64_t clock)
{
    return stamp_of_many(clock / SER_CLOCKS_OF_TIME + 1, (1 << SET_BITS) - 1);
}

void ser_learn_all(ser_thread *me, const ser_thread *other)
{
    for (uint32_t i = 0; i < SER_KNOWN; i++)
        ser_learn(me, i, other->known[i]);
    ser_learn(me, other->number, ser_stamp_operation(other->stamp));
}
