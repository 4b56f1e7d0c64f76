// SPDX-License-Identifier: MIT
package java.lang;

import java.util.Hashtable;
import java.util.Objects;
import java.util.Vector;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;
import jdk.internal.misc.Unsafe;

/**
 * What rewritten classes call (src/java/classfile/hooks.h). It is in java.base, where every class
 * loader and the library itself find it; the agent defines it and its native methods.
 *
 * An object is known by its identity hash: -XX:hashCode=3 counts them, so that they are unique and
 * the same in each run. The library's own methods run between two steps, so that no other thread
 * comes between: what they do is one operation. If they must wait they park, and that is ours.
 */
public final class Seriatim {
    private Seriatim() {}

    /** A monitor that is held: to ask a locked object for its identity takes long. */
    private static final class Held {
        final Object object;
        final int id, depth;
        final Held outer;

        Held(Object object, int id, Held outer) {
            this.object = object;
            this.id = id;
            this.outer = outer != null && outer.depth < 8 ? outer : null;
            this.depth = this.outer == null ? 1 : outer.depth + 1;
        }
    }

    /** Of the thread that runs, as a rule; others do no harm, since identities never change. */
    private static Held held;

    private static int id(Object object) {
        Held held = Seriatim.held;
        return held != null && held.object == object ? held.id : System.identityHashCode(object);
    }

    // --- accesses -------------------------------------------------------------------------

    /** The thread may lose its turn here. */
    public static void step() {
        if (!SeriatimRecords.step())
            step0();
    }

    private static native void step0();

    private static native void access0(Object object, int id, int index, long value, int site);

    private static void access(Object object, int id, int index, long value, int site) {
        if (!SeriatimRecords.access(id, index, value, site))
            access0(object, id, index, value, site);
    }

    private static final int NO_INDEX = -1;

    public static void field(Object object, int value, int site) {
        access(object, id(object), NO_INDEX, value, site);
    }

    public static void field(Object object, long value, int site) {
        access(object, id(object), NO_INDEX, value, site);
    }

    public static void field(Object object, float value, int site) {
        access(object, id(object), NO_INDEX, Float.floatToRawIntBits(value), site);
    }

    public static void field(Object object, double value, int site) {
        access(object, id(object), NO_INDEX, Double.doubleToRawLongBits(value), site);
    }

    public static void field(Object object, Object value, int site) {
        access(object, id(object), NO_INDEX, id(value), site);
    }

    public static void global(int value, int site) {
        access(null, 0, NO_INDEX, value, site);
    }

    public static void global(long value, int site) {
        access(null, 0, NO_INDEX, value, site);
    }

    public static void global(float value, int site) {
        access(null, 0, NO_INDEX, Float.floatToRawIntBits(value), site);
    }

    public static void global(double value, int site) {
        access(null, 0, NO_INDEX, Double.doubleToRawLongBits(value), site);
    }

    public static void global(Object value, int site) {
        access(null, 0, NO_INDEX, id(value), site);
    }

    public static void element(Object array, int index, int value, int site) {
        access(array, id(array), index, value, site);
    }

    public static void element(Object array, int index, long value, int site) {
        access(array, id(array), index, value, site);
    }

    public static void element(Object array, int index, float value, int site) {
        access(array, id(array), index, Float.floatToRawIntBits(value), site);
    }

    public static void element(Object array, int index, double value, int site) {
        access(array, id(array), index, Double.doubleToRawLongBits(value), site);
    }

    public static void element(Object array, int index, Object value, int site) {
        access(array, id(array), index, id(value), site);
    }

    // --- methods ----------------------------------------------------------------------------

    private static native void called0(int site);

    private static native void returned0(int site);

    public static void called(int site) {
        if (!SeriatimRecords.called(site))
            called0(site);
    }

    /** The same of a method that may be all that a thread does: run, call, a lambda expression. */
    public static void began(int site) {
        if (!SeriatimRecords.began(site))
            called0(site);
    }

    public static void returned(int site) {
        if (!SeriatimRecords.returned(site))
            returned0(site);
    }

    /** Around a method that is annotated with seriatim.Atomic. */
    public static native void blockBegins(int site);

    public static native void blockEnds(int site);

    /** The place of the call that comes next. */
    public static native void at(int site);

    // --- monitors -----------------------------------------------------------------------------

    private static native void lock0(Object object, int id, int site);

    private static native void unlock0(int id, int site);

    /** Before the real monitor is entered: no other thread has it then. */
    public static void lock(Object object, int site) {
        if (object == null)
            return;
        int id = id(object);
        held = new Held(object, id, held);
        lock0(object, id, site);
    }

    /** After the real monitor was left. */
    public static void unlock(Object object, int site) {
        unlock0(id(object), site);
        Held held = Seriatim.held;
        if (held != null && held.object == object)
            Seriatim.held = held.outer;
    }

    /** Leaves the monitor, waits, and enters it again; false if the thread is not recorded. */
    private static native boolean wait0(Object object, int id, long nanoseconds, int site);

    private static native void notify0(int id, boolean all, int site);

    public static void await(Object object, int site) throws InterruptedException {
        await(object, 0L, 0, site);
    }

    public static void await(Object object, long milliseconds, int site) throws InterruptedException {
        await(object, milliseconds, 0, site);
    }

    public static void await(Object object, long milliseconds, int nanoseconds, int site)
            throws InterruptedException {
        if (!Thread.holdsLock(object) || milliseconds < 0 || nanoseconds < 0 || nanoseconds > 999999) {
            object.wait(milliseconds, nanoseconds); // throws what it should
            return;
        }
        throwIfInterrupted();
        if (wait0(object, id(object), nanosecondsOf(milliseconds) + nanoseconds, site))
            throwIfInterrupted();
        else
            object.wait(milliseconds, nanoseconds);
    }

    public static void notify(Object object, int site) {
        object.notify();
        notify0(id(object), false, site);
    }

    public static void notifyAll(Object object, int site) {
        object.notifyAll();
        notify0(id(object), true, site);
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted())
            throw new InterruptedException();
    }

    private static long nanosecondsOf(long milliseconds) {
        return TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    // --- threads ------------------------------------------------------------------------------

    private static native void start0(Object thread, int id);

    private static native boolean join0(Object thread, int id, long nanoseconds, int site);

    private static native void interrupt0(int id);

    private static native boolean sleep0(long nanoseconds, int site);

    private static native boolean yield0(int site);

    private static native boolean park0(boolean absolute, long time);

    private static native boolean unpark0(int id);

    /** At the beginning of Thread.start. Threads of the library's own are not recorded. */
    public static void starting(Object thread) {
        if (((Thread) thread).getState() == Thread.State.NEW
                && !(thread instanceof jdk.internal.misc.InnocuousThread))
            start0(thread, id(thread));
    }

    private static native void uncaught0(String what);

    /** At the beginning of Thread.dispatchUncaughtException. What the program handles is none. */
    public static void uncaught(Object object) {
        Thread thread = Thread.currentThread();
        if (thread.getUncaughtExceptionHandler() != thread.getThreadGroup()
                || Thread.getDefaultUncaughtExceptionHandler() != null
                || object instanceof ThreadDeath)
            return;
        StackTraceElement[] stack = ((Throwable) object).getStackTrace();
        String where = stack.length == 0 ? "" : " at " + placeOf(stack[0]);
        uncaught0(object.getClass().getName() + where);
    }

    /** As sites are written: com/shop/Cart.java:31 in com.shop.Cart.total */
    private static String placeOf(StackTraceElement frame) {
        String owner = frame.getClassName(), file = frame.getFileName();
        String folder = owner.substring(0, owner.lastIndexOf('.') + 1).replace('.', '/');
        return (file == null ? "?" : folder + file + ":" + frame.getLineNumber())
                + " in " + owner + "." + frame.getMethodName();
    }

    public static void interrupted(Object thread) {
        interrupt0(id(thread));
    }

    private static boolean join(Object thread, long nanoseconds, int site) {
        return join0(Thread.holdsLock(thread) ? null : thread, id(thread), nanoseconds, site);
    }

    /** Before the real join, which has little left to wait for. */
    public static void joining(Object object, int site) {
        if (object instanceof Thread && object != Thread.currentThread()
                && !Thread.currentThread().isInterrupted())
            join(object, 0, site);
    }

    /** How long the real join may still wait. */
    public static long joining(Object object, long milliseconds, int site) {
        if (!(object instanceof Thread) || object == Thread.currentThread() || milliseconds < 0
                || Thread.currentThread().isInterrupted())
            return milliseconds;
        return join(object, nanosecondsOf(milliseconds), site) ? milliseconds : 1;
    }

    public static void sleep(long milliseconds, int site) throws InterruptedException {
        sleep(milliseconds, 0, site);
    }

    public static void sleep(long milliseconds, int nanoseconds, int site) throws InterruptedException {
        if (milliseconds < 0 || nanoseconds < 0 || nanoseconds > 999999) {
            Thread.sleep(milliseconds, nanoseconds); // throws what it should
            return;
        }
        throwIfInterrupted();
        if (sleep0(nanosecondsOf(milliseconds) + nanoseconds, site))
            throwIfInterrupted();
        else
            Thread.sleep(milliseconds, nanoseconds);
    }

    public static void yield(int site) {
        if (!yield0(site))
            Thread.yield();
    }

    /** In the place of Unsafe.park and unpark. */
    public static void park(Object unsafe, boolean absolute, long time) {
        if (!park0(absolute, time))
            ((Unsafe) unsafe).park(absolute, time);
    }

    public static void unpark(Object unsafe, Object thread) {
        if (thread != null && !unpark0(id(thread)))
            ((Unsafe) unsafe).unpark(thread);
    }

    // --- locks of java.util.concurrent ----------------------------------------------------------

    private static final Unsafe unsafe = Unsafe.getUnsafe();
    private static final long LOCK = unsafe.objectFieldOffset(ReentrantLock.class, "sync");
    private static final long READ_LOCK = unsafe.objectFieldOffset(ReadLock.class, "sync");
    private static final long WRITE_LOCK = unsafe.objectFieldOffset(WriteLock.class, "sync");
    private static final long CONDITION =
        unsafe.objectFieldOffset(AbstractQueuedSynchronizer.ConditionObject.class, "this$0");

    /** What a lock and its conditions share, and the two sides of a read-write lock; null: not known. */
    private static Object synchronizerOf(Object lock) {
        if (lock instanceof ReentrantLock)
            return unsafe.getReference(lock, LOCK);
        if (lock instanceof ReadLock)
            return unsafe.getReference(lock, READ_LOCK);
        if (lock instanceof WriteLock)
            return unsafe.getReference(lock, WRITE_LOCK);
        if (lock instanceof AbstractQueuedSynchronizer.ConditionObject)
            return unsafe.getReference(lock, CONDITION);
        return null;
    }

    private static native void acquired0(Object lock, int id, boolean shared, int site);

    private static native void released0(int id, boolean shared, int site);

    private static native void refused0(Object lock, int id, int site);

    private static void acquired(Object lock, int site) {
        Object synchronizer = synchronizerOf(lock);
        if (synchronizer != null)
            acquired0(lock instanceof ReentrantLock ? lock : synchronizer, id(synchronizer),
                lock instanceof ReadLock, site);
    }

    public static void acquire(Object lock, int site) {
        step();
        ((Lock) lock).lock();
        acquired(lock, site);
    }

    public static void acquireInterruptibly(Object lock, int site) throws InterruptedException {
        step();
        ((Lock) lock).lockInterruptibly();
        acquired(lock, site);
    }

    private static boolean tried(Object lock, boolean success, int site) {
        if (success)
            acquired(lock, site);
        else if (lock instanceof ReentrantLock)
            refused0(lock, id(synchronizerOf(lock)), site);
        return success;
    }

    public static boolean tryAcquire(Object lock, int site) {
        step();
        return tried(lock, ((Lock) lock).tryLock(), site);
    }

    public static boolean tryAcquire(Object lock, long time, TimeUnit unit, int site)
            throws InterruptedException {
        step();
        return tried(lock, ((Lock) lock).tryLock(time, unit), site);
    }

    public static void release(Object lock, int site) {
        step();
        ((Lock) lock).unlock();
        Object synchronizer = synchronizerOf(lock);
        if (synchronizer != null)
            released0(id(synchronizer), lock instanceof ReadLock, site);
    }

    // --- conditions -----------------------------------------------------------------------------

    /** How often the thread had the lock, which the library gives back now. */
    private static native int leave0(Object condition, int id, int lock, int site);

    private static native void come0(int lock, int depth, int site);

    private static native void signalled0(Object condition, int id, boolean all, int site);

    private static int leave(Object condition, int site) {
        step();
        Object synchronizer = synchronizerOf(condition);
        return synchronizer == null ? 0 : leave0(condition, id(condition), id(synchronizer), site);
    }

    private static void comeBack(Object condition, int depth, int site) {
        if (depth > 0)
            come0(id(synchronizerOf(condition)), depth, site);
    }

    public static void conditionAwait(Object condition, int site) throws InterruptedException {
        int depth = leave(condition, site);
        try {
            ((Condition) condition).await();
        } finally {
            comeBack(condition, depth, site);
        }
    }

    public static boolean conditionAwait(Object condition, long time, TimeUnit unit, int site)
            throws InterruptedException {
        int depth = leave(condition, site);
        try {
            return ((Condition) condition).await(time, unit);
        } finally {
            comeBack(condition, depth, site);
        }
    }

    public static long conditionAwaitNanos(Object condition, long time, int site)
            throws InterruptedException {
        int depth = leave(condition, site);
        try {
            return ((Condition) condition).awaitNanos(time);
        } finally {
            comeBack(condition, depth, site);
        }
    }

    public static void conditionSignal(Object condition, int site) {
        step();
        ((Condition) condition).signal();
        signalled0(condition, id(condition), false, site);
    }

    public static void conditionSignalAll(Object condition, int site) {
        step();
        ((Condition) condition).signalAll();
        signalled0(condition, id(condition), true, site);
    }

    // --- operations on whole objects ------------------------------------------------------------

    /**
     * What is recorded of an operation before it: all, its read and its write one after the other, or a
     * read because it will change nothing.
     */
    private static final int ALL = 0, READ = 1, WRITE = 2, LOOK = 3;

    /** monitor: that it holds; 0: none. False if there is nothing to be written of what was read. */
    private static native boolean operating0(Object object, int id, int monitor, long key, int what, int site);

    private static native void operated0(Object object, int id, boolean wrote, boolean hasValue,
        long value, int site);

    private static native void handed0(Object object, int id, boolean write);

    /** Which monitor the object's methods hold. */
    private static int monitorOf(Object object) {
        if (object instanceof Vector || object instanceof Hashtable || object instanceof StringBuffer)
            return id(object);
        Object mutex = SeriatimViews.mutexOf(object);
        return mutex == null ? 0 : id(mutex);
    }

    private static void operating(Object object, long key, int what, int site) {
        Object contents = object == null ? null : SeriatimViews.contentsOf(object);
        if (contents == null)
            return;
        int id = id(contents);
        if (contents != object || key != 0 || !SeriatimViews.isUnsafe(object))
            operating0(contents, id, monitorOf(object), key, what, site);
        else if (operating0(contents, id, 0, key, READ, site))
            operating0(contents, id, 0, key, WRITE, site); // others may have come between
    }

    public static void operating(Object object, int site) {
        operating(object, 0L, ALL, site);
    }

    /** Of a map or set: equal keys are one part of it. */
    public static void operating(Object object, Object key, int site) {
        operating(object, numberOf(key), ALL, site);
    }

    /** The same, if the map changes only if it has what is expected: after a step no other thread comes between. */
    public static void operating(Object object, Object key, Object expected, int site) {
        step();
        boolean changes = key == null || !(object instanceof ConcurrentMap)
            || Objects.equals(((ConcurrentMap<?, ?>) object).get(key), expected);
        operating(object, numberOf(key), changes ? ALL : LOOK, site);
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
            number = id(key) * 0x9e3779b97f4a7c15L;
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
            value = id(((AtomicReference<?>) object).getPlain());
        else if (object instanceof CountDownLatch)
            value = ((CountDownLatch) object).getCount();
        else
            hasValue = false;
        operated0(object, id(object), wrote, hasValue, value, site);
    }

    /** In executors: a task is handed over, taken, and has its result. */
    public static void handed(Object task) {
        handed0(task, id(task), true);
    }

    public static void taken(Object task) {
        handed0(task, id(task), false);
    }

    private static native void act0(Object barrier, int id, boolean ends);

    /** In CyclicBarrier: the last thread that has come begins and ends the barrier's action. */
    public static void acting(Object barrier) {
        act0(barrier, id(barrier), false);
    }

    public static void acted(Object barrier) {
        act0(barrier, id(barrier), true);
    }

    /** In CompletableFuture: the result of a future was looked at. */
    public static void result(Object future, Object value) {
        if (value != null)
            handed0(future, id(future), false);
    }
}
