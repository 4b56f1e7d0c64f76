/* SPDX-License-Identifier: MIT */
/*
 * Times and random numbers (SeriatimInputs.java): records INPUT, as for C, and answers of the
 * recorded run in replays (contract/inputs.h). All are numbers of 64 bits.
 */
#include "contract/inputs.h"

#include <time.h>

#include "java/agent/agent.h"

static ser_runtime_world *const world = &ser_the_world;

/* By how much the real clocks are ahead of the times that the program got. */
static struct {
    bool known;
    int64_t ahead;
} clocks[CLOCK_MONOTONIC + 1];

/* The thread's next answer to give back; null: there is none. They are ordered by thread. */
static const ser_record *next_answer(ser_thread *me)
{
    ser_channel_part inputs = world->channel->inputs;
    const ser_record *all = ser_channel_at(world->channel, inputs);
    const ser_record *end = all ? all + inputs.size / sizeof *all : NULL;
    if (!all)
        return NULL;
    if (!me->answer)
        for (me->answer = all; me->answer < end && me->answer->thread < me->number;)
            me->answer++;
    return me->answer < end && me->answer->thread == me->number ? me->answer : NULL;
}

static bool give_back(ser_thread *me, uint64_t key, int64_t *answer)
{
    const ser_record *next = next_answer(me);
    if (!next || next->op != SER_RAW_INPUT || next->object != key)
        return false;
    *answer = (int64_t)next->value;
    me->answer++;
    return true;
}

/* When the answers are used up, a clock goes on from the last one. */
static int64_t keep_time(jint clock, int64_t real, int64_t answer, bool given)
{
    if (given) {
        clocks[clock].known = true;
        clocks[clock].ahead = real - answer;
        return answer;
    }
    return clocks[clock].known ? real - clocks[clock].ahead : real;
}

static jlong input(JNIEnv *env, jclass unused, jint kind, jint detail, jlong real)
{
    (void)env, (void)unused;
    ser_thread *me = world->options.inputs ? ser_java_done() : NULL;
    if (!me)
        return real;
    uint64_t key = ser_input_key((unsigned)kind, (uint32_t)detail);
    int64_t answer = real;
    bool given = give_back(me, key, &answer);
    if (kind == SER_ASKS_CLOCK && detail <= CLOCK_MONOTONIC)
        answer = keep_time(detail, real, answer, given);
    const ser_record record = {.object = key,
                               .value = (uint64_t)answer,
                               .clock = me->clock,
                               .thread = (uint16_t)me->number,
                               .op = SER_RAW_INPUT,
                               .size = world->channel->inputs.size && !given};
    if (world->recording)
        ser_put_whole(me, &record);
    __atomic_store_n(&world->aside, world->aside + 1, __ATOMIC_RELAXED);
    ser_java_leave(me);
    return answer;
}

static const JNINativeMethod methods[] = {SER_NATIVE("input0", "(IIJ)J", input)};

SER_NATIVES(ser_input_natives, methods);
