/* SPDX-License-Identifier: MIT */
/*
 * System calls that the program makes itself: through `syscall`, or by functions that bypass the C
 * library's bookkeeping. Futexes are waited for like other objects; a thread that ends this way has
 * ended for the others, too; and a new process that is a copy of this one stops recording as a
 * forked one does.
 */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/sharing.h"
#include "runtime/posix/start.h"
#include "runtime/posix/sync/sync.h"
#include "runtime/posix/thread.h"

static long with_errno(long result)
{
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

/* Does the call make a process with memory of its own? */
static bool copies_process(long number, const long *a)
{
    switch (number) {
#ifdef SYS_fork
    case SYS_fork:
        return true;
#endif
    case SYS_clone:
        return !(a[0] & CLONE_VM);
    case SYS_clone3:
        return a[0] && !(*(const uint64_t *)a[0] & CLONE_VM);
    default:
        return false;
    }
}

static long ask_kernel(long number, const long *a)
{
    if (number == SYS_exit)
        ser_thread_finish();
    if (number == SYS_shmat || (number == SYS_mmap && (a[3] & MAP_SHARED)))
        ser_sharing_begins();
    bool copies = copies_process(number, a);
    long result = ser_sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (copies && result == 0)
        ser_stop_in_child();
    return result;
}

SER_EXPORT long syscall(long number, ...)
{
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_exit_group)
        _exit((int)a[0]);
    return with_errno(number == SYS_futex ? ser_futex(a) : ask_kernel(number, a));
}

/* Like fork, but no handler of pthread_atfork is called. */
SER_EXPORT pid_t _Fork(void)
{
    ser_real_find();
    pid_t child = ser_real._Fork();
    if (child == 0)
        ser_stop_in_child();
    return child;
}

typedef struct beginning {
    int (*start)(void *);
    void *argument;
} beginning;

static int begin_copy(void *argument)
{
    const beginning *copy = argument;
    ser_stop_in_child();
    return copy->start(copy->argument);
}

SER_EXPORT int clone(int (*start)(void *), void *stack, int flags, void *argument, ...)
{
    va_list arguments;
    va_start(arguments, argument);
    pid_t *parent = va_arg(arguments, pid_t *);
    void *storage = va_arg(arguments, void *);
    pid_t *child = va_arg(arguments, pid_t *);
    va_end(arguments);
    ser_real_find();
    beginning copy = {start, argument}; /* the child has a copy of it at the same place */
    if (start && !(flags & CLONE_VM))
        return ser_real.clone(begin_copy, stack, flags, &copy, parent, storage, child);
    return ser_real.clone(start, stack, flags, argument, parent, storage, child);
}
