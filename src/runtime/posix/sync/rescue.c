/* SPDX-License-Identifier: MIT */
/*
 * May a signal handler end a wait? It could post a semaphore, end the program, jump away, or wake
 * threads in ways that POSIX does not allow but that work. The kernel knows what is handled.
 *
 * Handlers for errors of a thread do not count: a thread that sleeps makes none. Nor do, except for
 * semaphores, handlers of signals that are only sent from outside (to end the program, or about its
 * terminal), or that depend on processor time, which waiting threads do not use: otherwise a
 * program that handles Ctrl-C could never deadlock.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "runtime/core/core.h"
#include "runtime/posix/real.h"
#include "runtime/posix/sync/sync.h"

enum { COUNT = 65, FIRST_OF_C_LIBRARY = 32, LAST_OF_C_LIBRARY = 33 };

static uint64_t bit_of(int number)
{
    return UINT64_C(1) << (number - 1);
}

/* Which signals have handlers, of those that others can send. */
static uint64_t handled(void)
{
    static const int errors[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    uint64_t set = 0;
    struct sigaction action;
    for (int number = 1; number < COUNT; number++)
        if ((number < FIRST_OF_C_LIBRARY || number > LAST_OF_C_LIBRARY) &&
            sigaction(number, 0, &action) == 0 && action.sa_handler != SIG_DFL &&
            action.sa_handler != SIG_IGN)
            set |= bit_of(number);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        set &= ~bit_of(errors[i]);
    return set;
}

bool ser_has_handlers(void)
{
    return handled() != 0;
}

/* The timer of alarm() and setitimer(), or one of timer_create(). */
static bool has_timers(void)
{
    char first;
    struct itimerval timer = {0};
    getitimer(ITIMER_REAL, &timer);
    if (timer.it_value.tv_sec || timer.it_value.tv_usec)
        return true;
    long file =
        ser_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/timers", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file < 0)
        return true; /* it is not known */
    long got = ser_sys(SYS_read, file, (long)&first, 1, 0, 0, 0);
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    return got != 0;
}

static bool has_children(void)
{
    siginfo_t info;
    return ser_sys(SYS_waitid, P_ALL, 0, (long)&info, WEXITED | WNOHANG | WNOWAIT, 0, 0) == 0;
}

bool ser_signal_may_rescue(void)
{
    static const int others[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGTSTP,   SIGTTIN, SIGTTOU,
                                 SIGCONT, SIGPIPE, SIGWINCH, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ};
    uint64_t set = handled();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        set &= ~bit_of(others[i]);
    if (set & bit_of(SIGALRM) && !has_timers())
        set &= ~bit_of(SIGALRM);
    if (set & bit_of(SIGCHLD) && !has_children())
        set &= ~bit_of(SIGCHLD);
    return set != 0;
}
