/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers set a flag, without SA_RESTART, so that blocking reads return.
 * The budget is a timer that keeps ringing once it has expired: a signal that
 * arrives just before a read blocks would otherwise be lost.
 */
#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>

enum { RING_AGAIN_MICROSECONDS = 100000 };

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t budget_exhausted;
static atomic_bool abandoned;

static void note_signal(int signal_number)
{
    if (signal_number == SIGALRM)
        budget_exhausted = 1;
    else
        interrupted = 1;
}

static void handle(int signal_number, int flags)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void ser_interrupt_catch(void)
{
    /* The second signal finds the default action: the process ends. */
    handle(SIGINT, (int)SA_RESETHAND);
    handle(SIGTERM, (int)SA_RESETHAND);
}

void ser_interrupt_forget(void)
{
    interrupted = 0;
    ser_interrupt_catch();
}

void ser_budget_start(double seconds)
{
    enum { LONGEST_SECONDS = 100000000 }; /* three years; fits every time_t */
    if (seconds > LONGEST_SECONDS)
        seconds = LONGEST_SECONDS;
    time_t whole = (time_t)seconds;
    struct itimerval timer = {
        .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)((seconds - (double)whole) * 1e6)},
        .it_interval = {.tv_usec = RING_AGAIN_MICROSECONDS},
    };
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1; /* zero would disarm the timer */
    handle(SIGALRM, 0);
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool ser_interrupted(void)
{
    return interrupted;
}

bool ser_budget_exhausted(void)
{
    return budget_exhausted;
}

bool ser_should_stop(void)
{
    return interrupted || budget_exhausted;
}

void ser_threads_abandoned(void)
{
    atomic_store(&abandoned, true);
}

bool ser_has_abandoned_threads(void)
{
    return atomic_load(&abandoned);
}

const char *ser_stop_reason(void)
{
    if (interrupted)
        return "interrupted";
    return budget_exhausted ? "the budget was used up" : NULL;
}
