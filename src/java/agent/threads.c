/* SPDX-License-Identifier: MIT */
/*
 * Threads are found by the identity of their Thread object: in a table of which entries are only
 * ever added.
 */
#include "java/agent/threads.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "java/agent/sites.h"
#include "runtime/core/log.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/watchdog.h"

static ser_runtime_world *const world = &ser_the_world;

typedef struct java_thread {
    uint32_t identity; /* 0: free */
    uint32_t permit;   /* of LockSupport.park */
    ser_thread *thread;
    bool interruptible; /* it waits, and an interrupt ends that */
    uint64_t until;     /* it is parked until then, in nanoseconds; 0: for ever */
} java_thread;

/* A thread that was started and has not begun. */
typedef struct newborn {
    struct newborn *next;
    jobject object; /* a global reference */
    java_thread *thread;
} newborn;

enum { ROOM = 1 << 17 }; /* twice as many as threads can be numbered */
static java_thread table[ROOM];
static newborn *newborns; /* with the lock of the table */
static ser_lock table_lock;
static __thread java_thread *own; /* the calling thread's; null: it is not recorded */

/* With the lock of the table if it may be added. */
static java_thread *slot_of(uint32_t identity)
{
    uint32_t at = identity % ROOM;
    for (;; at = (at + 1) % ROOM) {
        uint32_t found = __atomic_load_n(&table[at].identity, __ATOMIC_ACQUIRE);
        if (found == identity || found == 0)
            return &table[at];
    }
}

static java_thread *find(uint32_t identity)
{
    java_thread *slot = slot_of(identity);
    return slot->identity ? slot : NULL;
}

static java_thread *add(uint32_t identity, ser_thread *thread)
{
    ser_lock_take(&table_lock);
    java_thread *slot = slot_of(identity);
    slot->thread = thread;
    __atomic_store_n(&slot->identity, identity, __ATOMIC_RELEASE);
    ser_lock_give(&table_lock);
    return slot;
}

/* --- beginning and end ------------------------------------------------------------ */

/* The kernel's number is not that of a thread that disappears after its end: no thread waits for
 * that, since no memory of it comes back that would have an address in the trace. */
static void become(ser_thread *me)
{
    me->tid = (uint32_t)gettid();
    me->handle = pthread_self();
    me->detached = true;
    ser_self = me;
}

void ser_java_thread_first(void)
{
    ser_thread *me = ser_thread_create();
    if (!me)
        return;
    become(me);
    ser_token_admit(me);
    ser_token_await_first(me);
    ser_java_leave(me);
}

/* The machine's own structure of the thread, by which the fast path knows it. */
static uint64_t machine_of(JNIEnv *env, jobject thread)
{
    jclass class_object = (*env)->GetObjectClass(env, thread);
    jfieldID field = (*env)->GetFieldID(env, class_object, "eetop", "J");
    jlong machine = field ? (*env)->GetLongField(env, thread, field) : 0;
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, class_object);
    return (uint64_t)machine;
}

void ser_java_thread_name_first(JNIEnv *env, jobject thread, uint32_t identity)
{
    own = add(identity, ser_self);
    ser_self->machine = machine_of(env, thread);
}

/* The thread's own is found by comparing objects: the machine starts threads at any time, and to
 * ask for their identity would make that of others depend on time. */
static java_thread *take_newborn(JNIEnv *env, jobject thread)
{
    ser_lock_take(&table_lock);
    newborn **link = &newborns;
    while (*link && !(*env)->IsSameObject(env, (*link)->object, thread))
        link = &(*link)->next;
    newborn *found = *link;
    if (found)
        *link = found->next;
    ser_lock_give(&table_lock);
    if (!found)
        return NULL;
    java_thread *known = found->thread;
    (*env)->DeleteGlobalRef(env, found->object);
    free(found);
    return known;
}

static bool add_newborn(JNIEnv *env, jobject object, java_thread *thread)
{
    newborn *added = malloc(sizeof *added);
    if (!added)
        return false;
    *added = (newborn){.object = (*env)->NewGlobalRef(env, object), .thread = thread};
    ser_lock_take(&table_lock);
    added->next = newborns;
    newborns = added;
    ser_lock_give(&table_lock);
    return true;
}

void ser_java_thread_begins(JNIEnv *env, jobject thread)
{
    if (ser_self != &ser_nobody)
        return;
    own = take_newborn(env, thread);
    if (!own) {
        ser_self = &ser_stranger; /* the machine's own */
        return;
    }
    become(own->thread);
    own->thread->machine = machine_of(env, thread);
    ser_log(RUNTIME, INFO, "T%u begins", own->thread->number);
    ser_token_await_first(own->thread);
    ser_java_leave(own->thread);
}

void ser_java_thread_ends(void)
{
    if (ser_self == &ser_nobody || ser_self == &ser_stranger)
        return;
    ser_self->machine = 0;
    ser_thread *me = ser_enter_sync();
    own = NULL;
    if (!me)
        return;
    me->tid = (uint32_t)world->process; /* see become */
    ser_thread_end(me);
}

/* --- starting and joining ------------------------------------------------------------ */

static void start(JNIEnv *env, jclass unused, jobject object, jint identity)
{
    (void)unused;
    ser_thread *me = ser_java_step();
    if (!me)
        return;
    ser_watchdog_start();
    ser_thread *child = ser_thread_create();
    if (!child || !add_newborn(env, object, add((uint32_t)identity, child))) {
        ser_stop_for_stranger(me);
        ser_java_leave(me);
        return;
    }
    ser_put(me, SER_OP_FORK, (const void *)(uintptr_t)child->number, 0);
    ser_token_admit(child);
    ser_java_leave(me);
}

/* False: the time was over. An interrupt ends the wait, too. */
static bool await_end(ser_thread *me, ser_thread *child, jlong nanoseconds)
{
    if (child->state == SER_ENDED)
        return true;
    ser_wakening why = ser_java_wait(me, SER_KIND_THREAD, child, nanoseconds, false);
    return child->state == SER_ENDED || why != SER_TIMED_OUT;
}

/* The thread has made its last step; the machine takes a moment more until it calls it ended, on a
 * busy one a long moment. It is waited for here, inside, where the token cannot be lost: were the
 * real join to wait, a run would depend on how long that takes. Not for ever: the thread's end
 * needs its own monitor, which somebody may hold. */
static void await_machine_end(jobject thread)
{
    enum { MOST_LOOKS = 20000, PAUSE_US = 100 };
    jint state = 0;
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
        if ((*ser_jvmti)->GetThreadState(ser_jvmti, thread, &state) != 0 ||
            state & JVMTI_THREAD_STATE_TERMINATED)
            return;
        usleep(PAUSE_US);
    }
}

/* `thread`: null if the caller holds its monitor. */
static jboolean join(JNIEnv *env, jclass unused, jobject thread, jint identity, jlong nanoseconds,
                     jint site)
{
    (void)env, (void)unused;
    java_thread *other = find((uint32_t)identity);
    ser_thread *me = other ? ser_java_step_at(site) : NULL;
    if (!me)
        return JNI_TRUE;
    bool in_time = await_end(me, other->thread, nanoseconds);
    if (other->thread->state == SER_ENDED) {
        ser_put(me, SER_OP_JOIN, (const void *)(uintptr_t)other->thread->number, 0);
        if (thread)
            await_machine_end(thread);
    }
    ser_java_leave(me);
    return in_time;
}

/* --- waiting ------------------------------------------------------------------------------ */

/* Asked with the token, so that no interrupt of a recorded thread comes between the question and
 * the wait: the thread may have got the token only now. */
static bool is_interrupted(void)
{
    jint state = 0;
    (*ser_jvmti)->GetThreadState(ser_jvmti, NULL, &state);
    return state & JVMTI_THREAD_STATE_INTERRUPTED;
}

ser_wakening ser_java_wait(ser_thread *me, ser_kind kind, const void *address, jlong nanoseconds,
                           bool spurious)
{
    enum { PER_MICROSECOND = 1000 };
    uint64_t microseconds = ((uint64_t)nanoseconds + PER_MICROSECOND - 1) / PER_MICROSECOND;
    ser_deadline deadline = ser_deadline_in(microseconds);
    ser_runtime_wait how = {.deadline = nanoseconds > 0 ? &deadline : NULL,
                            .sleeps = address == &me->wake,
                            .spurious = spurious};
    if (is_interrupted())
        return SER_INTERRUPTED;
    if (own)
        own->interruptible = true;
    ser_wakening why = ser_object_wait(me, kind, address, how);
    if (own)
        own->interruptible = false;
    return why;
}

static jboolean sleep_for(JNIEnv *env, jclass unused, jlong nanoseconds, jint site)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_step_at(site);
    if (!me)
        return JNI_FALSE;
    if (nanoseconds > 0)
        ser_java_wait(me, SER_KIND_FUTEX, &me->wake, nanoseconds, false);
    ser_java_leave(me);
    return JNI_TRUE;
}

static jboolean yield(JNIEnv *env, jclass unused, jint site)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_step_at(site);
    if (!me)
        return JNI_FALSE;
    ser_token_yield(me);
    ser_java_leave(me);
    return JNI_TRUE;
}

/* A thread that is not recorded may interrupt, too; what it interrupts looks now and then (park),
 * or is not woken. */
static void interrupt(JNIEnv *env, jclass unused, jint identity)
{
    (void)env, (void)unused;
    java_thread *other = find((uint32_t)identity);
    ser_thread *me = other ? ser_enter_in_turn() : NULL;
    if (!me)
        return;
    if (other->interruptible && other->thread->state == SER_WAITS)
        ser_token_wake(other->thread);
    ser_java_leave(me);
}

/* --- parking -------------------------------------------------------------------------------- */

static bool has_permit(const void *address)
{
    return __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE);
}

static uint64_t nanoseconds_now(void)
{
    enum { PER_SECOND = 1000000000 };
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PER_SECOND + (uint64_t)now.tv_nsec;
}

/* Of the thread whose permit is there. */
static bool is_park_over(const void *address)
{
    const char *permit = address;
    const java_thread *parked = (const void *)(permit - offsetof(java_thread, permit));
    return has_permit(address) || (parked->until && nanoseconds_now() >= parked->until);
}

/* Nanoseconds from now; 0 if that time has come. */
static jlong time_left(jlong milliseconds_of_epoch)
{
    enum { PER_SECOND = 1000, PER_MILLISECOND = 1000000 };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    jlong left = milliseconds_of_epoch - (jlong)now.tv_sec * PER_SECOND -
                 (jlong)now.tv_nsec / PER_MILLISECOND;
    return left > 0 ? left * PER_MILLISECOND : 0;
}

static bool is_long(jlong nanoseconds)
{
    enum { PER_MILLISECOND = 1000000 };
    return (uint64_t)nanoseconds / PER_MILLISECOND >= world->options.replay_ms;
}

/* The library looks at the clock when it wakes up. So a schedule that is followed must not end the
 * wait before its time: the thread would park again, and again. */
static void await_permit(ser_thread *me, jlong nanoseconds)
{
    bool timed = nanoseconds > 0, follows = timed && ser_replays();
    ser_deadline deadline = ser_deadline_in((uint64_t)nanoseconds / 1000 + 1);
    ser_runtime_wait how = {.deadline = timed && !follows ? &deadline : NULL,
                            .foreign = follows,
                            .late = follows && is_long(nanoseconds),
                            .is_free = is_park_over};
    own->until = timed ? nanoseconds_now() + (uint64_t)nanoseconds : 0;
    own->interruptible = true;
    ser_object_wait(me, SER_KIND_FUTEX, &own->permit, how);
    own->interruptible = false;
}

/* Not a step: the library parks in the midst of its operations. */
static jboolean park(JNIEnv *env, jclass unused, jboolean absolute, jlong time)
{
    (void)env, (void)unused;
    ser_thread *me = own ? ser_enter_in_turn() : NULL;
    if (!me)
        return JNI_FALSE;
    jlong nanoseconds = absolute ? time_left(time) : time;
    bool over = (absolute || time != 0) && nanoseconds <= 0;
    if (!has_permit(&own->permit) && !is_interrupted() && !over)
        await_permit(me, nanoseconds);
    __atomic_store_n(&own->permit, 0, __ATOMIC_RELEASE);
    ser_java_leave(me);
    return JNI_TRUE;
}

static jboolean unpark(JNIEnv *env, jclass unused, jint identity)
{
    (void)env, (void)unused;
    java_thread *other = find((uint32_t)identity);
    if (!other)
        return JNI_FALSE;
    __atomic_store_n(&other->permit, 1, __ATOMIC_RELEASE);
    ser_thread *me = ser_enter_in_turn();
    if (!me)
        return JNI_TRUE; /* the other looks now and then */
    ser_object_wake(SER_KIND_FUTEX, &other->permit, 1);
    ser_java_leave(me);
    return JNI_TRUE;
}

/* Not a step of the program: it only says how the thread ends. */
static void end_uncaught(JNIEnv *env, jclass unused, jstring what)
{
    (void)unused;
    ser_thread *me = ser_java_step();
    const char *text = me ? (*env)->GetStringUTFChars(env, what, NULL) : NULL;
    if (text) {
        ser_record record = {.object = ser_text_number(me, text),
                             .thread = (uint16_t)me->number,
                             .clock = me->clock,
                             .op = SER_RAW_UNCAUGHT};
        ser_put_whole(me, &record);
        (*env)->ReleaseStringUTFChars(env, what, text);
    }
    if (me)
        ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("start0", "(Ljava/lang/Object;I)V", start),
    SER_NATIVE("join0", "(Ljava/lang/Object;IJI)Z", join),
    SER_NATIVE("sleep0", "(JI)Z", sleep_for),
    SER_NATIVE("yield0", "(I)Z", yield),
    SER_NATIVE("interrupt0", "(I)V", interrupt),
    SER_NATIVE("uncaught0", "(Ljava/lang/String;)V", end_uncaught),
    SER_NATIVE("park0", "(ZJ)Z", park),
    SER_NATIVE("unpark0", "(I)Z", unpark),
};

SER_NATIVES(ser_thread_natives, methods);
