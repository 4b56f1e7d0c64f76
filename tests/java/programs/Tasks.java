// SPDX-License-Identifier: MIT
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.*;
import java.util.concurrent.locks.StampedLock;

/** Tasks and meetings inside the library: each hands a plain field from one thread to another. */
public class Tasks {
    static int plain;

    static int countTo(int number) {
        return number <= 1 ? number : ForkJoinTask.invokeAll(java.util.List.of(task(number - 1))).iterator().next().join() + 1;
    }

    static RecursiveTask<Integer> task(int number) {
        return new RecursiveTask<>() {
            @Override
            protected Integer compute() {
                return countTo(number);
            }
        };
    }

    static String meet() throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        Phaser phaser = new Phaser(2);
        StampedLock stamped = new StampedLock();
        Thread other = new Thread(() -> {
            try {
                plain = 1;
                exchanger.exchange("theirs");
                phaser.arriveAndAwaitAdvance();
                long stamp = stamped.writeLock();
                plain++;
                stamped.unlockWrite(stamp);
            } catch (InterruptedException unexpected) {
                plain = -100;
            }
        });
        other.start();
        String got = exchanger.exchange("ours");
        plain++;
        phaser.arriveAndAwaitAdvance();
        long stamp = stamped.writeLock();
        plain++;
        stamped.unlockWrite(stamp);
        other.join();
        return got + " " + plain;
    }

    static int inOrder() throws Exception {
        plain = 10;
        CompletableFuture.supplyAsync(() -> ++plain).thenApplyAsync(value -> ++plain).get();
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1);
        scheduled.schedule(() -> ++plain, 1, TimeUnit.MILLISECONDS).get();
        scheduled.shutdown();
        CountDownLatch latch = new CountDownLatch(1);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                plain++;
                latch.countDown();
            }
        }, 1);
        latch.await();
        return plain;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(meet() + " " + inOrder() + " " + new ForkJoinPool(2).invoke(task(5)));
    }
}
