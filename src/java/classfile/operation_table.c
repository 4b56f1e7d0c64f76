/* SPDX-License-Identifier: MIT */
/*
 * What methods of the library do with the object that they are called for.
 */
#include "java/classfile/calls.h"

#define OBJECT SER_HOOK_OBJECT

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

/* Those that have a place for whatever they are given, so that they change the object whatever it
 * holds. A queue or collection that is known by its interface alone may be full. */
static bool always_changes(const ser_member *called)
{
    static const char *const names[] = {"incrementAndGet",
                                        "decrementAndGet",
                                        "getAndIncrement",
                                        "getAndDecrement",
                                        "addAndGet",
                                        "getAndAdd",
                                        "getAndSet",
                                        "increment",
                                        "decrement",
                                        "add",
                                        "addFirst",
                                        "addLast",
                                        "addElement",
                                        "append",
                                        "put",
                                        "push",
                                        "offer",
                                        "offerFirst",
                                        "offerLast",
                                        NULL};
    static const char *const unknown[] = {"Collection", "Queue", "Deque", NULL};
    bool at_index = ser_class_text_starts(called->descriptor, "(ILjava/lang/Object;)");
    return is_among(called->name, names) && !at_index &&
           !is_among(behind(called->owner, "java/util/"), unknown);
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
    bool unasked = unused || returns_text(called);
    return (ser_operation){.kind = kind_of(called, atomic, unused),
                           .early = early,
                           .keyed = by_key,
                           .other = early && !by_key ? other_of(called) : SER_OTHER_NONE,
                           .unasked = early && unasked,
                           .always = (early || atomic) && unasked && always_changes(called),
                           .expects = by_key ? expected_by(called) : SER_EXPECTS_ANYTHING};
}
