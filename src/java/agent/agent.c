/* SPDX-License-Identifier: MIT */
/*
 * The agent's start and end, and classes as they are loaded.
 *
 * Recording begins when the machine is initialised. What it has loaded by then are classes of the
 * library; those of which something is needed are loaded once more.
 */
#include "java/agent/agent.h"

#include <string.h>
#include <unistd.h>

#include "java/agent/fast_path.h"
#include "java/agent/identities.h"
#include "java/agent/monitors.h"
#include "java/agent/patterns.h"
#include "java/agent/sites.h"
#include "java/agent/states.h"
#include "java/agent/threads.h"
#include "java/classfile/hooks.h"
#include "runtime/core/turns/token.h"

jvmtiEnv *ser_jvmti;
jrawMonitorID ser_nobody_notifies;

static bool live; /* between the machine's beginning and its end */

/* The class files of src/java/hooks, as the build has put them here (runtime_class.S). */
#define CLASS_FILE(name) extern const jbyte ser_class_##name[], ser_class_##name##_end[]
CLASS_FILE(hooks);
CLASS_FILE(held);
CLASS_FILE(records);
CLASS_FILE(sync);
CLASS_FILE(locks);
CLASS_FILE(operations);
CLASS_FILE(handles);
CLASS_FILE(cell);
CLASS_FILE(views);
CLASS_FILE(shape);
CLASS_FILE(inputs);
CLASS_FILE(updates);

#define OBJECT SER_HOOK_OBJECT

/* These classes, in the order in which they are defined. Asking for a method runs a class's
 * initialiser, which is done now rather than in the midst of the program. */
static const struct {
    const char *name;
    const jbyte *start, *end;
    const ser_natives *natives[5];
    const char *method, *descriptor; /* null: has no initialiser */
} hook_classes[] = {
#define FILE_OF(name) ser_class_##name, ser_class_##name##_end
    {SER_HOOKS_CLASS "Records", FILE_OF(records), {&ser_fast_path_natives}, "step", "()Z"},
    {SER_HOOKS_CLASS "$Held", FILE_OF(held), {NULL}, NULL, NULL},
    {SER_HOOKS_CLASS,
     FILE_OF(hooks),
     {&ser_access_natives, &ser_monitor_natives, &ser_thread_natives, &ser_parking_natives,
      &ser_state_natives},
     "step",
     "()V"},
    {SER_HOOKS_CLASS "Locks", FILE_OF(locks), {&ser_lock_natives}, "acquire", "(" OBJECT "I)V"},
    {SER_HOOKS_CLASS "Operations",
     FILE_OF(operations),
     {&ser_operation_natives, &ser_unasked_natives},
     "operating",
     "(" OBJECT "I)V"},
    {SER_HOOKS_CLASS "Sync", FILE_OF(sync), {&ser_permit_natives}, "acquire", "(" OBJECT "I)V"},
    {SER_HOOKS_CLASS "Handles$Cell", FILE_OF(cell), {NULL}, NULL, NULL},
    {SER_HOOKS_CLASS "Handles",
     FILE_OF(handles),
     {&ser_handle_natives},
     "made",
     "(" OBJECT "Ljava/lang/Class;Ljava/lang/String;)V"},
    {SER_HOOKS_CLASS "Views$Shape", FILE_OF(shape), {NULL}, NULL, NULL},
    {SER_HOOKS_CLASS "Views", FILE_OF(views), {NULL}, "mutexOf", "(" OBJECT ")" OBJECT},
    {SER_HOOKS_CLASS "Inputs", FILE_OF(inputs), {&ser_input_natives}, "nanoTime", "()J"},
    {SER_HOOKS_CLASS "Updates", FILE_OF(updates), {NULL}, NULL, NULL},
#undef FILE_OF
};

/* Classes of the library that may have been loaded before we were asked. */
static const char *const loaded_early[] = {
    "java/lang/Thread",
    "java/util/concurrent/locks/LockSupport",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/FutureTask",
    "java/time/Clock",
    "java/util/Date",
    "java/util/Random",
};

/* One line, ended by the caller: streams are the program's. */
static void say(const char *line)
{
    ssize_t said = write(STDERR_FILENO, line, strlen(line));
    (void)said;
}

/* --- classes ------------------------------------------------------------------------ */

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *env, jclass old, jobject loader,
                             const char *name, jobject domain, jint size,
                             const unsigned char *bytes, jint *new_size, unsigned char **new_bytes)
{
    (void)env, (void)old, (void)loader, (void)domain;
    ser_class_mode mode;
    if (!live || !name || !ser_class_mode_of(name, &mode))
        return;
    ser_bytes out;
    if (mode != SER_CLASS_CALLS)
        ser_site_learn_class(bytes, (size_t)size);
    if (ser_class_rewrite(bytes, (size_t)size, mode, &ser_site_client, &out) ==
            SER_CLASS_REWRITTEN &&
        (*jvmti)->Allocate(jvmti, (jlong)out.count, new_bytes) == 0) {
        ser_class_dump(name, &out);
        memcpy(*new_bytes, out.items, out.count);
        *new_size = (jint)out.count;
    }
    ser_bytes_free(&out);
}

static bool define_hooks(JNIEnv *env)
{
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof hook_classes / sizeof *hook_classes; i++) {
        jclass hooks = (*env)->DefineClass(env, hook_classes[i].name, NULL, hook_classes[i].start,
                                           (jsize)(hook_classes[i].end - hook_classes[i].start));
        const ser_natives *const *natives = hook_classes[i].natives;
        for (fine = hooks; fine && natives < (&hook_classes[i].natives)[1] && *natives; natives++)
            fine = (*env)->RegisterNatives(env, hooks, (*natives)->methods, (*natives)->count) == 0;
        if (fine && hook_classes[i].method)
            fine = (*env)->GetStaticMethodID(env, hooks, hook_classes[i].method,
                                             hook_classes[i].descriptor);
        (*env)->DeleteLocalRef(env, hooks);
    }
    return fine;
}

static bool rewrite_library(JNIEnv *env)
{
    for (size_t i = 0; i < sizeof loaded_early / sizeof *loaded_early; i++) {
        jclass class_object = (*env)->FindClass(env, loaded_early[i]);
        if (!class_object || (*ser_jvmti)->RetransformClasses(ser_jvmti, 1, &class_object) != 0)
            return false;
    }
    return true;
}

/* --- the machine ------------------------------------------------------------------------ */

static uint32_t identity_of(jobject object)
{
    jint hash = 0;
    (*ser_jvmti)->GetObjectHashCode(ser_jvmti, object, &hash);
    return (uint32_t)hash;
}

/* If something is missing the program runs on, and the recorder says that nothing was recorded. */
static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread main_thread)
{
    (void)jvmti;
    if (!define_hooks(env) || !ser_monitors_start(env)) {
        (*env)->ExceptionDescribe(env);
        say("seriatim: this Java virtual machine refuses the classes of the recorder; it must be "
            "HotSpot 17 or later\n");
        return;
    }
    ser_java_thread_name_first(env, main_thread, identity_of(main_thread));
    ser_java_states_start(env);
    live = true;
    if (!rewrite_library(env))
        say("seriatim: this Java virtual machine does not let classes of its library be "
            "rewritten\n");
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    if (live)
        ser_java_thread_begins(env, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti, (void)env, (void)thread;
    if (live)
        ser_java_thread_ends();
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    live = false;
    ser_java_report_unasked();
    ser_write_end(0, 0);
    ser_token_send_to_rest();
}

static bool listen(void)
{
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                        JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                        JVMTI_EVENT_VM_DEATH};
    jvmtiCapabilities wanted = {.can_generate_all_class_hook_events = 1,
                                .can_retransform_classes = 1};
    jvmtiEventCallbacks callbacks = {.VMInit = on_start,
                                     .ClassFileLoadHook = on_class,
                                     .ThreadStart = on_thread_start,
                                     .ThreadEnd = on_thread_end,
                                     .VMDeath = on_death};
    if ((*ser_jvmti)->AddCapabilities(ser_jvmti, &wanted) != 0 ||
        (*ser_jvmti)->SetEventCallbacks(ser_jvmti, &callbacks, sizeof callbacks) != 0)
        return false;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if ((*ser_jvmti)->SetEventNotificationMode(ser_jvmti, JVMTI_ENABLE, events[i], NULL) != 0)
            return false;
    return true;
}

/* Without a recorder the agent does nothing. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *machine, char *options, void *reserved)
{
    (void)options, (void)reserved;
    ser_attach();
    if (ser_is_off)
        return 0;
    if (ser_the_world.parallel) {
        say("seriatim: Java programs are recorded in serial mode only\n");
        return 1;
    }
    if ((*machine)->GetEnv(machine, (void **)&ser_jvmti, JVMTI_VERSION_11) != 0 ||
        (*ser_jvmti)->CreateRawMonitor(ser_jvmti, "seriatim", &ser_nobody_notifies) != 0 ||
        !ser_identities_start() || !ser_fast_path_start() || !listen()) {
        say("seriatim: this Java virtual machine cannot be recorded; it must be HotSpot 17 or "
            "later\n");
        return 1;
    }
    return 0;
}
