/* SPDX-License-Identifier: MIT */
/*
 * glib.h - GLib's locks, conditions and queues, which it makes of futexes and atomic variables of
 * its own, in code that is not instrumented. (GRecMutex and GRWLock are made of POSIX's.)
 */
#ifndef SER_RUNTIME_POSIX_GLIB_GLIB_H
#define SER_RUNTIME_POSIX_GLIB_GLIB_H

#include "runtime/posix/sync/sync.h"

typedef void (*ser_glib_work)(void *data, void *context);

/* X(result, name, parameters) */
#define SER_GLIB_REAL(X)                                                                           \
    X(void, g_mutex_lock, (void *))                                                                \
    X(int, g_mutex_trylock, (void *))                                                              \
    X(void, g_mutex_unlock, (void *))                                                              \
    X(void, g_cond_wait, (void *, void *))                                                         \
    X(int, g_cond_wait_until, (void *, void *, int64_t))                                           \
    X(void, g_cond_signal, (void *))                                                               \
    X(void, g_cond_broadcast, (void *))                                                            \
    X(void, g_async_queue_push, (void *, void *))                                                  \
    X(void, g_async_queue_push_front, (void *, void *))                                            \
    X(void *, g_async_queue_pop, (void *))                                                         \
    X(void *, g_async_queue_try_pop, (void *))                                                     \
    X(void *, g_async_queue_timeout_pop, (void *, uint64_t))                                       \
    X(void *, g_thread_pool_new, (ser_glib_work, void *, int, int, void *))                        \
    X(int, g_thread_pool_push, (void *, void *, void *))                                           \
    X(void, g_thread_pool_free, (void *, int, int))

#define SER_X(result, name, parameters) result name parameters;
SER_GLIB_REAL(SER_X)
#undef SER_X

typedef struct ser_glib_functions {
#define SER_X(result, name, parameters) result(*name) parameters;
    SER_GLIB_REAL(SER_X)
#undef SER_X
} ser_glib_functions;

/* Looked up by the first call: the library is there if any of its functions is called. */
const ser_glib_functions *ser_glib_real(void);

#endif
