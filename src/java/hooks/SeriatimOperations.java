// SPDX-License-Identifier: MIT
package java.lang;

import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import jdk.internal.misc.Unsafe;

/**
 * Operations of the library on whole objects: of atomics, collections, latches and barriers; and tasks that
 * go from thread to thread. Rewritten classes call this before or after them (hooks.h).
 */
public final class SeriatimOperations {
    private SeriatimOperations() {}

    // --- operations on whole objects ------------------------------------------------------------

    /**
     * What is recorded of an operation before it: all, its read and its write one after the other, a
     * read because it will change nothing, or a step of an iterator that must not meet changes.
     */
    private static final int ALL = 0, READ = 1, WRITE = 2, LOOK = 3, WALK = 4;
    /** With READ and WRITE: whether the key is in the map or set, if that is known. */
    private static final int HAS = 8, LACKS = 16;

    /**
     * monitor: that it holds, with its identity; null and 0: none. False if there is nothing to be written of
     * what was read.
     */
    private static native boolean operating0(Object object, int id, Object monitor, int monitorId, long key,
        int what, int site);

    private static native void operated0(Object object, int id, boolean wrote, boolean hasValue,
        long value, int site);

    private static native void handed0(Object object, int id, boolean reads, boolean writes);

    /** Which monitor the object's methods hold. */
    private static Object monitorOf(Object object) {
        if (object instanceof Vector || object instanceof Hashtable || object instanceof StringBuffer)
            return object;
        return SeriatimViews.mutexOf(object);
    }

    private static void operating(Object object, long key, int what, int site) {
        operating(object, key, what, 0, site);
    }

    private static void operating(Object object, long key, int what, int presence, int site) {
        Object contents = object == null ? null : SeriatimViews.contentsOf(object);
        if (contents == null)
            return;
        int id = Seriatim.id(contents);
        if (contents != object || !SeriatimViews.isUnsafe(object)) {
            Object monitor = monitorOf(object);
            operating0(contents, id, monitor, monitor == null ? 0 : Seriatim.id(monitor), key, what, site);
        } else if (operating0(contents, id, null, 0, key, READ | presence, site)) {
            operating0(contents, id, null, 0, key, WRITE | presence, site); // others may have come between
        }
    }

    public static void operating(Object object, int site) {
        operating(object, 0L, SeriatimViews.isFragile(object) ? WALK : ALL, site);
    }

    /** Of a map or set: equal keys are one part of it. */
    public static void operating(Object object, Object key, int site) {
        long number = numberOf(key);
        operating(object, number, ALL, presenceOf(object, key, number), site);
    }

    /** To look for a key with a number runs no code of the program. */
    private static int presenceOf(Object object, Object key, long number) {
        if (number == 0 || object == null || !SeriatimViews.isHashed(object))
            return 0;
        Seriatim.step();
        boolean has = object instanceof Map ? ((Map<?, ?>) object).containsKey(key) : ((Set<?>) object).contains(key);
        return has ? HAS : LACKS;
    }

    /** The same, if the map changes only if it has what is expected: after a step no other thread comes between. */
    public static void operating(Object object, Object key, Object expected, int site) {
        Seriatim.step();
        boolean changes = key == null || !(object instanceof ConcurrentMap)
            || Objects.equals(((ConcurrentMap<?, ?>) object).get(key), expected);
        long number = numberOf(key);
        operating(object, number, changes ? ALL : LOOK, presenceOf(object, key, number), site);
    }

    /** The same of a call that looks at another collection or text, and may hold both monitors then. */
    public static void operatingWith(Object object, Object other, int site) {
        Object mine = object == null ? null : monitorOf(object), its = other == null ? null : monitorOf(other);
        if (mine == null || its == null || mine == its || !areAlike(object, other))
            operating(object, site);
        else
            operatingInside(mine, object, other, site);
    }

    public static void operatingFrom(Object object, Object other, int site) {
        if (object instanceof Vector || object instanceof Hashtable)
            operating(object, site);
        else
            operatingWith(object, other, site);
    }

    /** Others are not equal, whatever is in them. */
    private static boolean areAlike(Object one, Object other) {
        return one instanceof List == other instanceof List && one instanceof Map == other instanceof Map
            && one instanceof Set == other instanceof Set;
    }

    /**
     * Between the two monitors a thread may lose its turn, and so wait for ever. It has the real one, too, for
     * those who look for deadlocks. When the call comes, in the same turn, both are free.
     */
    private static void operatingInside(Object monitor, Object object, Object other, int site) {
        Seriatim.lock(monitor, site);
        synchronized (monitor) {
            operating(object, site);
            operating(other, 0L, LOOK, site);
        }
        Seriatim.unlockInTurn(monitor, site);
    }

    /** Equal keys have the same number, others hardly ever; 0: not known, so that it may be any. */
    private static long numberOf(Object key) {
        long number = 0;
        if (key instanceof String)
            for (int i = 0, length = ((String) key).length(); i < length; i++)
                number = (number ^ ((String) key).charAt(i)) * 0x100000001b3L + 1;
        else if (key instanceof Long || key instanceof Integer || key instanceof Short || key instanceof Byte)
            number = ((Number) key).longValue() * 0x9e3779b97f4a7c15L;
        else if (key instanceof Character)
            number = (Character) key * 0x9e3779b97f4a7c15L;
        else if (key instanceof Enum || key instanceof Class || key instanceof Thread)
            number = Seriatim.id(key) * 0x9e3779b97f4a7c15L;
        else
            return 0;
        return number | 1;
    }

    public static void operated(Object object, int site) {
        operated(object, true, site);
    }

    public static void operated(Object object, boolean wrote, int site) {
        boolean hasValue = true;
        long value = 0;
        if (object instanceof AtomicInteger)
            value = ((AtomicInteger) object).getPlain();
        else if (object instanceof AtomicLong)
            value = ((AtomicLong) object).getPlain();
        else if (object instanceof AtomicBoolean)
            value = ((AtomicBoolean) object).getPlain() ? 1 : 0;
        else if (object instanceof AtomicReference)
            value = Seriatim.id(((AtomicReference<?>) object).getPlain());
        else if (object instanceof CountDownLatch)
            value = ((CountDownLatch) object).getCount();
        else
            hasValue = false;
        operated0(object, Seriatim.id(object), wrote, hasValue, value, site);
    }

    /** In executors: a task is handed over, taken, and has its result. */
    public static void handed(Object task) {
        handed0(task, Seriatim.id(task), false, true);
    }

    public static void taken(Object task) {
        handed0(task, Seriatim.id(task), true, false);
    }

    private static final Unsafe unsafe = Unsafe.getUnsafe();
    private static final long OUTCOME = unsafe.objectFieldOffset(FutureTask.class, "outcome");
    private static final long STATE = unsafe.objectFieldOffset(FutureTask.class, "state");
    private static final int EXCEPTIONAL = 3;

    private static native void failed0(int id, String what);

    private static native void asked0(int id);

    /** In FutureTask.finishCompletion: it may have got an exception, which is lost if nobody asks for it. */
    public static void failed(Object future) {
        if (unsafe.getInt(future, STATE) != EXCEPTIONAL)
            return;
        Throwable thrown = (Throwable) unsafe.getReference(future, OUTCOME);
        if (isMistake(thrown))
            failed0(Seriatim.id(future), Seriatim.describe(thrown));
    }

    /** Not of tasks that were asked to end, and not what a method declares. */
    private static boolean isMistake(Throwable thrown) {
        if (thrown instanceof ThreadDeath || thrown instanceof RejectedExecutionException
                || thrown instanceof CancellationException || Thread.currentThread().isInterrupted())
            return false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause())
            if (cause instanceof InterruptedException)
                return false;
        return thrown instanceof Error || thrown instanceof RuntimeException;
    }

    /** In FutureTask.report, which is where it is thrown again. */
    public static void asked(Object future) {
        asked0(Seriatim.id(future));
    }

    /** The thread that completes a future also looks for what depends on it. */
    public static void completed(Object future) {
        handed0(future, Seriatim.id(future), true, true);
    }

    private static native void act0(Object barrier, int id, boolean ends);

    /** In CyclicBarrier: the last thread that has come begins and ends the barrier's action. */
    public static void acting(Object barrier) {
        act0(barrier, Seriatim.id(barrier), false);
    }

    public static void acted(Object barrier) {
        act0(barrier, Seriatim.id(barrier), true);
    }

    /** In CompletableFuture: the result of a future was looked at. */
    public static void result(Object future, Object value) {
        if (value != null)
            taken(future);
    }
}
