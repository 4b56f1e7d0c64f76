// SPDX-License-Identifier: MIT
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;

/** wait, notify, sleep, join, interrupt, park: the same output under every schedule. */
public class Waiting {
    private final ArrayDeque<Integer> items = new ArrayDeque<>();
    private boolean closed;
    static volatile boolean go;

    synchronized void put(int item) throws InterruptedException {
        while (items.size() == 2)
            wait();
        items.add(item);
        notifyAll();
    }

    synchronized Integer take() throws InterruptedException {
        while (items.isEmpty() && !closed)
            wait();
        notifyAll();
        return items.poll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    static int produceAndConsume() throws InterruptedException {
        Waiting queue = new Waiting();
        int[] sums = new int[2];
        Thread[] takers = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int taker = i;
            takers[i] = new Thread(() -> {
                try {
                    for (Integer item; (item = queue.take()) != null;)
                        sums[taker] += item;
                } catch (InterruptedException unexpected) {
                    sums[taker] = -1000;
                }
            });
            takers[i].start();
        }
        for (int i = 1; i <= 20; i++)
            queue.put(i);
        queue.close();
        for (Thread taker : takers)
            taker.join();
        return sums[0] + sums[1];
    }

    static String interruptWait() throws InterruptedException {
        Object lock = new Object();
        String[] said = {"nothing"};
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException expected) {
                    said[0] = "interrupted";
                }
            }
        });
        waiter.start();
        Thread.sleep(5);
        waiter.interrupt();
        waiter.join();
        return said[0];
    }

    static String timeOut() throws InterruptedException {
        Object lock = new Object();
        Thread slow = new Thread(() -> {
            try {
                Thread.sleep(10_000);
            } catch (InterruptedException expected) {
                return;
            }
        });
        slow.start();
        slow.join(5);
        boolean alive = slow.isAlive();
        slow.interrupt();
        slow.join();
        synchronized (lock) {
            lock.wait(3);
        }
        return alive + " " + slow.isAlive();
    }

    private int rounds;

    private synchronized void waitShortly() throws InterruptedException {
        wait(2);
    }

    private synchronized int awaitRounds(int count) throws InterruptedException {
        while (rounds < count)
            waitShortly();
        return rounds;
    }

    private synchronized void endRound() {
        rounds++;
        notifyAll();
    }

    /** The monitor is entered twice by the thread that waits. */
    static int waitNested() throws InterruptedException {
        Waiting game = new Waiting();
        Thread player = new Thread(() -> {
            for (int i = 0; i < 2; i++)
                game.endRound();
        });
        player.start();
        int seen = game.awaitRounds(2);
        player.join();
        synchronized (game) {
            game.waitShortly();
        }
        return seen;
    }

    static String park() throws InterruptedException {
        Thread parked = new Thread(() -> {
            while (!go)
                LockSupport.park();
        });
        parked.start();
        Thread.yield();
        go = true;
        LockSupport.unpark(parked);
        parked.join();
        LockSupport.parkNanos(1000);
        return "unparked";
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(produceAndConsume() + " " + interruptWait() + " " + timeOut() + " " + waitNested() + " " + park());
    }
}
