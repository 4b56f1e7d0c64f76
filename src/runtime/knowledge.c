/* SPDX-License-Identifier: MIT */
#include "runtime/knowledge.h"

static ser_world *const world = &ser_the_world;

enum { SET_BITS = 16, TIME_BITS = 27 };

/* It only rises; from 1. */
static uint64_t now(const ser_thread *me)
{
    return world->parallel ? me->clock / 64 + 1 : world->turn + 1;
}

void ser_knowledge_sample(ser_thread *thread)
{
    uint64_t count = thread->samples, time = now(thread);
    if (count > 0 && thread->sample[(count - 1) % SER_SAMPLES].time == time)
        return; /* the first one of a time is what others look for */
    thread->sample[count % SER_SAMPLES] = (ser_sample){time, ser_stamp_operation(thread->stamp)};
    __atomic_store_n(&thread->samples, count + 1, __ATOMIC_RELEASE);
}

/* At least as many operations as the thread had made at a time: by the first of its last
 * samples that is not before, or by now. In parallel mode it goes on taking samples, so that
 * half of them are left alone; and without a sample it may be more of that time by and by. */
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

static uint64_t bit_of(uint32_t thread)
{
    return UINT64_C(1) << thread % SET_BITS;
}

/* In parallel mode many clocks are one time: a sample of the same time may be older. */
static bool look_up_many(const ser_thread *me, uint64_t time, uint64_t set, bool *certain)
{
    uint64_t sampled = time + world->parallel;
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    bool all = count <= SER_KNOWN && time < UINT64_C(1) << TIME_BITS;
    for (uint32_t i = 0; i < count && all; i++)
        all = i == me->number || !(set & bit_of(i)) ||
              me->known[i] >= operations_at(world->threads[i], sampled, certain);
    return all;
}

/* All that the threads of the set did until then is known. Answers are remembered: what is known
 * stays so, what is not stays so until the thread learns something. */
bool ser_knows_many(ser_thread *me, uint64_t stamp)
{
    uint64_t operation = ser_stamp_operation(stamp), set = operation & ((1 << SET_BITS) - 1);
    ser_answer *answer = &me->answers[(operation >> SET_BITS) % SER_ANSWERS];
    stamp &= ~(uint64_t)SER_WORD_FLAGS;
    if (answer->stamp == stamp && (answer->known || answer->learned == me->learned))
        return answer->known;
    bool certain = true, known = look_up_many(me, operation >> SET_BITS, set, &certain);
    if (certain || !known)
        *answer = (ser_answer){stamp, me->learned, known};
    return known;
}

uint64_t ser_read_stamp(ser_thread *me, const ser_word *word, uint64_t stamp)
{
    uint64_t time = now(me) < UINT64_C(1) << TIME_BITS ? now(me) : UINT64_C(1) << TIME_BITS;
    uint32_t last = ser_stamp_thread(word->read);
    uint64_t set = last == SER_STAMP_MANY ? ser_stamp_operation(word->read) & ((1 << SET_BITS) - 1)
                                          : bit_of(last);
    uint64_t operation = time << SET_BITS | set | bit_of(me->number);
    if (last == SER_STAMP_MANY && ser_stamp_operation(word->read) == operation)
        return word->read & ~(uint64_t)SER_WORD_FLAGS; /* it is among them already */
    if (ser_knows(me, word->read))
        return stamp;
    return (uint64_t)SER_STAMP_MANY << SER_STAMP_THREAD | operation << SER_STAMP_OPERATION;
}

void ser_learn_all(ser_thread *me, const ser_thread *other)
{
    for (uint32_t i = 0; i < SER_KNOWN; i++)
        ser_learn(me, i, other->known[i]);
    ser_learn(me, other->number, ser_stamp_operation(other->stamp));
}
