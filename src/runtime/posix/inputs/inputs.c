/* SPDX-License-Identifier: MIT */
/*
 * A call is a question; ser_ask gets the answer from the recorded run or from the real function,
 * and records it.
 */
#include "runtime/posix/inputs/inputs.h"

#include "runtime/core/records/lines.h"
#include "runtime/posix/real.h"

static ser_runtime_world *const world = &ser_the_world;

static const ser_record *answers, *answers_end; /* to give back */

/* --- giving back ------------------------------------------------------------ */

bool ser_inputs_are_given(void)
{
    return answers;
}

void ser_inputs_start(void)
{
    ser_channel_part inputs = world->channel->inputs;
    if (world->parallel || inputs.size < sizeof(ser_record))
        return;
    answers = ser_channel_at(world->channel, inputs);
    answers_end = answers + inputs.size / sizeof(ser_record);
}

/* The first answer of a thread; they are ordered by thread. */
static const ser_record *first_answer(uint32_t thread)
{
    const ser_record *low = answers, *high = answers_end;
    while (low < high) {
        const ser_record *middle = low + (high - low) / 2;
        if (middle->thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t key_of(const ser_question *asked)
{
    return ser_input_key(asked->kind, asked->detail);
}

static void copy_bytes(ser_thread *me, const ser_question *asked)
{
    size_t done = 0;
    for (; me->answer < answers_end && me->answer->thread == me->number &&
           me->answer->op == SER_RAW_INPUT_BYTES;
         me->answer++) {
        uint32_t size =
            me->answer->size <= SER_INPUT_RECORD_BYTES ? me->answer->size : SER_INPUT_RECORD_BYTES;
        if (asked->bytes && size <= asked->size - done) {
            __builtin_memcpy((char *)asked->bytes + done, me->answer, size);
            done += size;
        }
    }
}

static bool give_back(ser_thread *me, const ser_question *asked, int64_t *answer)
{
    if (!me->answer)
        me->answer = first_answer(me->number);
    const ser_record *next = me->answer;
    if (next == answers_end || next->thread != me->number || next->op != SER_RAW_INPUT ||
        next->object != key_of(asked))
        return false;
    *answer = (int64_t)next->value;
    me->answer++;
    copy_bytes(me, asked);
    return true;
}

/* --- recording -------------------------------------------------------------- */

static void put(ser_thread *me, ser_record record)
{
    record.clock = me->clock;
    record.thread = (uint16_t)me->number;
    ser_put_whole(me, &record);
    if (!world->parallel)
        __atomic_store_n(&world->aside, world->aside + 1, __ATOMIC_RELAXED);
}

static void put_bytes(ser_thread *me, const char *bytes, size_t size)
{
    while (size > 0) {
        ser_record record = {.op = SER_RAW_INPUT_BYTES};
        record.size = (uint8_t)(size < SER_INPUT_RECORD_BYTES ? size : SER_INPUT_RECORD_BYTES);
        __builtin_memcpy(&record, bytes, record.size);
        put(me, record);
        bytes += record.size;
        size -= record.size;
    }
}

static void put_answer(ser_thread *me, const ser_question *asked, int64_t answer, bool missing)
{
    if (!world->recording)
        return;
    if (world->parallel)
        ser_clocks_tick(me);
    put(me, (ser_record){.object = key_of(asked),
                         .value = (uint64_t)answer,
                         .size = missing,
                         .op = SER_RAW_INPUT});
    if (asked->bytes && answer >= 0)
        put_bytes(me, asked->bytes, asked->whole ? asked->size : (size_t)answer);
    if (world->parallel)
        ser_clocks_publish(me);
}

/* --- asking ----------------------------------------------------------------- */

/* A turn does not end here: the caller may hold locks that the runtime does not know. */
int64_t ser_ask(const ser_question *asked)
{
    int64_t answer;
    ser_real_find();
    ser_thread *me = world->channel && world->options.inputs && asked->size <= SER_MOST_ANSWER
                         ? ser_enter_in_turn()
                         : 0;
    if (!me)
        return asked->make(asked);
    bool given = answers && give_back(me, asked, &answer);
    if (!given)
        answer = asked->make(asked);
    answer = ser_inputs_keep_time(asked, answer, given);
    put_answer(me, asked, answer, answers && !given);
    ser_leave(me);
    return answer;
}
