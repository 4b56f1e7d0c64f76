/* SPDX-License-Identifier: MIT */
/*
 * hooks.h - what rewritten classes call: static methods of java/lang/Seriatim and the classes
 * beside it (src/java/hooks), which every class loader can see.
 *
 * The last argument is the number of a site, unless there is none. `step` comes before everything
 * that is recorded: a thread may lose its turn there. What is recorded is recorded directly after
 * it was done, in the same turn.
 */
#ifndef SER_JAVA_CLASSFILE_HOOKS_H
#define SER_JAVA_CLASSFILE_HOOKS_H

#define SER_HOOKS_CLASS "java/lang/Seriatim"

#define SER_HOOK_OBJECT "Ljava/lang/Object;"

/* X(id, name, descriptor). Those of values stand in the order of ser_value_kind. A name with a dot
 * is of another class: Sync.acquire is java.lang.SeriatimSync.acquire. */
#define SER_HOOKS(X)                                                                               \
    X(STEP, "step", "()V")                                                                         \
    X(FIELD_INT, "field", "(" SER_HOOK_OBJECT "II)V")                                              \
    X(FIELD_LONG, "field", "(" SER_HOOK_OBJECT "JI)V")                                             \
    X(FIELD_FLOAT, "field", "(" SER_HOOK_OBJECT "FI)V")                                            \
    X(FIELD_DOUBLE, "field", "(" SER_HOOK_OBJECT "DI)V")                                           \
    X(FIELD_OBJECT, "field", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT "I)V")                            \
    X(STATIC_INT, "global", "(II)V")                                                               \
    X(STATIC_LONG, "global", "(JI)V")                                                              \
    X(STATIC_FLOAT, "global", "(FI)V")                                                             \
    X(STATIC_DOUBLE, "global", "(DI)V")                                                            \
    X(STATIC_OBJECT, "global", "(" SER_HOOK_OBJECT "I)V")                                          \
    X(ELEMENT_INT, "element", "(" SER_HOOK_OBJECT "III)V")                                         \
    X(ELEMENT_LONG, "element", "(" SER_HOOK_OBJECT "IJI)V")                                        \
    X(ELEMENT_FLOAT, "element", "(" SER_HOOK_OBJECT "IFI)V")                                       \
    X(ELEMENT_DOUBLE, "element", "(" SER_HOOK_OBJECT "IDI)V")                                      \
    X(ELEMENT_OBJECT, "element", "(" SER_HOOK_OBJECT "I" SER_HOOK_OBJECT "I)V")                    \
    X(LOCK, "lock", "(" SER_HOOK_OBJECT "I)V")                                                     \
    X(UNLOCK, "unlock", "(" SER_HOOK_OBJECT "I)V")                                                 \
    X(CALLED, "called", "(I)V")                                                                    \
    X(BEGAN, "began", "(I)V")                                                                      \
    X(RETURNED, "returned", "(I)V")                                                                \
    X(AT, "at", "(I)V")                                                                            \
    X(BLOCK_BEGIN, "blockBegins", "(I)V")                                                          \
    X(BLOCK_END, "blockEnds", "(I)V")                                                              \
    X(WAIT, "await", "(" SER_HOOK_OBJECT "I)V")                                                    \
    X(WAIT_MILLIS, "await", "(" SER_HOOK_OBJECT "JI)V")                                            \
    X(WAIT_NANOS, "await", "(" SER_HOOK_OBJECT "JII)V")                                            \
    X(NOTIFY, "notify", "(" SER_HOOK_OBJECT "I)V")                                                 \
    X(NOTIFY_ALL, "notifyAll", "(" SER_HOOK_OBJECT "I)V")                                          \
    X(SLEEP, "sleep", "(JI)V")                                                                     \
    X(SLEEP_NANOS, "sleep", "(JII)V")                                                              \
    X(YIELD, "yield", "(I)V")                                                                      \
    X(JOIN, "joining", "(" SER_HOOK_OBJECT "I)V")                                                  \
    X(JOIN_MILLIS, "joining", "(" SER_HOOK_OBJECT "JI)J")                                          \
    X(LOOKS, "looks", "(" SER_HOOK_OBJECT "I)V")                                                   \
    X(PARK, "park", "(" SER_HOOK_OBJECT "ZJ)V")                                                    \
    X(UNPARK, "unpark", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT ")V")                                  \
    X(STARTING, "starting", "(" SER_HOOK_OBJECT ")V")                                              \
    X(INTERRUPTED, "interrupted", "(" SER_HOOK_OBJECT ")V")                                        \
    X(ACQUIRE, "Locks.acquire", "(" SER_HOOK_OBJECT "I)V")                                         \
    X(ACQUIRE_INTERRUPTIBLY, "Locks.acquireInterruptibly", "(" SER_HOOK_OBJECT "I)V")              \
    X(TRY_ACQUIRE, "Locks.tryAcquire", "(" SER_HOOK_OBJECT "I)Z")                                  \
    X(TRY_ACQUIRE_TIMED, "Locks.tryAcquire",                                                       \
      "(" SER_HOOK_OBJECT "JLjava/util/concurrent/TimeUnit;I)Z")                                   \
    X(RELEASE, "Locks.release", "(" SER_HOOK_OBJECT "I)V")                                         \
    X(HELD, "Locks.held", "(" SER_HOOK_OBJECT "I)V")                                               \
    X(CONDITION_AWAIT, "Locks.conditionAwait", "(" SER_HOOK_OBJECT "I)V")                          \
    X(CONDITION_AWAIT_TIMED, "Locks.conditionAwait",                                               \
      "(" SER_HOOK_OBJECT "JLjava/util/concurrent/TimeUnit;I)Z")                                   \
    X(CONDITION_AWAIT_NANOS, "Locks.conditionAwaitNanos", "(" SER_HOOK_OBJECT "JI)J")              \
    X(CONDITION_AWAIT_UNTIL, "Locks.conditionAwaitUntil",                                          \
      "(" SER_HOOK_OBJECT "Ljava/util/Date;I)Z")                                                   \
    X(CONDITION_AWAIT_QUIETLY, "Locks.conditionAwaitUninterruptibly", "(" SER_HOOK_OBJECT "I)V")   \
    X(CONDITION_SIGNAL, "Locks.conditionSignal", "(" SER_HOOK_OBJECT "I)V")                        \
    X(CONDITION_SIGNAL_ALL, "Locks.conditionSignalAll", "(" SER_HOOK_OBJECT "I)V")                 \
    X(OPERATING, "Operations.operating", "(" SER_HOOK_OBJECT "I)V")                                \
    X(OPERATING_KEY, "Operations.operating", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT "I)V")            \
    X(OPERATING_IF, "Operations.operating",                                                        \
      "(" SER_HOOK_OBJECT SER_HOOK_OBJECT SER_HOOK_OBJECT "I)V")                                   \
    X(OPERATING_WITH, "Operations.operatingWith", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT "I)V")       \
    X(OPERATING_FROM, "Operations.operatingFrom", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT "I)V")       \
    X(OPERATED, "Operations.operated", "(" SER_HOOK_OBJECT "I)V")                                  \
    X(OPERATED_IF, "Operations.operated", "(" SER_HOOK_OBJECT "ZI)V")                              \
    X(SEMAPHORE_ACQUIRE, "Sync.acquire", "(" SER_HOOK_OBJECT "I)V")                                \
    X(SEMAPHORE_ACQUIRE_MANY, "Sync.acquire", "(" SER_HOOK_OBJECT "II)V")                          \
    X(SEMAPHORE_ACQUIRE_QUIETLY, "Sync.acquireUninterruptibly", "(" SER_HOOK_OBJECT "I)V")         \
    X(SEMAPHORE_ACQUIRE_MANY_QUIETLY, "Sync.acquireUninterruptibly", "(" SER_HOOK_OBJECT "II)V")   \
    X(SEMAPHORE_TRY, "Sync.tryAcquire", "(" SER_HOOK_OBJECT "I)Z")                                 \
    X(SEMAPHORE_TRY_MANY, "Sync.tryAcquire", "(" SER_HOOK_OBJECT "II)Z")                           \
    X(SEMAPHORE_TRY_TIMED, "Sync.tryAcquire",                                                      \
      "(" SER_HOOK_OBJECT "JLjava/util/concurrent/TimeUnit;I)Z")                                   \
    X(SEMAPHORE_TRY_MANY_TIMED, "Sync.tryAcquire",                                                 \
      "(" SER_HOOK_OBJECT "IJLjava/util/concurrent/TimeUnit;I)Z")                                  \
    X(SEMAPHORE_RELEASE, "Sync.release", "(" SER_HOOK_OBJECT "I)V")                                \
    X(SEMAPHORE_RELEASE_MANY, "Sync.release", "(" SER_HOOK_OBJECT "II)V")                          \
    X(STAMPED_WRITE, "Sync.writeLock", "(" SER_HOOK_OBJECT "I)J")                                  \
    X(STAMPED_READ, "Sync.readLock", "(" SER_HOOK_OBJECT "I)J")                                    \
    X(STAMPED_WRITE_INTERRUPTIBLY, "Sync.writeLockInterruptibly", "(" SER_HOOK_OBJECT "I)J")       \
    X(STAMPED_READ_INTERRUPTIBLY, "Sync.readLockInterruptibly", "(" SER_HOOK_OBJECT "I)J")         \
    X(STAMPED_TRY_WRITE, "Sync.tryWriteLock", "(" SER_HOOK_OBJECT "I)J")                           \
    X(STAMPED_TRY_READ, "Sync.tryReadLock", "(" SER_HOOK_OBJECT "I)J")                             \
    X(STAMPED_TRY_WRITE_TIMED, "Sync.tryWriteLock",                                                \
      "(" SER_HOOK_OBJECT "JLjava/util/concurrent/TimeUnit;I)J")                                   \
    X(STAMPED_TRY_READ_TIMED, "Sync.tryReadLock",                                                  \
      "(" SER_HOOK_OBJECT "JLjava/util/concurrent/TimeUnit;I)J")                                   \
    X(STAMPED_OPTIMISTIC, "Sync.tryOptimisticRead", "(" SER_HOOK_OBJECT "I)J")                     \
    X(STAMPED_OPTIMISTIC_ONLY, "Sync.tryOptimisticReadOnly", "(" SER_HOOK_OBJECT "I)J")            \
    X(STAMPED_VALIDATE, "Sync.validate", "(" SER_HOOK_OBJECT "JI)Z")                               \
    X(STAMPED_UNLOCK, "Sync.unlock", "(" SER_HOOK_OBJECT "JI)V")                                   \
    X(STAMPED_TO_WRITE, "Sync.tryConvertToWriteLock", "(" SER_HOOK_OBJECT "JI)J")                  \
    X(STAMPED_TO_READ, "Sync.tryConvertToReadLock", "(" SER_HOOK_OBJECT "JI)J")                    \
    X(STAMPED_TO_OPTIMISTIC, "Sync.tryConvertToOptimisticRead", "(" SER_HOOK_OBJECT "JI)J")        \
    X(UPDATE_OBJECT, "Updates.updateAndGet",                                                       \
      "(Ljava/util/concurrent/atomic/AtomicReference;Ljava/util/function/UnaryOperator;I)Ljava/"   \
      "lang/Object;")                                                                              \
    X(GET_UPDATE_OBJECT, "Updates.getAndUpdate",                                                   \
      "(Ljava/util/concurrent/atomic/AtomicReference;Ljava/util/function/UnaryOperator;I)Ljava/"   \
      "lang/Object;")                                                                              \
    X(ACCUMULATE_OBJECT, "Updates.accumulateAndGet",                                               \
      "(Ljava/util/concurrent/atomic/AtomicReference;Ljava/lang/Object;Ljava/util/function/"       \
      "BinaryOperator;I)Ljava/lang/Object;")                                                       \
    X(GET_ACCUMULATE_OBJECT, "Updates.getAndAccumulate",                                           \
      "(Ljava/util/concurrent/atomic/AtomicReference;Ljava/lang/Object;Ljava/util/function/"       \
      "BinaryOperator;I)Ljava/lang/Object;")                                                       \
    X(RESULT, "Operations.result", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT ")V")                       \
    X(HANDLE_MADE, "Handles.made", "(" SER_HOOK_OBJECT "Ljava/lang/Class;Ljava/lang/String;)V")    \
    X(HANDLE_OPERATED, "Handles.operated", "(" SER_HOOK_OBJECT SER_HOOK_OBJECT "IZI)V")            \
    X(NANO_TIME, "Inputs.nanoTime", "()J")                                                         \
    X(MILLIS, "Inputs.currentTimeMillis", "()J")                                                   \
    X(ADJUSTMENT, "Inputs.getNanoTimeAdjustment", "(J)J")                                          \
    X(UUID, "Inputs.randomUUID", "()Ljava/util/UUID;")                                             \
    X(SECURE_INT, "Inputs.nextInt", "(Ljava/security/SecureRandom;)I")                             \
    X(SECURE_INT_BELOW, "Inputs.nextInt", "(Ljava/security/SecureRandom;I)I")                      \
    X(SECURE_LONG, "Inputs.nextLong", "(Ljava/security/SecureRandom;)J")                           \
    X(SECURE_BOOLEAN, "Inputs.nextBoolean", "(Ljava/security/SecureRandom;)Z")                     \
    X(SECURE_DOUBLE, "Inputs.nextDouble", "(Ljava/security/SecureRandom;)D")                       \
    X(SECURE_BYTES, "Inputs.nextBytes", "(Ljava/security/SecureRandom;[B)V")                       \
    X(REFUSE_VIRTUAL, "Inputs.refuseVirtualThreads", "()V")                                        \
    X(HANDED, "Operations.handed", "(" SER_HOOK_OBJECT ")V")                                       \
    X(TAKEN, "Operations.taken", "(" SER_HOOK_OBJECT ")V")                                         \
    X(COMPLETED, "Operations.completed", "(" SER_HOOK_OBJECT ")V")                                 \
    X(ACTING, "Operations.acting", "(" SER_HOOK_OBJECT ")V")                                       \
    X(ACTED, "Operations.acted", "(" SER_HOOK_OBJECT ")V")                                         \
    X(UNCAUGHT, "uncaught", "(" SER_HOOK_OBJECT ")V")                                              \
    X(FAILED, "Operations.failed", "(" SER_HOOK_OBJECT ")V")                                       \
    X(ASKED, "Operations.asked", "(" SER_HOOK_OBJECT ")V")                                         \
    X(FINDS_DEADLOCKS, "findsDeadlocks", "(" SER_HOOK_OBJECT ")V")

typedef enum ser_hook {
#define SER_X(id, name, descriptor) SER_HOOK_##id,
    SER_HOOKS(SER_X)
#undef SER_X
        SER_HOOK_COUNT
} ser_hook;

/* How a value is passed to a hook. */
typedef enum ser_value_kind {
    SER_VALUE_INT, /* and everything smaller */
    SER_VALUE_LONG,
    SER_VALUE_FLOAT,
    SER_VALUE_DOUBLE,
    SER_VALUE_OBJECT,
} ser_value_kind;

#endif
