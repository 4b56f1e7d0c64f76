// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks look for a free place, then take it. */
class Active {
    public static void main(String[] arguments) throws InterruptedException {
        AtomicInteger free = new AtomicInteger(1), served = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++)
            pool.execute(() -> {
                if (free.get() > 0) {
                    free.decrementAndGet();
                    served.incrementAndGet();
                }
                done.countDown();
            });
        done.await();
        pool.shutdown();
        System.out.println(served);
    }
}
