/* SPDX-License-Identifier: MIT */
/*
 * log.h - the runtime's log for developers (logbook.h says how it gets to the tools).
 *
 * One test of a global variable where it is off, and not in the fast path of an access. May be
 * called from anywhere, with any lock, also from signal handlers.
 */
#ifndef SER_RUNTIME_LOG_H
#define SER_RUNTIME_LOG_H

#include "contract/logbook.h"
#include "runtime/core/sys.h"

extern uint32_t ser_log_wanted; /* 0: no log */

/* ser_log(TOKEN, DEBUG, "T%u -> T%u", from, to): one to five numbers. The format may have %u, %x
 * (with 0x), and %s, whose text is given as ser_log_text. A line that is too long is cut. */
#define ser_log(topic, level, format, ...)                                                         \
    do {                                                                                           \
        if (ser_unlikely(ser_log_wanted & SER_LOG_BIT(SER_LOG_##topic, SER_LOG_##level)))          \
            ser_log_put(SER_LOG_##topic, SER_LOG_##level, format, (const uint64_t[]){__VA_ARGS__}, \
                        sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t));                 \
    } while (0)

static inline uint64_t ser_log_text(const char *text)
{
    return (uint64_t)(uintptr_t)text;
}

/* The channel is known: is a log wanted? */
void ser_runtime_log_start(void);

/* Use ser_log. */
void ser_log_put(int topic, int level, const char *format, const uint64_t *values, size_t count);

#endif
