/* SPDX-License-Identifier: MIT */
#include "java/agent/states.h"

#include <unistd.h>

#include "java/agent/asleep.h"

static ser_runtime_world *const world = &ser_the_world;

/* --- Thread.getState ---------------------------------------------------------------------- */

static JavaVM *machine;
static jfieldID status;        /* of Thread, or of what `holder` has */
static jfieldID status_holder; /* later than Java 17; else null */

/* A field that is not there is an exception. */
static jfieldID find_field(JNIEnv *env, const char *owner, const char *name, const char *type)
{
    jclass class_object = (*env)->FindClass(env, owner);
    jfieldID field = class_object ? (*env)->GetFieldID(env, class_object, name, type) : NULL;
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, class_object);
    return field;
}

void ser_java_states_start(JNIEnv *env)
{
    (*env)->GetJavaVM(env, &machine);
    status = find_field(env, "java/lang/Thread", "threadStatus", "I");
    if (status)
        return;
    status_holder = find_field(env, "java/lang/Thread", "holder", "Ljava/lang/Thread$FieldHolder;");
    if (status_holder)
        status = find_field(env, "java/lang/Thread$FieldHolder", "threadStatus", "I");
}

static JNIEnv *own_env(void)
{
    JNIEnv *env = NULL;
    if (machine)
        (*machine)->GetEnv(machine, (void **)&env, JNI_VERSION_10);
    return env;
}

static void set_status(jint value)
{
    JNIEnv *env = status ? own_env() : NULL;
    jthread thread = NULL;
    if (!env || (*ser_jvmti)->GetCurrentThread(ser_jvmti, &thread) != 0 || !thread)
        return;
    jobject holder = status_holder ? (*env)->GetObjectField(env, thread, status_holder) : NULL;
    (*env)->SetIntField(env, holder ? holder : thread, status, value);
    (*env)->DeleteLocalRef(env, holder);
    (*env)->DeleteLocalRef(env, thread);
}

void ser_java_state_waits(jint how, bool timed)
{
    jint waiting = JVMTI_THREAD_STATE_WAITING | (timed ? JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT
                                                       : JVMTI_THREAD_STATE_WAITING_INDEFINITELY);
    bool enters = how == JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
    set_status(JVMTI_THREAD_STATE_ALIVE | how | (enters ? 0 : waiting));
}

void ser_java_state_runs(void)
{
    set_status(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE);
}

/* --- deadlocks ------------------------------------------------------------------------------ */

/* By the numbers of threads: it is on a cycle of threads that wait for monitors, and the program
 * has asked. With the token. */
static bool deadlocked[SER_THREADS];

/* The holder is on the cycle, too, so that it has entered the monitor and never leaves it. */
static void enter_monitor(void)
{
    JNIEnv *env = own_env();
    if (env && (*env)->MonitorEnter(env, ser_java_me.monitor) == 0)
        (*env)->MonitorExit(env, ser_java_me.monitor);
}

ser_java_stay *ser_java_state_stay(const ser_thread *me)
{
    return deadlocked[me->number] && ser_java_me.monitor ? enter_monitor : NULL;
}

/* The holder of the monitor that the thread waits for; null: it does not wait for one. */
static const ser_thread *waits_for(const ser_thread *thread)
{
    bool waits =
        thread->state == SER_WAITS && thread->object && thread->object->kind == SER_KIND_SPIN;
    return waits ? thread->object->runner : NULL;
}

static bool is_on_cycle(const ser_thread *thread)
{
    const ser_thread *at = waits_for(thread);
    for (uint32_t i = 0; at && at != thread && i < world->thread_count; i++)
        at = waits_for(at);
    return at == thread;
}

/* How many threads are found that were not known to be in a deadlock. */
static uint32_t mark_deadlocked(void)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (!deadlocked[i] && is_on_cycle(world->threads[i])) {
            deadlocked[i] = true;
            found++;
        }
    return found;
}

static bool all_have_entered(void)
{
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (deadlocked[i] && !ser_java_enters_monitor(world->threads[i]))
            return false;
    return true;
}

/* Those that are found wake up, to wait for the real monitors. */
static void look_for_deadlocks(JNIEnv *env, jclass unused)
{
    enum { MOST_LOOKS = 20000, PAUSE_US = 100 };
    (void)env, (void)unused;
    ser_thread *me = ser_java_step();
    if (!me)
        return;
    if (mark_deadlocked() > 0) {
        for (uint32_t i = 0; i < world->thread_count; i++)
            if (deadlocked[i] && !ser_java_enters_monitor(world->threads[i]))
                ser_token_wake(world->threads[i]);
        for (int looks = 0; looks < MOST_LOOKS && !all_have_entered(); looks++) {
            ser_token_yield(me);
            usleep(PAUSE_US);
        }
    }
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {SER_NATIVE("deadlocks0", "()V", look_for_deadlocks)};

SER_NATIVES(ser_state_natives, methods);
