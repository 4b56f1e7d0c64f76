// SPDX-License-Identifier: MIT
package java.lang;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Semaphores and stamped locks, which rewritten classes call here instead (hooks.h). They do their own
 * work, between two steps; what they have done is recorded after it.
 */
public final class SeriatimSync {
    private SeriatimSync() {}

    private static int id(Object object) {
        return System.identityHashCode(object);
    }

    // --- semaphores -----------------------------------------------------------------------------

    /** `before`: how many permits there were. A negative count: that many were given back. */
    private static native void permits0(Object semaphore, int id, int before, int count, int site);

    private static int before(Object semaphore) {
        Seriatim.step();
        return ((Semaphore) semaphore).availablePermits();
    }

    private static boolean took(Object semaphore, int before, int count, boolean success, int site) {
        if (success && count > 0)
            permits0(semaphore, id(semaphore), before, count, site);
        return success;
    }

    public static void acquire(Object semaphore, int site) throws InterruptedException {
        acquire(semaphore, 1, site);
    }

    public static void acquire(Object semaphore, int count, int site) throws InterruptedException {
        int before = before(semaphore);
        ((Semaphore) semaphore).acquire(count);
        took(semaphore, before, count, true, site);
    }

    public static void acquireUninterruptibly(Object semaphore, int site) {
        acquireUninterruptibly(semaphore, 1, site);
    }

    public static void acquireUninterruptibly(Object semaphore, int count, int site) {
        int before = before(semaphore);
        ((Semaphore) semaphore).acquireUninterruptibly(count);
        took(semaphore, before, count, true, site);
    }

    public static boolean tryAcquire(Object semaphore, int site) {
        return tryAcquire(semaphore, 1, site);
    }

    public static boolean tryAcquire(Object semaphore, int count, int site) {
        int before = before(semaphore);
        return took(semaphore, before, count, ((Semaphore) semaphore).tryAcquire(count), site);
    }

    public static boolean tryAcquire(Object semaphore, long time, TimeUnit unit, int site)
            throws InterruptedException {
        return tryAcquire(semaphore, 1, time, unit, site);
    }

    public static boolean tryAcquire(Object semaphore, int count, long time, TimeUnit unit, int site)
            throws InterruptedException {
        int before = before(semaphore);
        return took(semaphore, before, count, ((Semaphore) semaphore).tryAcquire(count, time, unit), site);
    }

    public static void release(Object semaphore, int site) {
        release(semaphore, 1, site);
    }

    public static void release(Object semaphore, int count, int site) {
        int before = before(semaphore);
        ((Semaphore) semaphore).release(count);
        if (count > 0)
            permits0(semaphore, id(semaphore), before, -count, site);
    }

    // --- stamped locks --------------------------------------------------------------------------

    /** What a stamp stands for; as stamped0 wants it. */
    private static final int NOTHING = 0, OPTIMISTIC = 1, READ = 2, WRITE = 3;

    /** The thread had one and has another now. */
    private static native void stamped0(Object lock, int id, int had, int has, int site);

    private static int modeOf(long stamp) {
        return StampedLock.isWriteLockStamp(stamp) ? WRITE
            : StampedLock.isReadLockStamp(stamp) ? READ
            : stamp != 0 ? OPTIMISTIC : NOTHING;
    }

    private static long got(Object lock, long stamp, int site) {
        if (stamp != 0)
            stamped0(lock, id(lock), NOTHING, modeOf(stamp), site);
        return stamp;
    }

    /** Waits until no other thread reads optimistically. */
    private static native void awaitReaders0(int id, int site);

    /** Does another thread have the lock, to write? */
    private static native boolean isWritten0(int id);

    /**
     * A writer lets others end their optimistic reads: what they have read is thrown away otherwise, and
     * would pass for a read that nothing protects.
     */
    private static void beforeWrite(Object lock, int site) {
        Seriatim.step();
        awaitReaders0(id(lock), site);
    }

    public static long writeLock(Object lock, int site) {
        beforeWrite(lock, site);
        return got(lock, ((StampedLock) lock).writeLock(), site);
    }

    public static long readLock(Object lock, int site) {
        Seriatim.step();
        return got(lock, ((StampedLock) lock).readLock(), site);
    }

    public static long writeLockInterruptibly(Object lock, int site) throws InterruptedException {
        beforeWrite(lock, site);
        return got(lock, ((StampedLock) lock).writeLockInterruptibly(), site);
    }

    public static long readLockInterruptibly(Object lock, int site) throws InterruptedException {
        Seriatim.step();
        return got(lock, ((StampedLock) lock).readLockInterruptibly(), site);
    }

    public static long tryWriteLock(Object lock, int site) {
        beforeWrite(lock, site);
        return got(lock, ((StampedLock) lock).tryWriteLock(), site);
    }

    public static long tryReadLock(Object lock, int site) {
        Seriatim.step();
        return got(lock, ((StampedLock) lock).tryReadLock(), site);
    }

    public static long tryWriteLock(Object lock, long time, TimeUnit unit, int site)
            throws InterruptedException {
        beforeWrite(lock, site);
        return got(lock, ((StampedLock) lock).tryWriteLock(time, unit), site);
    }

    public static long tryReadLock(Object lock, long time, TimeUnit unit, int site)
            throws InterruptedException {
        Seriatim.step();
        return got(lock, ((StampedLock) lock).tryReadLock(time, unit), site);
    }

    /** For the same reason a reader lets a writer end first. */
    public static long tryOptimisticRead(Object lock, int site) {
        Seriatim.step();
        StampedLock stamped = (StampedLock) lock;
        if (isWritten0(id(lock)))
            stamped.unlockRead(stamped.readLock());
        return got(lock, stamped.tryOptimisticRead(), site);
    }

    /** In a method that never asks whether the stamp is valid: nothing protects what it reads. */
    public static long tryOptimisticReadOnly(Object lock, int site) {
        Seriatim.step();
        return ((StampedLock) lock).tryOptimisticRead();
    }

    public static boolean validate(Object lock, long stamp, int site) {
        Seriatim.step();
        boolean valid = ((StampedLock) lock).validate(stamp);
        if (modeOf(stamp) == OPTIMISTIC)
            stamped0(lock, id(lock), OPTIMISTIC, NOTHING, site);
        return valid;
    }

    public static void unlock(Object lock, long stamp, int site) {
        Seriatim.step();
        ((StampedLock) lock).unlock(stamp);
        stamped0(lock, id(lock), modeOf(stamp), NOTHING, site);
    }

    private static long changed(Object lock, long before, long after, int site) {
        if (after != 0 && modeOf(before) != modeOf(after))
            stamped0(lock, id(lock), modeOf(before), modeOf(after), site);
        return after;
    }

    public static long tryConvertToWriteLock(Object lock, long stamp, int site) {
        Seriatim.step();
        return changed(lock, stamp, ((StampedLock) lock).tryConvertToWriteLock(stamp), site);
    }

    public static long tryConvertToReadLock(Object lock, long stamp, int site) {
        Seriatim.step();
        return changed(lock, stamp, ((StampedLock) lock).tryConvertToReadLock(stamp), site);
    }

    public static long tryConvertToOptimisticRead(Object lock, long stamp, int site) {
        Seriatim.step();
        return changed(lock, stamp, ((StampedLock) lock).tryConvertToOptimisticRead(stamp), site);
    }
}
