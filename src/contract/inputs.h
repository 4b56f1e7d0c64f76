/* SPDX-License-Identifier: MIT */
/*
 * inputs.h - what a program can ask the system, as records and traces number it.
 *
 * An answer is a record SER_RAW_INPUT (channel.h): `object` says which question it
 * was (ser_input_key), `value` is the answer; the bytes that it has filled follow in records
 * SER_RAW_INPUT_BYTES. A trace keeps these records as they are, for a replay: so the
 * numbers are never changed, and a new question gets the next one.
 */
#ifndef SER_CONTRACT_INPUTS_H
#define SER_CONTRACT_INPUTS_H

#include "contract/channel.h"

enum ser_asked {
    SER_ASKS_CLOCK = 1,
    SER_ASKS_CPU = 2,
    SER_ASKS_TIMES = 3,
    SER_ASKS_RANDOM = 4, /* bytes, by any function */
    SER_ASKS_NUMBER = 5, /* one random number */
    SER_ASKS_PROCESS = 6,
    SER_ASKS_PARENT = 7,
    SER_ASKS_THREAD = 8,
};

enum {
    SER_MOST_ANSWER = 4096,      /* bytes of an answer; larger ones are not recorded */
    SER_INPUT_RECORD_BYTES = 16, /* of them, in a record SER_RAW_INPUT_BYTES */
};

/* A question; `detail` is the clock, or how many bytes: what must be the same to be given back. */
static inline uint64_t ser_input_key(unsigned asked, uint32_t detail)
{
    return asked | (uint64_t)detail << 8;
}

static_assert(offsetof(ser_record, value) - offsetof(ser_record, object) == 8 &&
                  offsetof(ser_record, clock) == SER_INPUT_RECORD_BYTES,
              "the bytes of an answer lie in `object` and `value`");

#endif
