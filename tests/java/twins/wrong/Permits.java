// SPDX-License-Identifier: MIT
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.StampedLock;

/** A counter behind a stamped lock, and one behind a semaphore. */
class Permits {
    static final StampedLock lock = new StampedLock();
    static final Semaphore semaphore = new Semaphore(2);
    static int stamped, permitted;

    static void underStamp() {
        long stamp = lock.readLock();
        int seen = stamped;
        lock.unlockRead(stamp);
        stamp = lock.writeLock();
        stamped = seen + 1;
        lock.unlockWrite(stamp);
    }

    static void withPermit() {
        semaphore.acquireUninterruptibly();
        int seen = permitted;
        permitted = seen + 1;
        semaphore.release();
    }

    static void count() {
        underStamp();
        withPermit();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> count()), two = new Thread(() -> count());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(stamped + " " + permitted);
    }
}
