// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A look that only refuses what never happens decides nothing. */
class Active {
    public static void main(String[] arguments) throws InterruptedException {
        AtomicInteger active = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++)
            pool.execute(() -> {
                active.incrementAndGet();
                if (active.get() > 100)
                    throw new IllegalStateException();
                active.decrementAndGet();
                done.countDown();
            });
        done.await();
        pool.shutdown();
        System.out.println(active);
    }
}
