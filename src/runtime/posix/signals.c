/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers of the program do not run inside the runtime.
 *
 * A handler may never return: it may jump out of whatever it has interrupted, for instance where
 * the thread has a lock of the runtime, or was just given the token. So our own handler comes
 * before those of the program. If the thread is inside, the signal is deferred: the thread sends it
 * to itself again where it next enters (it has no limit then, so it takes the slow path), sleeps,
 * or changes its mask or the handler. So it never sees that others have gone on after they sent a
 * signal before its handler has run. A timer does the same a moment later, for threads that do
 * nothing of the kind. The program's handler gets the original siginfo. Entering and leaving costs
 * nothing extra.
 *
 * Two kinds are delivered at once: faults, since the thread cannot go on, and signals while it
 * sleeps inside, since a program expects them to end waits. If their handlers jump away,
 * ser_signals_arrive repairs the state where they arrive. A handler may also jump, or throw an
 * exception, within itself, and return to what it interrupted: its thread keeps a note of where the
 * handler's frames are, and nothing is repaired if control arrives in these.
 */
#include "runtime/posix/signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/records/lines.h"
#include "runtime/posix/real.h"
#include "runtime/posix/sync/sync.h"

enum { COUNT = 65, SOON = 20000, LATER = 1000000 /* ns */ };

static ser_runtime_world *const world = &ser_the_world;

/* What the program wants, by signal. */
static struct {
    void (*handler)(int, siginfo_t *, void *);
    int flags;
} wanted[COUNT];

static void handle(int number, siginfo_t *info, void *context);

static bool is_recorded(const ser_thread *thread)
{
    return thread != &ser_nobody && thread != &ser_stranger;
}

/* The thread cannot go on without the handler. */
static bool is_fault(int number, const siginfo_t *info)
{
    bool may_be = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
                  number == SIGTRAP || number == SIGSYS;
    return may_be && info->si_code > 0;
}

static bool must_wait(const ser_thread *me)
{
    uint32_t inside = __atomic_load_n(&me->inside, __ATOMIC_RELAXED);
    return is_recorded(me) && (inside == SER_INSIDE || inside == SER_ALONE) && !me->asleep;
}

static bool set_timer(const ser_delayed *delayed)
{
    struct itimerspec when = {.it_value.tv_nsec = delayed->tries < 10 ? SOON : LATER};
    return ser_sys(SYS_timer_settime, delayed->timer, 0, (long)&when, 0, 0, 0) == 0;
}

/* The kernel has reset the handler (SA_RESETHAND): it is set again, to be called once more. */
static void install_again(int number)
{
    struct sigaction action;
    if (!(wanted[number].flags & SA_RESETHAND) || ser_real.sigaction(number, 0, &action) != 0)
        return;
    action.sa_sigaction = handle;
    action.sa_flags = wanted[number].flags | SA_SIGINFO;
    ser_real.sigaction(number, &action, 0);
}

static bool put_off_again(ser_thread *me, ser_delayed *delayed)
{
    install_again(delayed->number);
    if (!set_timer(delayed))
        return false;
    me->defers = true;
    ser_compiler_barrier();
    ser_drop_limits(me);
    return true;
}

/* False if it cannot be. */
static bool put_off(ser_thread *me, int number, const siginfo_t *info)
{
    ser_delayed *delayed = 0;
    for (int i = 0; i < SER_DELAYED; i++) {
        if (me->delayed[i].number == number)
            return true; /* as the kernel does with a signal that is pending already */
        if (!me->delayed[i].number)
            delayed = &me->delayed[i];
    }
    if (!delayed)
        return false;
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number, .sigev_value.sival_ptr = delayed};
    event._sigev_un._tid = (int)me->tid;
    if (ser_sys(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&delayed->timer, 0, 0, 0))
        return false;
    delayed->info = *info;
    delayed->tries = 0;
    delayed->number = number;
    if (put_off_again(me, delayed))
        return true;
    delayed->number = 0;
    return false;
}

/* The deferred signal that is sent again; null: it is a new one. */
static ser_delayed *find_delayed(ser_thread *me, const siginfo_t *info)
{
    const ser_delayed *sent = info->si_value.sival_ptr;
    for (int i = 0; info->si_code == SI_TIMER && is_recorded(me) && i < SER_DELAYED; i++)
        if (sent == &me->delayed[i])
            return &me->delayed[i];
    return 0;
}

static void forget(ser_delayed *delayed)
{
    ser_sys(SYS_timer_delete, delayed->timer, 0, 0, 0, 0, 0);
    delayed->number = 0;
}

/* The thread is inside, or waits: this handler, whose frame is `high`, may return there, or never.
 * Returns how many such handlers were running before. A handler that interrupts us here puts its
 * note behind ours. */
static uint32_t note_handler(ser_thread *me, const ucontext_t *context, uintptr_t high)
{
    enum { FAR = 1 << 18 }; /* on a stack that the program has made: as deep as handlers go */
    uint32_t before = me->handler_count;
    uintptr_t low = me->stack_low, alternate = (uintptr_t)context->uc_stack.ss_sp;
    if (!is_recorded(me) || before == SER_HANDLERS || (me->inside == SER_AWAY && !me->waits))
        return before;
    me->handler_count = before + 1;
    ser_compiler_barrier();
    if (high - alternate < context->uc_stack.ss_size)
        low = alternate;
    else if (high - me->stack_low >= me->stack_size)
        low = high - FAR;
    me->handlers[before] = (ser_handler_frames){low, high};
    return before;
}

/* Is this a frame of a handler that has interrupted the thread? Those that it interrupted itself
 * are still there; those that interrupted it are gone. */
static bool is_in_handler(ser_thread *me, uintptr_t frame)
{
    while (me->handler_count > 0) {
        const ser_handler_frames *handler = &me->handlers[me->handler_count - 1];
        if (frame - handler->low < handler->high - handler->low)
            return true;
        me->handler_count--;
    }
    return false;
}

/* In system calls that are cancellation points the C library lets a thread be cancelled at any
 * place, and a handler that interrupts them would inherit that: it enters the runtime, where its
 * thread must not end. If it was cancelled meanwhile, it ends after the handler. */
static __attribute__((noinline)) void call_handler(ser_thread *me, int number, siginfo_t *info,
                                                   void *context)
{
    int type = PTHREAD_CANCEL_DEFERRED;
    uint32_t before = note_handler(me, context, (uintptr_t)__builtin_frame_address(0));
    ser_real.pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    uint32_t at = me->at;
    struct ser_abi_site *calling = me->calling;
    __atomic_load_n(&wanted[number].handler, __ATOMIC_ACQUIRE)(number, info, context);
    if (is_recorded(me)) {
        me->handler_count = before;
        me->at = at;
        me->calling = calling;
    }
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        ser_real.pthread_setcanceltype(type, 0);
}

static void handle(int number, siginfo_t *info, void *context)
{
    ser_thread *me = ser_self;
    ser_delayed *delayed = find_delayed(me, info);
    siginfo_t first;
    if (delayed && delayed->number != number)
        return; /* the timer and the thread have both sent it, and it was handled */
    if (!is_fault(number, info) && must_wait(me)) {
        if (delayed ? (delayed->tries++, put_off_again(me, delayed)) : put_off(me, number, info))
            return;
    }
    if (delayed) {
        first = delayed->info;
        info = &first;
        forget(delayed);
    }
    call_handler(me, number, info, context);
    if (is_recorded(me) && !(wanted[number].flags & SA_RESTART))
        me->interrupted = true;
}

/* The kernel calls the handler, with the mask and on the stack that the program wants. One that is
 * blocked, since another handler runs, stays with the kernel. If it cannot be sent the timer is
 * left. */
void ser_signals_handle_deferred(ser_thread *me)
{
    if (!me->defers)
        return;
    me->defers = false;
    ser_compiler_barrier();
    for (int i = 0; i < SER_DELAYED; i++) {
        ser_delayed *delayed = &me->delayed[i];
        int number = delayed->number;
        siginfo_t again = {.si_signo = number, .si_code = SI_TIMER};
        again.si_value.sival_ptr = delayed;
        if (number)
            ser_sys(SYS_rt_tgsigqueueinfo, world->process, me->tid, number, (long)&again, 0, 0);
    }
}

/* The program asks for something that decides what becomes of signals that come later. */
static void handle_earlier(void)
{
    ser_thread *me = ser_self;
    ser_real_find();
    if (is_recorded(me) && !must_wait(me))
        ser_signals_handle_deferred(me);
}

void ser_signals_pass_on(ser_thread *me)
{
    for (int i = 0; i < SER_DELAYED; i++) {
        ser_delayed *delayed = &me->delayed[i];
        int number = delayed->number;
        if (!number)
            continue;
        forget(delayed);
        ser_sys(SYS_rt_sigqueueinfo, world->process, number, (long)&delayed->info, 0, 0, 0);
    }
}

/* Serial mode: as if it had just entered. */
static void resume(ser_thread *me)
{
    ser_token_resume(me);
    ser_object_forsake(me);
    if (me->locked_size)
        ser_lines_unlock(me, (const void *)me->locked_at, me->locked_size);
    ser_leave(me);
}

void ser_signals_arrive(void)
{
    ser_thread *me = ser_self;
    if (!is_recorded(me) || is_in_handler(me, (uintptr_t)__builtin_frame_address(0)))
        return;
    me->asleep = me->waits = false;
    if (me->inside == SER_INSIDE || me->inside == SER_ALONE) {
        resume(me);
    } else if (world->parallel && me->state == SER_WAITS) {
        me->inside = SER_INSIDE;
        ser_compiler_barrier();
        ser_token_resume(me);
        ser_object_forsake(me);
        ser_leave_sync(me);
    }
}

static bool is_function(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* What the program sees of an action. */
static void show(struct sigaction *action, void (*handler)(int, siginfo_t *, void *), int flags)
{
    if (action->sa_sigaction != handle)
        return;
    action->sa_sigaction = handler;
    if (!(flags & SA_SIGINFO))
        action->sa_flags &= ~SA_SIGINFO;
}

SER_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    handle_earlier();
    if (number < 1 || number >= COUNT)
        return ser_real.sigaction(number, action, before);
    void (*handler)(int, siginfo_t *, void *) = wanted[number].handler;
    int flags = wanted[number].flags;
    struct sigaction ours;
    if (action && is_function(action) && world->channel) {
        ours = *action;
        __atomic_store_n(&wanted[number].handler, action->sa_sigaction, __ATOMIC_RELEASE);
        wanted[number].flags = action->sa_flags;
        ours.sa_sigaction = handle;
        ours.sa_flags |= SA_SIGINFO;
        action = &ours;
    }
    int result = ser_real.sigaction(number, action, before);
    if (result == 0 && before)
        show(before, handler, flags);
    return result;
}

/* By a function with flags of its own (signal, sysv_signal): the handler that it has installed
 * is then put behind ours. */
static ser_handler install(ser_handler (*by)(int, ser_handler), int number, ser_handler handler)
{
    struct sigaction action;
    ser_handler shown =
        number > 0 && number < COUNT ? (ser_handler)(void *)wanted[number].handler : SIG_ERR;
    ser_handler before = by(number, handler);
    if (before != SIG_ERR && ser_real.sigaction(number, 0, &action) == 0)
        sigaction(number, &action, 0);
    return before == (ser_handler)(void *)handle ? shown : before;
}

SER_EXPORT ser_handler signal(int number, ser_handler handler)
{
    handle_earlier();
    return install(ser_real.signal, number, handler);
}

SER_EXPORT ser_handler __sysv_signal(int number, ser_handler handler)
{
    handle_earlier();
    return install(ser_real.__sysv_signal, number, handler);
}

SER_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    handle_earlier();
    return ser_real.pthread_sigmask(how, set, before);
}

SER_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    handle_earlier();
    return ser_real.sigprocmask(how, set, before);
}

SER_EXPORT int sigpending(sigset_t *set)
{
    handle_earlier();
    return ser_real.sigpending(set);
}
