// SPDX-License-Identifier: MIT
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.StampedLock;

/** A counter behind a stamped lock, and one behind a semaphore. */
class Permits {
    static final StampedLock lock = new StampedLock();
    static final Semaphore semaphore = new Semaphore(1);
    static int stamped, permitted;

    static void underStamp() {
        long stamp = lock.writeLock();
        stamped = stamped + 1;
        lock.unlockWrite(stamp);
    }

    static int look() {
        long stamp = lock.tryOptimisticRead();
        int value = stamped;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            value = stamped;
            lock.unlockRead(stamp);
        }
        return value;
    }

    static void withPermit() {
        semaphore.acquireUninterruptibly();
        permitted = permitted + 1;
        semaphore.release();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable all = () -> {
            underStamp();
            withPermit();
            look();
        };
        Thread one = new Thread(all), two = new Thread(all);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(stamped + " " + permitted);
    }
}
