// SPDX-License-Identifier: MIT
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Tasks of a thread pool take jobs from a list. All methods of Vector are synchronized; `next` calls
 * two of them, and another task may take the last job in between.
 */
public class Pool {
    private static final Vector<String> jobs = new Vector<>();

    static String next() {
        if (jobs.isEmpty())
            return null;
        return jobs.remove(0);
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(2);
        jobs.add("a");
        jobs.add("b");
        pool.execute(() -> {
            try {
                next();
            } catch (ArrayIndexOutOfBoundsException reason) {
                System.out.println("there was no job");
            }
            done.countDown();
        });
        pool.execute(() -> {
            jobs.clear();
            done.countDown();
        });
        done.await();
        pool.shutdown();
        System.out.println("done");
    }
}
