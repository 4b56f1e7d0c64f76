// SPDX-License-Identifier: MIT
package java.lang;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;
import jdk.internal.misc.Unsafe;

/**
 * Locks and conditions of java.util.concurrent, which rewritten classes call here instead (hooks.h). They
 * do their own work, between two steps; what they have done is recorded after it.
 */
public final class SeriatimLocks {
    private SeriatimLocks() {}

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
            acquired0(lock instanceof ReentrantLock ? lock : synchronizer, Seriatim.id(synchronizer),
                lock instanceof ReadLock, site);
    }

    public static void acquire(Object lock, int site) {
        Seriatim.step();
        ((Lock) lock).lock();
        acquired(lock, site);
    }

    public static void acquireInterruptibly(Object lock, int site) throws InterruptedException {
        Seriatim.step();
        ((Lock) lock).lockInterruptibly();
        acquired(lock, site);
    }

    private static boolean tried(Object lock, boolean success, int site) {
        if (success)
            acquired(lock, site);
        else if (lock instanceof ReentrantLock)
            refused0(lock, Seriatim.id(synchronizerOf(lock)), site);
        return success;
    }

    public static boolean tryAcquire(Object lock, int site) {
        Seriatim.step();
        return tried(lock, ((Lock) lock).tryLock(), site);
    }

    public static boolean tryAcquire(Object lock, long time, TimeUnit unit, int site)
            throws InterruptedException {
        Seriatim.step();
        return tried(lock, ((Lock) lock).tryLock(time, unit), site);
    }

    public static void release(Object lock, int site) {
        Seriatim.step();
        ((Lock) lock).unlock();
        Object synchronizer = synchronizerOf(lock);
        if (synchronizer != null)
            released0(Seriatim.id(synchronizer), lock instanceof ReadLock, site);
    }

    /** How often the thread has the lock now. */
    private static native void held0(Object lock, int id, int count, int site);

    /** After methods that are called as those of a lock, of classes of the program. */
    public static void held(Object object, int site) {
        if (object instanceof ReentrantLock)
            held0(object, Seriatim.id(synchronizerOf(object)), ((ReentrantLock) object).getHoldCount(), site);
    }

    // --- conditions -----------------------------------------------------------------------------

    /** How often the thread had the lock, which the library gives back now. */
    private static native int leave0(Object condition, int id, int lock, int site);

    private static native void come0(int lock, int depth, int site);

    private static native void signalled0(Object condition, int id, boolean all, int site);

    private static int leave(Object condition, int site) {
        Seriatim.step();
        Object synchronizer = synchronizerOf(condition);
        return synchronizer == null ? 0 : leave0(condition, Seriatim.id(condition), Seriatim.id(synchronizer), site);
    }

    private static void comeBack(Object condition, int depth, int site) {
        if (depth > 0)
            come0(Seriatim.id(synchronizerOf(condition)), depth, site);
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

    public static boolean conditionAwaitUntil(Object condition, Date deadline, int site)
            throws InterruptedException {
        int depth = leave(condition, site);
        try {
            return ((Condition) condition).awaitUntil(deadline);
        } finally {
            comeBack(condition, depth, site);
        }
    }

    public static void conditionAwaitUninterruptibly(Object condition, int site) {
        int depth = leave(condition, site);
        try {
            ((Condition) condition).awaitUninterruptibly();
        } finally {
            comeBack(condition, depth, site);
        }
    }

    public static void conditionSignal(Object condition, int site) {
        Seriatim.step();
        ((Condition) condition).signal();
        signalled0(condition, Seriatim.id(condition), false, site);
    }

    public static void conditionSignalAll(Object condition, int site) {
        Seriatim.step();
        ((Condition) condition).signalAll();
        signalled0(condition, Seriatim.id(condition), true, site);
    }
}
