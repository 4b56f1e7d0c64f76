/* SPDX-License-Identifier: MIT */
/*
 * agent.h - libseriatim-java.so, which lives inside a Java virtual machine.
 *
 * It is the runtime's core with a platform of its own (platform.c) and, as what an instrumenter is
 * for C, the rewriter of class files. Rewritten classes call the static methods of
 * java/lang/Seriatim and its neighbours (src/java/hooks), which call the natives here:
 *
 *     agent.c        start and end; classes as they are loaded
 *     sites.h        places in the source, fields
 *     identities.h   objects, known by their identity hash
 *     fast_path.h    the same without a native call, if nothing else is to be done
 *     accesses.c     fields, static fields, elements; calls and returns
 *     monitors.c     synchronized, wait and notify
 *     threads.h      start, join, sleep, interrupt
 *     asleep.h       why a thread sleeps in the kernel
 *     states.h       what the program can see of its threads' waits
 *     concurrent/    java.util.concurrent: locks and conditions, semaphores and stamped locks,
 *                    parking, and what is one step on a whole object: atomics,
 *                    collections, tasks; exceptions that tasks leave to nobody
 *     handles.c      fields and elements through VarHandle and the like
 *     inputs.c       times and random numbers
 *     patterns.h     which classes are rewritten
 *
 * Only serial mode: one thread runs Java code at a time. Natives of hooks follow the pattern of
 * core/enter.h. A thread that has to wait does so in native code, where it does not hinder the
 * garbage collector.
 */
#ifndef SER_JAVA_AGENT_AGENT_H
#define SER_JAVA_AGENT_AGENT_H

#include <jni.h>
#include <jvmti.h>

#include "runtime/core/platform.h"

/* The machine's tool interface. */
extern jvmtiEnv *ser_jvmti;
/* Of it, a monitor for which threads wait when the machine ends. */
extern jrawMonitorID ser_nobody_notifies;

/* What a thread of the program has besides ser_thread. */
typedef struct ser_java_self {
    uint64_t turn;   /* in which it was last inside */
    uint32_t depth;  /* how many calls were open where its place was set */
    uint32_t passed; /* identity of the barrier whose action it has begun, so that it has departed
                        from it; 0: none */
    jobject monitor; /* that it wants to enter, or null */
} ser_java_self;
extern __thread ser_java_self ser_java_me __attribute__((tls_model("initial-exec")));

/* Enters where the thread may lose its turn: before something is done. Null: do not record. */
ser_thread *ser_java_step(void);
/* Enters after something was done, in the same turn; if the thread lost its turn meanwhile, so that
 * others may have come between, that is counted as lost. Null: do not record. */
ser_thread *ser_java_done(void);
/* Leaves, in the turn that the thread has now. Every native does, since one hook may be called
 * while another's operation is being done: it may have to initialise a class first. */
void ser_java_leave(ser_thread *me);
/* Both for synchronisation: with the place, which is where the core looks for it. */
ser_thread *ser_java_step_at(jint site);
ser_thread *ser_java_done_at(jint site);
/* The place of what the library does by itself: that of the program's call, unless the method with
 * that call has returned; then there is none. */
uint32_t ser_java_place(const ser_thread *me);

/* When the machine ends: exceptions that tasks have left in futures that nobody has asked. */
void ser_java_report_unasked(void);

/* The natives of each file, which agent.c registers. */
typedef struct ser_natives {
    const JNINativeMethod *methods;
    jint count;
} ser_natives;
extern const ser_natives ser_access_natives, ser_monitor_natives, ser_thread_natives,
    ser_lock_natives, ser_operation_natives, ser_fast_path_natives, ser_permit_natives,
    ser_handle_natives, ser_input_natives, ser_state_natives, ser_parking_natives,
    ser_unasked_natives;

#define SER_NATIVES(name, table)                                                                   \
    const ser_natives name = {table, (jint)(sizeof(table) / sizeof *(table))}
#define SER_NATIVE(name, descriptor, function)                                                     \
    {                                                                                              \
        (char *)(name), (char *)(descriptor), (void *)(function)                                   \
    }

#endif
