// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.StampedLock;

/** A point that is moved while its distance is read optimistically, and again under the lock if the stamp is not valid. */
class Optimism {
    static final StampedLock lock = new StampedLock();
    static int x = 3, y = 4;

    static void move(int by) {
        long stamp = lock.writeLock();
        try {
            x += by;
            y += by;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    static int difference() {
        long stamp = lock.tryOptimisticRead();
        int first = x, second = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            first = x;
            second = y;
            lock.unlockRead(stamp);
        }
        return second - first;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread mover = new Thread(() -> move(10)), reader = new Thread(() -> difference());
        mover.start();
        reader.start();
        mover.join();
        reader.join();
        System.out.println(difference());
    }
}
