/* SPDX-License-Identifier: MIT */
/*
 * The Java library as far as rewritten classes call it.
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

/* --- operations on whole objects ---------------------------------------------- */

static bool is_among(ser_class_text text, const char *const *list)
{
    for (; *list; list++)
        if (ser_class_text_is(text, *list))
            return true;
    return false;
}

static const char *const atomics[] = {"AtomicInteger",
                                      "AtomicLong",
                                      "AtomicBoolean",
                                      "AtomicReference",
                                      "AtomicStampedReference",
                                      "AtomicMarkableReference",
                                      "LongAdder",
                                      "DoubleAdder",
                                      "LongAccumulator",
                                      "DoubleAccumulator",
                                      NULL};

static const char *const meetings[] = {"CyclicBarrier", "Phaser", "Exchanger", NULL};
static const char *const meets[] = {"await", "arriveAndAwaitAdvance", "exchange", NULL};
static const char *const arrives[] = {"arrive", "arriveAndDeregister", NULL};
static const char *const departs[] = {"awaitAdvance", "awaitAdvanceInterruptibly", NULL};

/* They wait. */
static const char *const waiting[] = {"BlockingQueue",
                                      "BlockingDeque",
                                      "ArrayBlockingQueue",
                                      "LinkedBlockingQueue",
                                      "LinkedBlockingDeque",
                                      "PriorityBlockingQueue",
                                      "SynchronousQueue",
                                      "TransferQueue",
                                      "LinkedTransferQueue",
                                      "DelayQueue",
                                      "CountDownLatch",
                                      "Semaphore",
                                      "Future",
                                      "FutureTask",
                                      "CompletableFuture",
                                      NULL};

static const char *const concurrent[] = {"ConcurrentHashMap",      "ConcurrentMap",
                                         "ConcurrentSkipListMap",  "ConcurrentSkipListSet",
                                         "ConcurrentLinkedQueue",  "ConcurrentLinkedDeque",
                                         "CopyOnWriteArrayList",   "CopyOnWriteArraySet",
                                         "ConcurrentNavigableMap", NULL};

static const char *const collections[] = {
    "Collection", "List",         "Map",           "Set",          "Queue",         "Deque",
    "SortedMap",  "TreeMap",      "ArrayList",     "HashMap",      "LinkedHashMap", "HashSet",
    "TreeSet",    "Vector",       "LinkedHashSet", "Stack",        "Hashtable",     "LinkedList",
    "ArrayDeque", "SortedSet",    "PriorityQueue", "NavigableMap", "Properties",    "BitSet",
    "Iterator",   "ListIterator", "Enumeration",   "EnumMap",      "NavigableSet",  NULL};

static const char *const readers[] = {"get",           "getPlain",
                                      "getAcquire",    "getOpaque",
                                      "getReference",  "getStamp",
                                      "isMarked",      "intValue",
                                      "longValue",     "doubleValue",
                                      "sum",           "contains",
                                      "containsKey",   "containsAll",
                                      "containsValue", "size",
                                      "isEmpty",       "peek",
                                      "peekFirst",     "peekLast",
                                      "element",       "elementAt",
                                      "first",         "last",
                                      "firstKey",      "lastKey",
                                      "firstElement",  "lastElement",
                                      "getFirst",      "getLast",
                                      "getOrDefault",  "indexOf",
                                      "lastIndexOf",   "toString",
                                      "length",        "charAt",
                                      "keySet",        "values",
                                      "entrySet",      "iterator",
                                      "forEach",       "stream",
                                      "equals",        "hashCode",
                                      "toArray",       "elements",
                                      "keys",          "capacity",
                                      "mappingCount",  "floorKey",
                                      "ceilingKey",    "higherKey",
                                      "lowerKey",      "floor",
                                      "ceiling",       "higher",
                                      "lower",         "floorEntry",
                                      "ceilingEntry",  "firstEntry",
                                      "lastEntry",     "listIterator",
                                      "substring",     "getProperty",
                                      "getCount",      "remainingCapacity",
                                      "await",         "availablePermits",
                                      "isDone",        "hasNext",
                                      "next",          "hasMoreElements",
                                      "nextElement",   "hasPrevious",
                                      "previous",      "join",
                                      "getNow",        "search",
                                      "copyInto",      "subList",
                                      "cardinality",   NULL};

static const char *const writers[] = {"set",        "lazySet",   "setPlain",
                                      "setRelease", "setOpaque", NULL};

/* With a key, or an element of a set. Those of the second list replace what is there, whatever it
 * is: if the result is not used, they only write. */
static const char *const keyed[] = {
    "get",     "containsKey", "getOrDefault",    "contains",         "put",     "add",   "remove",
    "compute", "putIfAbsent", "computeIfAbsent", "computeIfPresent", "replace", "merge", NULL};
static const char *const replacing[] = {"put", "add", "remove", NULL};

/* Synchronized collections and texts hold their own monitor while they look at another one, which
 * takes its own. To add all of it to a vector or hash table they look before. */
static const char *const looking[] = {"equals", "containsAll", "append", NULL};
static const char *const adding[] = {"addAll", "putAll", NULL};

static ser_class_text behind(ser_class_text text, const char *start)
{
    ser_class_text rest = {"", 0};
    if (ser_class_text_starts(text, start))
        while (*start)
            start++, text.bytes++, text.length--, rest = text;
    return rest;
}

static bool ends_with(ser_class_text text, const char *end)
{
    uint32_t length = 0;
    while (end[length])
        length++;
    return length <= text.length &&
           ser_class_text_is((ser_class_text){text.bytes + text.length - length, length}, end);
}

static bool is_map(ser_class_text owner)
{
    return ends_with(owner, "Map") || ends_with(owner, "/Hashtable");
}

/* One argument for sets, one or more for maps; all are objects. */
static bool is_keyed(const ser_member *called)
{
    bool one = ser_class_text_starts(called->descriptor, "(Ljava/lang/Object;)");
    bool set = ends_with(called->owner, "Set") && !ends_with(called->owner, "BitSet");
    return ((set && one) || (is_map(called->owner) &&
                             ser_class_text_starts(called->descriptor, "(Ljava/lang/Object;"))) &&
           is_among(called->name, keyed);
}

static bool replaces_all(const ser_member *called)
{
    return ser_class_text_is(called->name, "clear");
}

static bool replaces_part(const ser_member *called)
{
    bool two_of_remove = ser_class_text_is(called->name, "remove") &&
                         !ser_class_text_starts(called->descriptor, "(Ljava/lang/Object;)");
    return is_keyed(called) && is_among(called->name, replacing) && !two_of_remove;
}

/* Of a map; with one argument more than what replaces without looking. */
static ser_expected expected_by(const ser_member *called)
{
    if (ser_class_text_is(called->name, "putIfAbsent") ||
        ser_class_text_is(called->name, "computeIfAbsent"))
        return SER_EXPECTS_NOTHING;
    bool compares = (ser_class_text_is(called->name, "replace") &&
                     ser_class_text_is(called->descriptor, "(" OBJECT OBJECT OBJECT ")Z")) ||
                    (ser_class_text_is(called->name, "remove") &&
                     ser_class_text_is(called->descriptor, "(" OBJECT OBJECT ")Z"));
    return compares ? SER_EXPECTS_ARGUMENT : SER_EXPECTS_ANYTHING;
}

static ser_class_site_kind kind_of(const ser_member *called, bool atomic, bool unused)
{
    if (is_among(called->name, readers))
        return SER_CLASS_READ;
    if ((atomic && is_among(called->name, writers)) || (!atomic && replaces_all(called)) ||
        (unused && replaces_part(called)))
        return SER_CLASS_WRITE;
    return SER_CLASS_READ_WRITE;
}

static ser_class_site_kind kind_of_meeting(ser_class_text name)
{
    if (is_among(name, meets))
        return SER_CLASS_MEET;
    if (is_among(name, arrives))
        return SER_CLASS_ARRIVE;
    if (is_among(name, departs))
        return SER_CLASS_DEPART;
    return ser_class_text_starts(name, "get") || ser_class_text_starts(name, "is")
               ? SER_CLASS_READ
               : SER_CLASS_READ_WRITE;
}

static bool is_text(ser_class_text owner)
{
    return ser_class_text_is(owner, "java/lang/StringBuffer") ||
           ser_class_text_is(owner, "java/lang/StringBuilder");
}

/* `append` and its kind return the text itself, for the next call. */
static bool returns_text(const ser_member *called)
{
    return is_text(called->owner) && (ends_with(called->descriptor, ")Ljava/lang/StringBuffer;") ||
                                      ends_with(called->descriptor, ")Ljava/lang/StringBuilder;"));
}

static ser_other other_of(const ser_member *called)
{
    static const char *const arguments[] = {
        "(" OBJECT ")Z",
        "(Ljava/util/Collection;)Z",
        "(Ljava/util/Map;)V",
        "(Ljava/lang/StringBuffer;)Ljava/lang/StringBuffer;",
        "(Ljava/lang/CharSequence;)Ljava/lang/StringBuffer;",
        NULL,
    };
    if (!is_among(called->descriptor, arguments))
        return SER_OTHER_NONE;
    if (is_among(called->name, looking))
        return SER_OTHER_LOOKED_AT;
    return is_among(called->name, adding) ? SER_OTHER_ADDED : SER_OTHER_NONE;
}

ser_operation ser_operation_of(const ser_member *called, bool unused)
{
    ser_class_text utility = behind(called->owner, "java/util/concurrent/");
    bool atomic = is_among(behind(called->owner, "java/util/concurrent/atomic/"), atomics);
    bool early = is_among(utility, concurrent) ||
                 is_among(behind(called->owner, "java/util/"), collections) ||
                 is_text(called->owner);
    if (is_among(utility, meetings))
        return (ser_operation){.kind = kind_of_meeting(called->name)};
    if (!atomic && !early && !is_among(utility, waiting))
        return (ser_operation){.kind = SER_CLASS_PLACE};
    bool by_key = early && is_keyed(called);
    return (ser_operation){.kind = kind_of(called, atomic, unused),
                           .early = early,
                           .keyed = by_key,
                           .other = early && !by_key ? other_of(called) : SER_OTHER_NONE,
                           .unasked = early && (unused || returns_text(called)),
                           .expects = by_key ? expected_by(called) : SER_EXPECTS_ANYTHING};
}
