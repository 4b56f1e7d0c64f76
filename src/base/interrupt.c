/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers set a flag, without SA_RESTART, so that blocking reads return.
 * The budget is a timer that keeps firing after it has expired, since a single signal just before a
 * read blocks would be lost.
 */
#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "base/clock.h"

enum { RING_AGAIN_MICROSECONDS = 100000, ECHO_SECONDS = 1 };

static volatile sig_atomic_t interrupted, was_interrupted;
static volatile sig_atomic_t budget_exhausted;
static atomic_bool abandoned;
static volatile sig_atomic_t first_second, first_millisecond; /* when the first signal came */
static double deferred_until;                                 /* 0: not deferred */
static double stop_time;                                      /* 0: none */
static double writing_ends;                                   /* 0: has not begun to end */

/* Is this a second request, and not a duplicate of the first signal? */
static bool is_another(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int second = (int)now.tv_sec, millisecond = (int)(now.tv_nsec / 1000000);
    if (!interrupted) {
        first_second = second;
        first_millisecond = millisecond;
        return false;
    }
    return (second - first_second) * 1000 + millisecond - first_millisecond > ECHO_SECONDS * 1000;
}

void ser_interrupt_note(void)
{
    is_another(); /* sets the time */
    interrupted = was_interrupted = 1;
}

static void note_signal(int signal_number)
{
    if (signal_number == SIGALRM) {
        budget_exhausted = 1;
    } else if (is_another()) { /* a second request: the default action ends the process */
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    } else {
        interrupted = was_interrupted = 1;
    }
}

static void handle(int signal_number)
{
    struct sigaction action = {.sa_handler = note_signal};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void ser_interrupt_catch(void)
{
    handle(SIGINT);
    handle(SIGTERM);
}

void ser_interrupt_forget(void)
{
    interrupted = 0;
    deferred_until = writing_ends = 0;
    ser_interrupt_catch();
}

void ser_interrupt_reset(void)
{
    interrupted = was_interrupted = 0;
    deferred_until = writing_ends = 0;
}

void ser_interrupt_defer(double seconds)
{
    deferred_until = ser_clock_now() + seconds;
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
    handle(SIGALRM);
    setitimer(ITIMER_REAL, &timer, NULL);
}

double ser_stop_at(double time)
{
    double before = stop_time;
    stop_time = time;
    return before;
}

double ser_stop_sooner(double time)
{
    bool is_sooner = time > 0 && (stop_time <= 0 || time < stop_time);
    return ser_stop_at(is_sooner ? time : stop_time);
}

bool ser_interrupted(void)
{
    return interrupted && (deferred_until == 0 || ser_clock_now() >= deferred_until);
}

bool ser_was_interrupted(void)
{
    return was_interrupted;
}

bool ser_budget_exhausted(void)
{
    return budget_exhausted;
}

static bool is_time_up(void)
{
    return stop_time != 0 && ser_clock_now() >= stop_time;
}

bool ser_should_stop(void)
{
    return ser_interrupted() || budget_exhausted || is_time_up();
}

static void (*waiting_call)(void *context);
static void *waiting_context;

void ser_on_waiting(void (*call)(void *context), void *context)
{
    waiting_call = call;
    waiting_context = context;
}

void ser_waiting(void)
{
    if (waiting_call)
        waiting_call(waiting_context);
}

bool ser_should_stop_writing(void)
{
    const double moment = 0.75; /* seconds */
    if (!ser_should_stop())
        return false;
    if (writing_ends == 0)
        writing_ends = ser_clock_now() + moment;
    return ser_clock_now() >= writing_ends;
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
    if (ser_interrupted())
        return "interrupted";
    if (budget_exhausted)
        return "the budget was used up";
    return is_time_up() ? "the time was up" : NULL;
}
