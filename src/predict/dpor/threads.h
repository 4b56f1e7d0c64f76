/* SPDX-License-Identifier: MIT */
/* threads.h - sets of threads, as bits in words that their owner provides. */
#ifndef SER_PREDICT_DPOR_THREADS_H
#define SER_PREDICT_DPOR_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define SER_NO_THREAD UINT32_MAX

static inline uint32_t ser_threads_words(uint32_t threads)
{
    return (threads + 63) / 64;
}

static inline bool ser_threads_has(const uint64_t *set, uint32_t thread)
{
    return set[thread / 64] >> thread % 64 & 1;
}

static inline void ser_threads_add(uint64_t *set, uint32_t thread)
{
    set[thread / 64] |= (uint64_t)1 << thread % 64;
}

static inline void ser_threads_remove(uint64_t *set, uint32_t thread)
{
    set[thread / 64] &= ~((uint64_t)1 << thread % 64);
}

#endif
