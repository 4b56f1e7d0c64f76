/* SPDX-License-Identifier: MIT */
/*
 * GAsyncQueue and GThreadPool: what is taken from a queue comes after it was put there, and work of
 * a pool after it was given to it; the end of a pool comes after all of its work. Threads wait
 * elsewhere (elsewhere.h).
 */
#include <stdlib.h>

#include "runtime/posix/elsewhere.h"
#include "runtime/posix/glib/glib.h"

/* Bytes of messages: one each. */
static void put(uint64_t stream, uint64_t amount, unsigned use)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    ser_put_stream(me, stream, amount, use);
    ser_leave_sync(me);
}

static uint64_t stream_of(const void *object)
{
    return (uint64_t)SER_STREAM_QUEUE << 56 | ((uintptr_t)object & ((UINT64_C(1) << 56) - 1));
}

SER_EXPORT void g_async_queue_push(void *queue, void *data)
{
    put(stream_of(queue), 1, SER_STREAM_SENT);
    SER_ELSEWHERE_DO(ser_glib_real()->g_async_queue_push(queue, data));
}

SER_EXPORT void g_async_queue_push_front(void *queue, void *data)
{
    put(stream_of(queue), 1, SER_STREAM_SENT);
    SER_ELSEWHERE_DO(ser_glib_real()->g_async_queue_push_front(queue, data));
}

/* Which of the messages it was is not known, since threads take them elsewhere: it comes after all
 * that were sent by then (0 bytes). */
static void *taken(const void *queue, void *data)
{
    put(stream_of(queue), 0, data ? SER_STREAM_RECEIVED : SER_STREAM_EMPTY);
    return data;
}

SER_EXPORT void *g_async_queue_pop(void *queue)
{
    void *data;
    SER_ELSEWHERE_DO(data = ser_glib_real()->g_async_queue_pop(queue));
    return taken(queue, data);
}

SER_EXPORT void *g_async_queue_try_pop(void *queue)
{
    void *data;
    SER_ELSEWHERE_DO(data = ser_glib_real()->g_async_queue_try_pop(queue));
    return taken(queue, data);
}

SER_EXPORT void *g_async_queue_timeout_pop(void *queue, uint64_t microseconds)
{
    void *data;
    SER_ELSEWHERE_DO(data = ser_glib_real()->g_async_queue_timeout_pop(queue, microseconds));
    return taken(queue, data);
}

/* --- pools --------------------------------------------------------------------------- */

/* The function of a pool, as the program gave it. GThreadPool begins with two such fields. */
typedef struct pool_work {
    ser_glib_work function;
    void *context;
} pool_work;

static uint64_t given_to(const pool_work *work)
{
    return stream_of(work);
}

static uint64_t done_by(const pool_work *work)
{
    return stream_of((const char *)work + 1);
}

static void run(void *data, void *context)
{
    const pool_work *work = context;
    bool elsewhere = ser_come_back();
    put(given_to(work), 0, SER_STREAM_RECEIVED);
    work->function(data, work->context);
    put(done_by(work), 1, SER_STREAM_SENT);
    if (elsewhere)
        ser_go_elsewhere();
}

/* It stays: threads of the pool may use it to their end. */
SER_EXPORT void *g_thread_pool_new(ser_glib_work function, void *context, int most, int exclusive,
                                   void *error)
{
    const ser_glib_functions *real = ser_glib_real();
    pool_work *work = ser_is_off ? 0 : malloc(sizeof *work);
    if (!work)
        return real->g_thread_pool_new(function, context, most, exclusive, error);
    *work = (pool_work){function, context};
    void *pool;
    SER_ELSEWHERE_DO(pool = real->g_thread_pool_new(run, work, most, exclusive, error));
    return pool;
}

/* Null if it is not one of ours. */
static const pool_work *work_of(void *pool)
{
    const pool_work *fields = pool;
    return pool && fields->function == run ? fields->context : 0;
}

SER_EXPORT int g_thread_pool_push(void *pool, void *data, void *error)
{
    const pool_work *work = work_of(pool);
    if (work)
        put(given_to(work), 1, SER_STREAM_SENT);
    int result;
    SER_ELSEWHERE_DO(result = ser_glib_real()->g_thread_pool_push(pool, data, error));
    return result;
}

SER_EXPORT void g_thread_pool_free(void *pool, int at_once, int waits)
{
    const pool_work *work = work_of(pool);
    SER_ELSEWHERE_DO(ser_glib_real()->g_thread_pool_free(pool, at_once, waits));
    if (work && waits)
        put(done_by(work), 0, SER_STREAM_RECEIVED);
}
