// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** java.util.concurrent: the same output under every schedule. */
public class Utilities {
    static final Lock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static int stage;

    static void reach(int number) throws InterruptedException {
        lock.lock();
        try {
            while (stage != number)
                if (number % 2 == 0)
                    changed.await();
                else
                    changed.awaitUninterruptibly();
            stage++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    static Thread start(Callable<?> work) {
        Thread thread = new Thread(() -> {
            try {
                work.call();
            } catch (Exception unexpected) {
                unexpected.printStackTrace();
            }
        });
        thread.start();
        return thread;
    }

    static int inStages() throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int number = 3 - i;
            threads[i] = start(() -> { reach(number); return null; });
        }
        for (Thread thread : threads)
            thread.join();
        return stage;
    }

    static String counters() throws Exception {
        AtomicInteger atomic = new AtomicInteger();
        AtomicLong swapped = new AtomicLong();
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        Vector<Integer> vector = new Vector<>();
        ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
        int[] plain = new int[1];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++)
            threads[i] = start(() -> {
                for (int k = 0; k < 5; k++) {
                    atomic.incrementAndGet();
                    for (long old = swapped.get(); !swapped.compareAndSet(old, old + 2); old = swapped.get())
                        continue;
                    map.merge("key", 1, Integer::sum);
                    vector.add(k);
                    readWrite.writeLock().lock();
                    plain[0]++;
                    readWrite.writeLock().unlock();
                    readWrite.readLock().lock();
                    int seen = plain[0];
                    readWrite.readLock().unlock();
                    if (seen < 1)
                        throw new IllegalStateException();
                }
                return null;
            });
        for (Thread thread : threads)
            thread.join();
        return atomic + " " + swapped + " " + map + " " + vector.size() + " " + plain[0];
    }

    static String pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CountDownLatch latch = new CountDownLatch(4);
        CyclicBarrier barrier = new CyclicBarrier(2);
        Semaphore semaphore = new Semaphore(1);
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            futures.add(pool.submit(() -> {
                semaphore.acquire();
                semaphore.release();
                latch.countDown();
                return number * number;
            }));
        }
        latch.await();
        int sum = 0;
        for (Future<Integer> future : futures)
            sum += future.get();
        Thread meets = start(() -> { barrier.await(); for (int i = 0; i < 5; i++) queue.put(i); return null; });
        barrier.await();
        for (int i = 0; i < 5; i++)
            sum += queue.take();
        meets.join();
        pool.shutdown();
        boolean over = pool.awaitTermination(10, TimeUnit.SECONDS);
        return sum + " " + over;
    }

    static String tries() throws Exception {
        ReentrantLock other = new ReentrantLock();
        boolean[] got = new boolean[2];
        other.lock();
        start(() -> { got[0] = other.tryLock(); got[1] = other.tryLock(2, TimeUnit.MILLISECONDS); return null; }).join();
        other.unlock();
        Map<Integer, Integer> skip = new ConcurrentSkipListMap<>();
        skip.put(1, 2);
        return got[0] + " " + got[1] + " " + other.tryLock() + " " + skip;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(inStages() + ", " + counters() + ", " + pool() + ", " + tries());
    }
}
