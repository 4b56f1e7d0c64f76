/* SPDX-License-Identifier: MIT */
/*
 * topics.h - the log for developers of seriatim; messages to users are in log.h.
 *
 * SERIATIM_LOG names topics, each with a level if more than `info` is wanted: runtime,replay:debug
 * or all:debug. Lines go to standard error, or to the end of the file that SERIATIM_LOG_FILE names:
 * the time since the start, process and thread, topic, text. Without the variable each statement
 * costs the test of a global variable, and its arguments are not evaluated.
 *
 * Thread-safe once ser_log_start has returned.
 */
#ifndef SER_BASE_OUTPUT_TOPICS_H
#define SER_BASE_OUTPUT_TOPICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* X(TOPIC, name, what is logged). The first four are written inside the recorded program, and
 * numbered there in the same way (contract/logbook.h). */
#define SER_LOG_TOPICS(X)                                                                          \
    X(RUNTIME, runtime, "start and end of the program, threads, stolen tokens, deadlocks")         \
    X(TOKEN, token, "who runs, in serial mode (debug)")                                            \
    X(WAIT, wait, "who waits for what, and who wakes whom (debug)")                                \
    X(REPLAY, replay, "how a schedule is followed, and where not")                                 \
    X(RECORD, record, "start and end of recordings, why one stops; what was taken (debug)")        \
    X(SPOOL, spool, "the file of raw records: opened, closed; its blocks (debug)")                 \
    X(PLAN, plan, "how a witness becomes a schedule for the runtime")                              \
    X(PREDICT, predict, "steps of prediction; each block (debug)")

typedef enum ser_topic {
#define SER_X(TOPIC, name, help) SER_TOPIC_##TOPIC,
    SER_LOG_TOPICS(SER_X)
#undef SER_X
        SER_TOPIC_COUNT
} ser_topic;

/* Two bits per topic: info, debug. Use the macros. */
extern uint32_t ser_topics_wanted;

static inline bool ser_topic_is_on(ser_topic topic, int level)
{
    return __builtin_expect(ser_topics_wanted >> (2 * topic + level) & 1, 0);
}

/* ser_log_info(SPOOL, "%s is opened", path) */
#define ser_log_info(topic, ...)                                                                   \
    do {                                                                                           \
        if (ser_topic_is_on(SER_TOPIC_##topic, 0))                                                 \
            ser_log_line(SER_TOPIC_##topic, __VA_ARGS__);                                          \
    } while (0)
#define ser_log_debug(topic, ...)                                                                  \
    do {                                                                                           \
        if (ser_topic_is_on(SER_TOPIC_##topic, 1))                                                 \
            ser_log_line(SER_TOPIC_##topic, __VA_ARGS__);                                          \
    } while (0)

/* Reads the two variables, and takes them out of the environment: a recorded program must find the
 * same one with a log and without. A topic or level that does not exist, or a file that cannot be
 * written, is an error. */
ser_status ser_log_start(ser_error *error);

void ser_log_line(ser_topic topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line that was written elsewhere: when, in seconds of ser_clock_now, in which process, by whom.
 */
void ser_log_line_of(ser_topic topic, double time, int process, const char *thread,
                     const char *text);

#endif
