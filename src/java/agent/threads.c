/* SPDX-License-Identifier: MIT */
/*
 * Threads are found by the identity of their Thread object: in a table of which entries are only
 * ever added.
 */
#include "java/agent/threads.h"

#include <stdlib.h>
#include <unistd.h>

#include "java/agent/sites.h"
#include "java/agent/states.h"
#include "runtime/core/log.h"
#include "runtime/core/turns/watchdog.h"

static ser_runtime_world *const world = &ser_the_world;

/* A thread that was started and has not begun. */
typedef struct newborn {
    struct newborn *next;
    jobject object; /* a global reference */
    ser_java_thread *thread;
} newborn;

enum { ROOM = 1 << 17 }; /* twice as many as threads can be numbered */
static ser_java_thread table[ROOM];
static newborn *newborns; /* with the lock of the table */
static ser_lock table_lock;
__thread ser_java_thread *ser_java_own;

/* With the lock of the table if it may be added. */
static ser_java_thread *slot_of(uint32_t identity)
{
    uint32_t at = identity % ROOM;
    for (;; at = (at + 1) % ROOM) {
        uint32_t found = __atomic_load_n(&table[at].identity, __ATOMIC_ACQUIRE);
        if (found == identity || found == 0)
            return &table[at];
    }
}

ser_java_thread *ser_java_thread_find(uint32_t identity)
{
    ser_java_thread *slot = slot_of(identity);
    return slot->identity ? slot : NULL;
}

static ser_java_thread *add(uint32_t identity, ser_thread *thread)
{
    ser_lock_take(&table_lock);
    ser_java_thread *slot = slot_of(identity);
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
    ser_java_own = add(identity, ser_self);
    ser_self->machine = machine_of(env, thread);
}

/* The thread's own is found by comparing objects: the machine starts threads at any time, and to
 * ask for their identity would make that of others depend on time. */
static ser_java_thread *take_newborn(JNIEnv *env, jobject thread)
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
    ser_java_thread *known = found->thread;
    (*env)->DeleteGlobalRef(env, found->object);
    free(found);
    return known;
}

static bool add_newborn(JNIEnv *env, jobject object, ser_java_thread *thread)
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
    ser_java_own = take_newborn(env, thread);
    if (!ser_java_own) {
        ser_self = &ser_stranger; /* the machine's own */
        return;
    }
    become(ser_java_own->thread);
    ser_java_own->thread->machine = machine_of(env, thread);
    ser_log(RUNTIME, INFO, "T%u begins", ser_java_own->thread->number);
    ser_token_await_first(ser_java_own->thread);
    ser_java_leave(ser_java_own->thread);
}

void ser_java_thread_ends(void)
{
    if (ser_self == &ser_nobody || ser_self == &ser_stranger)
        return;
    ser_self->machine = 0;
    ser_thread *me = ser_enter_sync();
    ser_java_own = NULL;
    if (!me)
        return;
    me->tid = (uint32_t)world->process; /* see become */
    ser_thread_end(me);
}

/* --- starting and joining ------------------------------------------------------------ */

/* Everything that the other has done so far comes before what the thread does. */
static void learn_all(ser_thread *me, const ser_thread *other)
{
    for (uint32_t i = 0; i < SER_KNOWN; i++)
        if (me->known[i] < other->known[i])
            me->known[i] = other->known[i];
    if (other->number < SER_KNOWN)
        me->known[other->number] = ser_stamp_operation(other->stamp);
    me->learned++;
}

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
    learn_all(child, me);
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

/* If it has ended, so that all it did comes before what the caller does. */
static void note_end(ser_thread *me, const ser_thread *other, jobject thread)
{
    if (other->state != SER_ENDED)
        return;
    ser_put(me, SER_OP_JOIN, (const void *)(uintptr_t)other->number, 0);
    learn_all(me, other);
    if (thread)
        await_machine_end(thread);
}

/* `thread`: null if the caller holds its monitor. */
static jboolean join(JNIEnv *env, jclass unused, jobject thread, jint identity, jlong nanoseconds,
                     jint site)
{
    (void)env, (void)unused;
    ser_java_thread *other = ser_java_thread_find((uint32_t)identity);
    ser_thread *me = other ? ser_java_step_at(site) : NULL;
    if (!me)
        return JNI_TRUE;
    bool in_time = await_end(me, other->thread, nanoseconds);
    note_end(me, other->thread, thread);
    ser_java_leave(me);
    return in_time;
}

/* The same for a thread that only looks at the other's state. */
static void look(JNIEnv *env, jclass unused, jobject thread, jint identity, jint site)
{
    (void)env, (void)unused;
    const ser_java_thread *other = ser_java_thread_find((uint32_t)identity);
    ser_thread *me = other ? ser_java_step_at(site) : NULL;
    if (!me)
        return;
    if (other->thread->state != SER_ENDED)
        ser_token_yield(me);
    note_end(me, other->thread, thread);
    ser_java_leave(me);
}

/* --- waiting ------------------------------------------------------------------------------ */

bool ser_java_is_interrupted(void)
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
    if (ser_java_is_interrupted())
        return SER_INTERRUPTED;
    ser_java_state_waits(
        how.sleeps ? JVMTI_THREAD_STATE_SLEEPING : JVMTI_THREAD_STATE_IN_OBJECT_WAIT, how.deadline);
    if (ser_java_own)
        ser_java_own->interruptible = true;
    ser_wakening why = ser_object_wait(me, kind, address, how);
    if (ser_java_own)
        ser_java_own->interruptible = false;
    ser_java_state_runs();
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
    ser_java_thread *other = ser_java_thread_find((uint32_t)identity);
    ser_thread *me = other ? ser_enter_in_turn() : NULL;
    if (!me)
        return;
    if (other->interruptible && other->thread->state == SER_WAITS)
        ser_token_wake(other->thread);
    ser_java_leave(me);
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
    SER_NATIVE("look0", "(Ljava/lang/Object;II)V", look),
    SER_NATIVE("sleep0", "(JI)Z", sleep_for),
    SER_NATIVE("yield0", "(I)Z", yield),
    SER_NATIVE("interrupt0", "(I)V", interrupt),
    SER_NATIVE("uncaught0", "(Ljava/lang/String;)V", end_uncaught),
};

SER_NATIVES(ser_thread_natives, methods);
