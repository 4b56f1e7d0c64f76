/* SPDX-License-Identifier: MIT */
/*
 * Locks of files.
 *
 * One that is only ever taken for itself alone, by one descriptor at a time, is a token: a call
 * that takes it receives what the last one that gave it back has sent, so that the record looks
 * like that of a pipe with one byte in it. Others may have many holders, or hold parts of the file,
 * or are the whole process's (lockf, F_SETLK). These are *mixed*: which call has let a thread go on
 * is not known, so that each call may let others in, and one that takes it comes after all calls
 * before. A lock is mixed from the moment on at which a thread got it while another has it, or
 * used it through a copy of a descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

enum { LOCKS = 64, DESCRIPTORS = 1024, NOBODY = -1 };

/* What is known of a lock; valid inside (ser_enter_sync). */
typedef struct file_lock {
    uint64_t identity; /* 0: a free place */
    int holder;        /* a descriptor */
    bool is_mixed;
} file_lock;

static file_lock locks[LOCKS];
static bool is_copied[DESCRIPTORS];
static uint32_t locks_are_used;

static uint64_t identity_of(int descriptor)
{
    struct stat status;
    int saved = errno;
    bool known = fstat(descriptor, &status) == 0;
    errno = saved;
    return known ? (uint64_t)SER_STREAM_LOCK << 56 |
                       ((status.st_ino + (status.st_dev << 40)) & ((UINT64_C(1) << 56) - 1))
                 : 0;
}

/* Where the lock is, or would be; null if there is no place left. */
static file_lock *find(uint64_t identity)
{
    for (int i = 0; i < LOCKS; i++)
        if (locks[i].identity == identity || locks[i].identity == 0)
            return &locks[i];
    return 0;
}

void ser_file_lock_copied(int descriptor, int copy)
{
    if (descriptor >= 0 && descriptor < DESCRIPTORS && copy >= 0)
        is_copied[descriptor] = true;
    if (copy >= 0 && copy < DESCRIPTORS)
        is_copied[copy] = true;
}

static bool has_copies(int descriptor)
{
    return descriptor < 0 || descriptor >= DESCRIPTORS || is_copied[descriptor];
}

/* Before a call that takes the lock. The first one finds the token there. Another kind of lock in
 * the place of one that is held lets others go on. */
static void begin_taking(uint64_t identity, int descriptor, bool is_of_process)
{
    __atomic_store_n(&locks_are_used, 1, __ATOMIC_RELAXED);
    ser_thread *me = identity && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    file_lock *lock = find(identity);
    bool is_first = lock && lock->identity == 0;
    if (is_first)
        *lock = (file_lock){identity, NOBODY, false};
    if (lock)
        lock->is_mixed |= is_of_process || has_copies(descriptor) || lock->holder == descriptor;
    if (!lock || lock->is_mixed || is_first)
        ser_put_stream(me, identity, 1, SER_STREAM_SENT);
    ser_stream_leave_for_long(me);
}

static void end_taking(uint64_t identity, int descriptor)
{
    int saved = errno;
    ser_thread *me = identity && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        file_lock *lock = find(identity);
        if (lock) {
            lock->is_mixed |= lock->holder != NOBODY;
            lock->holder = descriptor;
        }
        ser_put_stream(me, identity, 0, SER_STREAM_RECEIVED);
        ser_leave_sync(me);
    }
    errno = saved;
}

/* A descriptor that has not taken the lock may be closed while another one has it. */
static void let_others_in(ser_thread *me, uint64_t identity, file_lock *lock, int descriptor,
                          bool is_close)
{
    bool is_holder = lock && lock->holder == descriptor;
    bool is_held = lock && lock->holder != NOBODY;
    if (lock)
        lock->is_mixed |= is_holder ? has_copies(descriptor) : is_held && !is_close;
    if (!lock || lock->is_mixed || is_holder)
        ser_put_stream(me, identity, 1, SER_STREAM_SENT);
    if (is_holder)
        lock->holder = NOBODY;
}

/* Before a call that may give the lock back. */
static void give_back(uint64_t identity, int descriptor, bool is_close)
{
    ser_thread *me = identity && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    file_lock *lock = find(identity);
    if (!lock || lock->identity != 0)
        let_others_in(me, identity, lock, descriptor, is_close);
    ser_leave_sync(me);
}

void ser_file_lock_close(int descriptor)
{
    if (__atomic_load_n(&locks_are_used, __ATOMIC_RELAXED))
        give_back(identity_of(descriptor), descriptor, true);
}

SER_EXPORT int flock(int descriptor, int operation)
{
    ser_real_find();
    uint64_t lock = identity_of(descriptor);
    if (operation & LOCK_UN) {
        give_back(lock, descriptor, false);
        return ser_real.flock(descriptor, operation);
    }
    begin_taking(lock, descriptor, false);
    int result = ser_real.flock(descriptor, operation);
    if (result == 0)
        end_taking(lock, descriptor);
    return result;
}

SER_EXPORT int lockf(int descriptor, int command, off_t size)
{
    ser_real_find();
    uint64_t lock = identity_of(descriptor);
    begin_taking(lock, descriptor, true);
    int result = ser_real.lockf(descriptor, command, size);
    if (result == 0 && command != F_ULOCK)
        end_taking(lock, descriptor);
    return result;
}

typedef int control(int descriptor, int command, ...);

static bool is_of_process(int command)
{
    return command == F_SETLK || command == F_SETLKW;
}

static int control_lock(control *real, int descriptor, int command, void *argument)
{
    uint64_t lock = identity_of(descriptor);
    if (((const struct flock *)argument)->l_type == F_UNLCK && !is_of_process(command)) {
        give_back(lock, descriptor, false);
        return real(descriptor, command, argument);
    }
    begin_taking(lock, descriptor, is_of_process(command));
    int result = real(descriptor, command, argument);
    if (result == 0 && ((const struct flock *)argument)->l_type != F_UNLCK)
        end_taking(lock, descriptor);
    return result;
}

static bool is_lock(int command)
{
    return is_of_process(command) || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

static int control_any(control *real, int descriptor, int command, void *argument)
{
    if (is_lock(command) && argument)
        return control_lock(real, descriptor, command, argument);
    int result = real(descriptor, command, argument);
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0)
        ser_stream_copy(descriptor, result);
    return result;
}

#define SER_CONTROL(name)                                                                          \
    SER_EXPORT int name(int descriptor, int command, ...)                                          \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *argument = va_arg(more, void *);                                                     \
        va_end(more);                                                                              \
        ser_real_find();                                                                           \
        return control_any(ser_real.name, descriptor, command, argument);                          \
    }
SER_CONTROL(fcntl)
SER_CONTROL(fcntl64)
