// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.ReentrantLock;

/** A class that is a lock itself, and redefines how it is taken. */
class Extended {
    static final class Segment extends ReentrantLock {
        private int count;

        @Override
        public void lock() {
            if (!tryLock())
                super.lock();
        }

        int get() {
            lock();
            try {
                return count;
            } finally {
                unlock();
            }
        }

        void add() {
            int next = get() + 1;
            lock();
            try {
                count = next;
            } finally {
                unlock();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Segment segment = new Segment();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(segment::add);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(segment.get());
    }
}
