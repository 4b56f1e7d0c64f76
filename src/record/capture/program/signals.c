/* SPDX-License-Identifier: MIT */
#include "record/capture/program/signals.h"

#include <errno.h>
#include <time.h>

#include "base/interrupt.h"

enum { ECHO_NANOSECONDS = 200000000 }; /* between two signals that mean one */

/* For signal handlers. */
static volatile pid_t signalled_process;
static ser_channel *volatile signalled_channel;
static volatile sig_atomic_t was_signalled, ends_command;

static const int forwarded[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

/* What was done about signals before the program ran. */
static struct sigaction before_child, before[FORWARDED];

/* Incrementing `published` makes a wait that is about to begin return at once. */
static void look_soon(void)
{
    ser_channel *channel = signalled_channel;
    if (channel)
        __atomic_fetch_add(&channel->published, 1, __ATOMIC_SEQ_CST);
}

static void on_child(int number)
{
    (void)number;
    int saved = errno;
    look_soon();
    errno = saved;
}

static bool asks_to_end(int number)
{
    return number != SIGUSR1 && number != SIGUSR2;
}

/* si_code is positive for what the kernel sent: Ctrl-C, which goes to the program, too. */
static void on_signal(int number, siginfo_t *about, void *context)
{
    (void)context;
    int saved = errno;
    was_signalled = 1;
    if (ends_command && asks_to_end(number))
        ser_interrupt_note();
    if (about->si_code <= 0 && signalled_process > 0)
        kill(signalled_process, number);
    look_soon();
    errno = saved;
}

static void catch_signals(ser_channel *channel)
{
    struct sigaction child = {.sa_handler = on_child, .sa_flags = SA_NOCLDSTOP};
    struct sigaction other = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    signalled_channel = channel;
    was_signalled = 0;
    sigemptyset(&child.sa_mask);
    sigemptyset(&other.sa_mask);
    sigaction(SIGCHLD, &child, &before_child);
    for (size_t i = 0; i < FORWARDED; i++)
        sigaction(forwarded[i], &other, &before[i]);
}

/* A signal that comes before the program's process number is known would be lost. */
void ser_signals_hold(ser_channel *channel, bool interruptible, sigset_t *mask)
{
    sigset_t held;
    ends_command = interruptible;
    sigemptyset(&held);
    for (size_t i = 0; i < FORWARDED; i++)
        sigaddset(&held, forwarded[i]);
    sigprocmask(SIG_BLOCK, &held, mask);
    catch_signals(channel);
}

void ser_signals_release(void)
{
    signalled_process = 0;
    sigaction(SIGCHLD, &before_child, NULL);
    for (size_t i = 0; i < FORWARDED; i++)
        sigaction(forwarded[i], &before[i], NULL);
    signalled_channel = NULL;
}

void ser_signals_reset(const sigset_t *mask)
{
    static const int more[] = {SIGCHLD, SIGPIPE, SIGXFSZ};
    ser_signals_release();
    sigprocmask(SIG_SETMASK, mask, NULL);
    for (size_t i = 0; i < FORWARDED; i++)
        signal(forwarded[i], SIG_DFL);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        signal(more[i], SIG_DFL);
}

void ser_signals_forward(pid_t process, const sigset_t *mask)
{
    signalled_process = process;
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* timeout(1) sends its signal twice, to us and to our group. The second one was meant for the
 * program as well, not for the work that follows its end. */
void ser_signals_end(void)
{
    struct timespec time = {.tv_nsec = ECHO_NANOSECONDS};
    signalled_process = 0;
    while (was_signalled && !ends_command && nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
    ser_signals_release();
}
