/* SPDX-License-Identifier: MIT */
/*
 * Classes of the Java library itself: which are rewritten, and what is called at the beginning and
 * before the returns of their methods.
 *
 * Tasks go from thread to thread inside the library. Before another thread can see a task or its
 * result, it is written (HANDED); the thread that gets it reads it (TAKEN). A future that gets its
 * result is read, too (COMPLETED): its thread runs what depends on it, which others have added.
 */
#include <string.h>

#include "java/classfile/calls.h"

#define CONCURRENT "java/util/concurrent/"
#define FUTURE     CONCURRENT "CompletableFuture"

typedef struct library_method {
    const char *class_name, *method, *descriptor;
    ser_library_hook hook;
} library_method;

static const library_method entries[] = {
    {"java/lang/Thread", "start", "()V", {SER_HOOK_STARTING, 0}},
    {"java/lang/Thread",
     "dispatchUncaughtException",
     "(Ljava/lang/Throwable;)V",
     {SER_HOOK_UNCAUGHT, 1}},
    {"sun/management/ThreadImpl", "findDeadlockedThreads", "()[J", {SER_HOOK_FINDS_DEADLOCKS, 0}},
    {"sun/management/ThreadImpl",
     "findMonitorDeadlockedThreads",
     "()[J",
     {SER_HOOK_FINDS_DEADLOCKS, 0}},
    {CONCURRENT "ThreadPoolExecutor", "execute", "(Ljava/lang/Runnable;)V", {SER_HOOK_HANDED, 1}},
    {CONCURRENT "ScheduledThreadPoolExecutor",
     "delayedExecute",
     "(Ljava/util/concurrent/RunnableScheduledFuture;)V",
     {SER_HOOK_HANDED, 1}},
    {CONCURRENT "FutureTask", "set", "(Ljava/lang/Object;)V", {SER_HOOK_HANDED, 0}},
    {CONCURRENT "FutureTask", "setException", "(Ljava/lang/Throwable;)V", {SER_HOOK_HANDED, 0}},
    {CONCURRENT "FutureTask", "finishCompletion", "()V", {SER_HOOK_FAILED, 0}},
    {CONCURRENT "FutureTask", "report", "(I)Ljava/lang/Object;", {SER_HOOK_ASKED, 0}},
    {FUTURE, "internalComplete", "(Ljava/lang/Object;)Z", {SER_HOOK_COMPLETED, 0}},
    {FUTURE, "completeNull", "()Z", {SER_HOOK_COMPLETED, 0}},
    {FUTURE, "completeValue", "(Ljava/lang/Object;)Z", {SER_HOOK_COMPLETED, 0}},
    {FUTURE, "completeThrowable", "(Ljava/lang/Throwable;)Z", {SER_HOOK_COMPLETED, 0}},
    {FUTURE,
     "completeThrowable",
     "(Ljava/lang/Throwable;Ljava/lang/Object;)Z",
     {SER_HOOK_COMPLETED, 0}},
    {FUTURE, "completeRelay", "(Ljava/lang/Object;)Z", {SER_HOOK_COMPLETED, 0}},
    {FUTURE "$AsyncSupply", "run", "()V", {SER_HOOK_TAKEN, 0}},
    {FUTURE "$AsyncRun", "run", "()V", {SER_HOOK_TAKEN, 0}},
    {FUTURE "$Completion", "run", "()V", {SER_HOOK_TAKEN, 0}},
    {CONCURRENT "ForkJoinPool",
     "externalSubmit",
     "(Ljava/util/concurrent/ForkJoinTask;)Ljava/util/concurrent/ForkJoinTask;",
     {SER_HOOK_HANDED, 1}},
    {CONCURRENT "ForkJoinTask",
     "fork",
     "()Ljava/util/concurrent/ForkJoinTask;",
     {SER_HOOK_HANDED, 0}},
    {CONCURRENT "ForkJoinTask", "doExec", "()I", {SER_HOOK_TAKEN, 0}},
    {CONCURRENT "ForkJoinTask", "setDone", "()I", {SER_HOOK_HANDED, 0}},
    {"java/util/Timer", "sched", "(Ljava/util/TimerTask;JJ)V", {SER_HOOK_HANDED, 1}},
    {NULL, NULL, NULL, {SER_HOOK_COUNT, 0}},
};

static const library_method returns[] = {
    {"java/lang/Thread", "interrupt", "()V", {SER_HOOK_INTERRUPTED, 0}},
    {CONCURRENT "ForkJoinTask", "join", "()Ljava/lang/Object;", {SER_HOOK_TAKEN, 0}},
    {CONCURRENT "ForkJoinTask", "get", "()Ljava/lang/Object;", {SER_HOOK_TAKEN, 0}},
    {CONCURRENT "ForkJoinTask", "invoke", "()Ljava/lang/Object;", {SER_HOOK_TAKEN, 0}},
    {NULL, NULL, NULL, {SER_HOOK_COUNT, 0}},
};

/* Of these, calls are rewritten. */
static const char *const callers[] = {CONCURRENT "locks/LockSupport",
                                      CONCURRENT "TimeUnit",
                                      SER_CYCLIC_BARRIER,
                                      "java/util/TimerThread",
                                      "java/time/Clock",
                                      "java/util/Date",
                                      "java/util/Random",
                                      NULL};

bool ser_class_is_of_interest(const char *name)
{
    if (strncmp(name, FUTURE, sizeof FUTURE - 1) == 0)
        return true; /* with those inside of it, which read its results */
    for (const library_method *entry = entries; entry->class_name; entry++)
        if (strcmp(name, entry->class_name) == 0)
            return true;
    for (const char *const *caller = callers; *caller; caller++)
        if (strcmp(name, *caller) == 0)
            return true;
    return false;
}

static ser_library_hook find_hook(const ser_weave *weave, const library_method *list)
{
    while (list->class_name && !(ser_class_text_is(weave->job->name, list->class_name) &&
                                 ser_class_text_is(weave->method, list->method) &&
                                 ser_class_text_is(weave->descriptor, list->descriptor)))
        list++;
    return list->hook;
}

ser_library_hook ser_weave_library_entry(const ser_weave *weave)
{
    return find_hook(weave, entries);
}

ser_library_hook ser_weave_library_return(const ser_weave *weave)
{
    return find_hook(weave, returns);
}
