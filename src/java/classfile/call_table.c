/* SPDX-License-Identifier: MIT */
/*
 * Calls that a hook takes the place of.
 */
#include "java/classfile/calls.h"
#include "java/classfile/format/opcodes.h"

#define CONCURRENT "java/util/concurrent/"
#define LOCKS      CONCURRENT "locks/"
#define OBJECT     SER_HOOK_OBJECT
#define UNIT       "Ljava/util/concurrent/TimeUnit;"

/* Methods of Object that no class can redefine: any class may be named as their owner. */
static const ser_replaced_call of_program[] = {
    {OP_INVOKEVIRTUAL, NULL, "wait", "()V", SER_HOOK_WAIT, false},
    {OP_INVOKEVIRTUAL, NULL, "wait", "(J)V", SER_HOOK_WAIT_MILLIS, false},
    {OP_INVOKEVIRTUAL, NULL, "wait", "(JI)V", SER_HOOK_WAIT_NANOS, false},
    {OP_INVOKEVIRTUAL, NULL, "notify", "()V", SER_HOOK_NOTIFY, false},
    {OP_INVOKEVIRTUAL, NULL, "notifyAll", "()V", SER_HOOK_NOTIFY_ALL, false},
    {OP_INVOKESTATIC, "java/lang/Thread", "yield", "()V", SER_HOOK_YIELD, false},
#define LOCK(op, owner)                                                                            \
    {op, LOCKS owner, "lock", "()V", SER_HOOK_ACQUIRE, false},                                     \
        {op, LOCKS owner, "lockInterruptibly", "()V", SER_HOOK_ACQUIRE_INTERRUPTIBLY, false},      \
        {op, LOCKS owner, "tryLock", "()Z", SER_HOOK_TRY_ACQUIRE, false},                          \
        {op, LOCKS owner, "tryLock", "(J" UNIT ")Z", SER_HOOK_TRY_ACQUIRE_TIMED, false},           \
    {                                                                                              \
        op, LOCKS owner, "unlock", "()V", SER_HOOK_RELEASE, false                                  \
    }
    LOCK(OP_INVOKEINTERFACE, "Lock"),
    LOCK(OP_INVOKEVIRTUAL, "ReentrantLock"),
    LOCK(OP_INVOKEVIRTUAL, "ReentrantReadWriteLock$ReadLock"),
    LOCK(OP_INVOKEVIRTUAL, "ReentrantReadWriteLock$WriteLock"),
#define CONDITION(name, descriptor, hook)                                                          \
    {                                                                                              \
        OP_INVOKEINTERFACE, LOCKS "Condition", name, descriptor, hook, false                       \
    }
    CONDITION("await", "()V", SER_HOOK_CONDITION_AWAIT),
    CONDITION("await", "(J" UNIT ")Z", SER_HOOK_CONDITION_AWAIT_TIMED),
    CONDITION("awaitNanos", "(J)J", SER_HOOK_CONDITION_AWAIT_NANOS),
    CONDITION("awaitUntil", "(Ljava/util/Date;)Z", SER_HOOK_CONDITION_AWAIT_UNTIL),
    CONDITION("awaitUninterruptibly", "()V", SER_HOOK_CONDITION_AWAIT_QUIETLY),
    CONDITION("signal", "()V", SER_HOOK_CONDITION_SIGNAL),
    CONDITION("signalAll", "()V", SER_HOOK_CONDITION_SIGNAL_ALL),
#define SEMAPHORE(name, descriptor, hook)                                                          \
    {                                                                                              \
        OP_INVOKEVIRTUAL, CONCURRENT "Semaphore", name, descriptor, SER_HOOK_SEMAPHORE_##hook,     \
            false                                                                                  \
    }
    SEMAPHORE("acquire", "()V", ACQUIRE),
    SEMAPHORE("acquire", "(I)V", ACQUIRE_MANY),
    SEMAPHORE("acquireUninterruptibly", "()V", ACQUIRE_QUIETLY),
    SEMAPHORE("acquireUninterruptibly", "(I)V", ACQUIRE_MANY_QUIETLY),
    SEMAPHORE("tryAcquire", "()Z", TRY),
    SEMAPHORE("tryAcquire", "(I)Z", TRY_MANY),
    SEMAPHORE("tryAcquire", "(J" UNIT ")Z", TRY_TIMED),
    SEMAPHORE("tryAcquire", "(IJ" UNIT ")Z", TRY_MANY_TIMED),
    SEMAPHORE("release", "()V", RELEASE),
    SEMAPHORE("release", "(I)V", RELEASE_MANY),
#define STAMPED(name, descriptor, hook)                                                            \
    {                                                                                              \
        OP_INVOKEVIRTUAL, SER_STAMPED_LOCK, name, descriptor, SER_HOOK_STAMPED_##hook, false       \
    }
    STAMPED("writeLock", "()J", WRITE),
    STAMPED("readLock", "()J", READ),
    STAMPED("writeLockInterruptibly", "()J", WRITE_INTERRUPTIBLY),
    STAMPED("readLockInterruptibly", "()J", READ_INTERRUPTIBLY),
    STAMPED("tryWriteLock", "()J", TRY_WRITE),
    STAMPED("tryReadLock", "()J", TRY_READ),
    STAMPED("tryWriteLock", "(J" UNIT ")J", TRY_WRITE_TIMED),
    STAMPED("tryReadLock", "(J" UNIT ")J", TRY_READ_TIMED),
    STAMPED("tryOptimisticRead", "()J", OPTIMISTIC),
    STAMPED("validate", "(J)Z", VALIDATE),
    STAMPED("unlock", "(J)V", UNLOCK),
    STAMPED("unlockWrite", "(J)V", UNLOCK),
    STAMPED("unlockRead", "(J)V", UNLOCK),
    STAMPED("tryConvertToWriteLock", "(J)J", TO_WRITE),
    STAMPED("tryConvertToReadLock", "(J)J", TO_READ),
    STAMPED("tryConvertToOptimisticRead", "(J)J", TO_OPTIMISTIC),
#define UPDATE(owner, name, descriptor, hook)                                                      \
    {                                                                                              \
        OP_INVOKEVIRTUAL, CONCURRENT "atomic/" owner, name, descriptor, SER_HOOK_##hook, false     \
    }
    UPDATE("AtomicReference", "updateAndGet",
           "(Ljava/util/function/UnaryOperator;)Ljava/lang/Object;", UPDATE_OBJECT),
    UPDATE("AtomicReference", "getAndUpdate",
           "(Ljava/util/function/UnaryOperator;)Ljava/lang/Object;", GET_UPDATE_OBJECT),
    UPDATE("AtomicReference", "accumulateAndGet",
           "(Ljava/lang/Object;Ljava/util/function/BinaryOperator;)Ljava/lang/Object;",
           ACCUMULATE_OBJECT),
    UPDATE("AtomicReference", "getAndAccumulate",
           "(Ljava/lang/Object;Ljava/util/function/BinaryOperator;)Ljava/lang/Object;",
           GET_ACCUMULATE_OBJECT),
};

static const ser_replaced_call of_all[] = {
    {OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J", SER_HOOK_NANO_TIME, true},
    {OP_INVOKESTATIC, "java/lang/System", "currentTimeMillis", "()J", SER_HOOK_MILLIS, true},
    {OP_INVOKESTATIC, "jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", SER_HOOK_ADJUSTMENT,
     true},
    {OP_INVOKESTATIC, "java/util/UUID", "randomUUID", "()Ljava/util/UUID;", SER_HOOK_UUID, true},
#define SECURE(name, descriptor, hook)                                                             \
    {                                                                                              \
        OP_INVOKEVIRTUAL, "java/security/SecureRandom", name, descriptor, SER_HOOK_SECURE_##hook,  \
            true                                                                                   \
    }
    SECURE("nextInt", "()I", INT),
    SECURE("nextInt", "(I)I", INT_BELOW),
    SECURE("nextLong", "()J", LONG),
    SECURE("nextBoolean", "()Z", BOOLEAN),
    SECURE("nextDouble", "()D", DOUBLE),
    SECURE("nextBytes", "([B)V", BYTES),
    {OP_INVOKESTATIC, "java/lang/Thread", "sleep", "(J)V", SER_HOOK_SLEEP, false},
    {OP_INVOKESTATIC, "java/lang/Thread", "sleep", "(JI)V", SER_HOOK_SLEEP_NANOS, false},
    {OP_INVOKEVIRTUAL, "jdk/internal/misc/Unsafe", "park", "(ZJ)V", SER_HOOK_PARK, true},
    {OP_INVOKEVIRTUAL, "jdk/internal/misc/Unsafe", "unpark", "(Ljava/lang/Object;)V",
     SER_HOOK_UNPARK, true},
};

static bool matches(const ser_replaced_call *rule, uint32_t op, const ser_member *called)
{
    return rule->op == op && ser_class_text_is(called->name, rule->name) &&
           ser_class_text_is(called->descriptor, rule->descriptor) &&
           (!rule->owner || ser_class_text_is(called->owner, rule->owner));
}

const ser_replaced_call *ser_find_replaced(ser_class_mode mode, uint32_t op,
                                           const ser_member *called)
{
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (matches(&of_all[i], op, called))
            return &of_all[i];
    for (size_t i = 0; mode != SER_CLASS_CALLS && i < sizeof of_program / sizeof *of_program; i++)
        if (matches(&of_program[i], op, called))
            return &of_program[i];
    return NULL;
}
