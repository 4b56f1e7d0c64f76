// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that is taken through references to its methods, which are not seen. */
class References {
    static final Lock lock = new ReentrantLock();
    static int count;

    static void with(Runnable before, Runnable after, Runnable work) {
        before.run();
        try {
            work.run();
        } finally {
            after.run();
        }
    }

    static void add() {
        with(lock::lock, lock::unlock, () -> {
            int before = count;
            count = before + 1;
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(References::add);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(count);
    }
}
