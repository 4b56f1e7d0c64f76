// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tasks of a pool that sell one thing twice; with an argument the program asks how they ended. */
class Unasked {
    static int stock = 1;

    static synchronized int stock() {
        return stock;
    }

    static synchronized void take() {
        stock--;
    }

    static Void sell(CountDownLatch done) {
        if (stock() > 0) {
            take();
            done.countDown();
            if (stock() < 0)
                throw new IllegalStateException("sold twice");
        }
        return null;
    }

    static void ask(Future<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage());
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(1);
        List<Future<?>> futures = List.of(pool.submit(() -> sell(done)), pool.submit(() -> sell(done)));
        done.await();
        pool.shutdown();
        for (Future<?> future : futures)
            if (arguments.length > 0)
                ask(future);
    }
}
