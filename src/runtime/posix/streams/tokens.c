/* SPDX-License-Identifier: MIT */
/*
 * Semaphores and message queues of the kernel, as far as they are used as one token that threads
 * pass on: a lock, or one message at a time. What a call takes and gives is recorded as of a
 * stream. Where there was more than one of them, or a call does several things at once, which of
 * them let a thread go on is not known, and the recorder treats all calls as those of the outside
 * (record/events/streams.h): for that each call also says when it begins and ends.
 */
#include <errno.h>
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

static uint64_t identity(unsigned kind, uint64_t number)
{
    return (uint64_t)kind << 56 | (number & ((UINT64_C(1) << 56) - 1));
}

/* --- one call ------------------------------------------------------------------- */

/* It gives what others can take. */
static void begin_giving(uint64_t stream, uint64_t amount, bool may_wait)
{
    ser_stream_put(stream, amount, SER_STREAM_SENT);
    if (may_wait)
        ser_stream_go_outside();
}

static void end_giving(uint64_t stream, uint64_t amount, bool succeeded)
{
    if (!succeeded)
        ser_stream_put(stream, amount, SER_STREAM_UNSENT);
    ser_stream_put(stream, 0, SER_STREAM_ENDS);
}

static void begin_taking(uint64_t stream, bool may_wait)
{
    ser_stream_put(stream, 0, SER_STREAM_BEGINS);
    if (may_wait)
        ser_stream_go_outside();
}

static void end_taking(uint64_t stream, uint64_t amount, bool succeeded)
{
    bool found_nothing = !succeeded && (errno == EAGAIN || errno == ENOMSG || errno == ETIMEDOUT);
    if (succeeded || found_nothing)
        ser_stream_put(stream, succeeded ? amount : 0,
                       succeeded ? SER_STREAM_RECEIVED : SER_STREAM_EMPTY);
}

/* --- semaphores ------------------------------------------------------------------- */

static uint64_t semaphore(int set, unsigned number)
{
    enum { NUMBER_BITS = 16 };
    return identity(SER_STREAM_SEMAPHORE, (uint64_t)(unsigned)set << NUMBER_BITS | number);
}

/* Those that are free while they are zero: to wait for that and count up is to take them, and to
 * count down gives them back (the example of semop(2)). */
enum { FREE_AT_ZERO = 64 };
static uint64_t free_at_zero[FREE_AT_ZERO];

static bool takes_zero(const struct sembuf *steps, size_t count)
{
    return count == 2 && steps[0].sem_op == 0 && steps[1].sem_op == 1 &&
           steps[0].sem_num == steps[1].sem_num;
}

/* False: there are too many. Two threads that add it at once may both do so. */
static bool is_free_at_zero(uint64_t stream, bool adds)
{
    for (int i = 0; i < FREE_AT_ZERO; i++) {
        uint64_t known = __atomic_load_n(&free_at_zero[i], __ATOMIC_RELAXED);
        if (known == 0 && adds &&
            __atomic_compare_exchange_n(&free_at_zero[i], &known, stream, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (known == stream || known == 0)
            return known == stream;
    }
    return false;
}

/* How many the call takes; below 0: gives back. 0: it does something else. */
static int amount_taken(uint64_t stream, const struct sembuf *steps, size_t count)
{
    if (takes_zero(steps, count))
        return is_free_at_zero(stream, true);
    if (count != 1 || (steps[0].sem_op > 0 && is_free_at_zero(stream, false)))
        return 0;
    return is_free_at_zero(stream, false) ? steps[0].sem_op : -steps[0].sem_op;
}

static bool may_wait_for_steps(const struct sembuf *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].sem_flg & IPC_NOWAIT)
            return false;
    return true;
}

static void begin_steps(int set, const struct sembuf *steps, size_t count)
{
    for (size_t i = 0; i < (takes_zero(steps, count) ? 1 : count); i++) {
        uint64_t stream = semaphore(set, steps[i].sem_num);
        int amount = amount_taken(stream, steps, count);
        if (amount == 0)
            ser_stream_put(stream, 1, SER_STREAM_BEGINS);
        else if (amount < 0)
            begin_giving(stream, (uint64_t)-amount, false);
        else
            begin_taking(stream, false);
    }
    if (may_wait_for_steps(steps, count))
        ser_stream_go_outside();
}

static void end_steps(int set, const struct sembuf *steps, size_t count, bool succeeded)
{
    for (size_t i = 0; i < (takes_zero(steps, count) ? 1 : count); i++) {
        uint64_t stream = semaphore(set, steps[i].sem_num);
        int amount = amount_taken(stream, steps, count);
        if (amount == 0)
            ser_stream_put(stream, 1, SER_STREAM_ENDS);
        else if (amount < 0)
            end_giving(stream, (uint64_t)-amount, succeeded);
        else
            end_taking(stream, (uint64_t)amount, succeeded);
    }
}

SER_EXPORT int semop(int set, struct sembuf *steps, size_t count)
{
    ser_real_find();
    begin_steps(set, steps, count);
    int result = ser_real.semop(set, steps, count);
    end_steps(set, steps, count, result == 0);
    return result;
}

SER_EXPORT int semtimedop(int set, struct sembuf *steps, size_t count, ser_time limit)
{
    ser_real_find();
    begin_steps(set, steps, count);
    int result = ser_real.semtimedop(set, steps, count, limit);
    end_steps(set, steps, count, result == 0);
    return result;
}

/* --- message queues ----------------------------------------------------------------- */

static uint64_t mailbox(int queue)
{
    return identity(SER_STREAM_MAILBOX, (unsigned)queue);
}

SER_EXPORT int msgsnd(int queue, const void *message, size_t size, int flags)
{
    ser_real_find();
    begin_giving(mailbox(queue), 1, !(flags & IPC_NOWAIT));
    int result = ser_real.msgsnd(queue, message, size, flags);
    end_giving(mailbox(queue), 1, result == 0);
    return result;
}

SER_EXPORT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
    ser_real_find();
    begin_taking(mailbox(queue), !(flags & IPC_NOWAIT));
    ssize_t result = ser_real.msgrcv(queue, message, size, type, flags);
    end_taking(mailbox(queue), 1, result >= 0);
    return result;
}

/* Two descriptors may be of one queue. 0: it is none. */
static uint64_t posix_mailbox(mqd_t queue)
{
    static const uint64_t not_of_msgget = UINT64_C(1) << 55;
    struct stat status;
    int saved = errno;
    bool known = fstat(queue, &status) == 0;
    errno = saved;
    return known ? identity(SER_STREAM_MAILBOX, not_of_msgget | status.st_ino) : 0;
}

static bool may_wait_for(mqd_t queue)
{
    struct mq_attr attributes;
    int saved = errno;
    bool known = mq_getattr(queue, &attributes) == 0;
    errno = saved;
    return !known || !(attributes.mq_flags & O_NONBLOCK);
}

#define SER_GIVE(name, parameters, arguments)                                                      \
    SER_EXPORT int name parameters                                                                 \
    {                                                                                              \
        ser_real_find();                                                                           \
        uint64_t stream = posix_mailbox(queue);                                                    \
        begin_giving(stream, 1, may_wait_for(queue));                                              \
        int result = ser_real.name arguments;                                                      \
        end_giving(stream, 1, result == 0);                                                        \
        return result;                                                                             \
    }
SER_GIVE(mq_send, (mqd_t queue, const char *text, size_t size, unsigned priority),
         (queue, text, size, priority))
SER_GIVE(mq_timedsend,
         (mqd_t queue, const char *text, size_t size, unsigned priority, ser_time limit),
         (queue, text, size, priority, limit))

#define SER_TAKE(name, parameters, arguments)                                                      \
    SER_EXPORT ssize_t name parameters                                                             \
    {                                                                                              \
        ser_real_find();                                                                           \
        uint64_t stream = posix_mailbox(queue);                                                    \
        begin_taking(stream, may_wait_for(queue));                                                 \
        ssize_t result = ser_real.name arguments;                                                  \
        end_taking(stream, 1, result >= 0);                                                        \
        return result;                                                                             \
    }
SER_TAKE(mq_receive, (mqd_t queue, char *text, size_t size, unsigned *priority),
         (queue, text, size, priority))
SER_TAKE(mq_timedreceive,
         (mqd_t queue, char *text, size_t size, unsigned *priority, ser_time limit),
         (queue, text, size, priority, limit))
