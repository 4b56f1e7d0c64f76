/* SPDX-License-Identifier: MIT */
/*
 * logbook.h - the runtime's log for developers, in the memory of the channel.
 *
 * The runtime must not write to the program's streams, nor open a file: the program would find
 * other descriptors than without a log. So it writes lines into a ring behind the others, and the
 * recorder prints them (record/capture/program/runtime_log.h), those of a program that was killed,
 * too. The ring is there only if SERIATIM_LOG asked for it.
 *
 * A writer takes a number, fills the line of that number modulo the size, and publishes it by
 * storing the number plus one. It never waits: a reader that falls behind by more than the size
 * loses the oldest lines and sees that by their numbers.
 */
#ifndef SER_CONTRACT_LOGBOOK_H
#define SER_CONTRACT_LOGBOOK_H

#include <assert.h>
#include <stdint.h>

/* The first topics of base/output/topics.h. */
enum ser_runtime_topic {
    SER_LOG_RUNTIME, /* start, end, threads, stolen tokens, deadlocks */
    SER_LOG_TOKEN,   /* who runs */
    SER_LOG_WAIT,    /* who waits for what, and who wakes whom */
    SER_LOG_REPLAY,  /* how a schedule is followed */
    SER_RUNTIME_TOPICS
};

enum ser_log_level { SER_LOG_INFO, SER_LOG_DEBUG };

/* In a mask of what is wanted. */
#define SER_LOG_BIT(topic, level) (UINT32_C(1) << (2 * (topic) + (level)))

enum {
    SER_LOGBOOK_LINES = 1 << 15, /* a power of two: 4 MiB */
    SER_LOG_NO_THREAD = 0xffff,  /* the watchdog, or a thread that is not known yet */
};

typedef struct ser_logbook_line {
    uint64_t published; /* its number plus one */
    uint64_t time;      /* nanoseconds of CLOCK_MONOTONIC */
    uint16_t thread;
    uint8_t topic, level;
    char text[108]; /* with the 0 at its end */
} ser_logbook_line;

static_assert(sizeof(ser_logbook_line) == 128, "part of the contract between runtime and recorder");

typedef struct ser_logbook {
    _Alignas(64) uint64_t next; /* number of the next line */
    _Alignas(64) ser_logbook_line lines[SER_LOGBOOK_LINES];
} ser_logbook;

#endif
