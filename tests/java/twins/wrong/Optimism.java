// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.StampedLock;

/** A point that is moved while its distance is read optimistically, and nobody asks whether the stamp is valid. */
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
        lock.tryOptimisticRead();
        int first = x;
        return y - first;
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
