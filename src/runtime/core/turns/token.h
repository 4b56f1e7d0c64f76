/* SPDX-License-Identifier: MIT */
/*
 * token.h - which thread runs, and waiting.
 *
 * Serial mode: the token goes from thread to thread; threads without it sleep, each on its own
 * futex. Parallel mode: all threads run, and only waiting is done here; ser_runtime_world.objects
 * then takes the place of the token for everything but accesses. All functions are called inside
 * the runtime (see enter.h).
 */
#ifndef SER_RUNTIME_CORE_TURNS_TOKEN_H
#define SER_RUNTIME_CORE_TURNS_TOKEN_H

#include "runtime/core/core.h"

/* How far the run is: records, and elided operations. The caller has the token. */
uint64_t ser_token_position(const ser_thread *holder);
/* The same for any caller, with ser_runtime_world.lock. */
uint64_t ser_token_now(void);
/* Gets the token; a new turn, if the old one is over; the room in the ring. */
void ser_token_step(ser_thread *me);
/* The thread did something that is not recorded, but counts towards the end of its turn. */
void ser_token_count(ser_thread *me);
/* Lets others run while this thread is in a call that may block. It stays without the token
 * until it enters the runtime the next time. */
void ser_token_release(ser_thread *me);
/* The same for a thread that may have lost the token already. */
void ser_token_let_go(ser_thread *me);
/* The thread's turn is over. */
void ser_token_yield(ser_thread *me);
/* Waits, without the token (parallel: without ser_runtime_world.objects), and gets it back. */
ser_wakening ser_token_wait(ser_thread *me, const ser_runtime_wait *how);
/* Ends the wait of another thread. In parallel mode that one sleeps until ser_token_send_wakes. */
void ser_token_wake(ser_thread *thread);
/* Serial mode: if the thread could run, it is next, and the caller's turn is over. */
void ser_token_prefer(ser_thread *thread);
/* Parallel mode: wakes the threads whose wait the thread has ended. Without
 * ser_runtime_world.objects: they would block on it, and system calls take long. */
void ser_token_send_wakes(ser_thread *me);
/* The same for all threads, in case one was missed; called periodically. */
void ser_token_send_all_wakes(void);
/* The process ends: threads that sleep in the runtime look, and rest (platform.h). */
void ser_token_send_to_rest(void);
/* The thread ends in the midst of its wait: by a signal handler, or cancelled at any place. */
void ser_token_forsake(ser_thread *me);
/* A signal handler has jumped out of the thread's wait, or of its sleep until its turn: neither
 * goes on. The thread has the token afterwards (parallel: ser_runtime_world.objects). */
void ser_token_resume(ser_thread *me);
/* Ends the wait of another thread for pthread_cancel, if it can be cancelled there. */
void ser_token_cancel(ser_thread *thread);
/* Ends the timed or spurious wait of another thread as if its time were over. Called with
 * ser_runtime_world.lock. */
void ser_token_expire(ser_thread *thread);
/* Ends the waits of at most that many threads for the futex, for a thread that must not touch
 * queues: it is not recorded, or is elsewhere. They leave the queue by themselves. Returns how
 * many. */
uint32_t ser_token_wake_from_outside(const uint32_t *word, uint32_t most);
/* A new thread: wants the token from now on (parallel: may run). */
void ser_token_admit(ser_thread *thread);
/* The same of one that runs at once, outside. */
void ser_token_admit_outside(ser_thread *thread);
/* A new thread, from inside itself: sleeps until it may run. */
void ser_token_await_first(ser_thread *me);
/* The thread is no more. */
void ser_token_end(ser_thread *me);
/* The head of the ring up to which there is room for one more operation. */
uint64_t ser_token_room_end(const ser_ring *ring);

/* stuck.c: takes the token from a thread that is not inside; false if it is, or no thread wants it,
 * or it need not lose it, which is asked once it cannot make another event: it may have slept
 * inside before.
 */
bool ser_token_steal(ser_thread *from, bool (*must_lose)(const ser_thread *thread));
/* Replay: nothing has happened for that long; perhaps the threads are set free. */
void ser_token_unstick(uint64_t milliseconds);

/* For waits.c. All but ser_token_sleep with ser_runtime_world.lock, in serial mode.
 *
 * Makes the next one of the queue the holder, and wakes it. */
void ser_token_hand_over(void);
/* A thread that does not run wants to: it gets the token if that is free. `asking` is the
 * calling thread, if it is the same one and does not sleep yet. */
void ser_token_make_ready(ser_thread *thread, const ser_thread *asking);
/* The thread's object is free now, and it lost that to others too often: it runs before any
 * other thread. */
void ser_token_be_next(ser_thread *thread);
/* Until the thread has the token. */
void ser_token_sleep(ser_thread *me);
/* handler_wakes.c: with the token, wakes those that handlers of the thread wanted to wake. */
void ser_handler_wakes_send(ser_thread *me);

/* Between these a signal handler may run, and even jump away (ser_token_resume). */
static inline void ser_fall_asleep(ser_thread *me)
{
    __atomic_store_n(&me->asleep, true, __ATOMIC_RELEASE);
}

static inline void ser_wake_up(ser_thread *me)
{
    __atomic_store_n(&me->asleep, false, __ATOMIC_RELEASE);
}

/* policy.c: the schedulers. */
void ser_policy_start(void);
void ser_policy_admit(ser_thread *thread);
/* How many events the turn may have that starts now. */
uint64_t ser_policy_turn(ser_thread *thread, uint64_t position);
/* The turn is over: does another one get the token? */
bool ser_policy_gives_way(ser_thread *thread);
void ser_policy_yields(ser_thread *thread);
/* The next thread of the queue. Null if the queue is empty, or none of them may run now
 * (replay). */
ser_thread *ser_policy_pick(void);

/* deadlock.c: called by the watchdog every so many milliseconds: checks whether all threads wait
 * for each other, and records which waits for what. */
void ser_deadlock_look(uint64_t milliseconds);

#endif
