// SPDX-License-Identifier: MIT

/** Every way into and out of a monitor: what it prints does not depend on the schedule. */
public class Monitors {
    static int entered;
    int count;
    final int[] squares = new int[10];
    long sum;
    double half = 0.5;
    Object last;

    static synchronized void enter() {
        entered++;
    }

    synchronized int descend(int depth) {
        count++;
        return depth == 0 ? count : descend(depth - 1);
    }

    synchronized void fail(boolean fails) {
        count--;
        if (fails)
            throw new IllegalStateException("on purpose");
        count--;
    }

    void each(int number) {
        for (int i = 0; i < squares.length; i++)
            synchronized (this) {
                squares[i] += i * number;
                sum += squares[i];
                half *= 1.0;
                last = i % 2 == 0 ? "even" : this;
                if (i == 7)
                    continue;
                count += 2;
            }
        try {
            fail(true);
        } catch (IllegalStateException expected) {
            enter();
        }
        descend(3);
        synchronized (this) {
            try {
                Object nothing = number > 0 ? null : this;
                synchronized (nothing) {
                    count = 1000000;
                }
            } catch (NullPointerException expected) {
                squares[0]++;
            }
            try {
                squares[number + 100] = 1;
            } catch (ArrayIndexOutOfBoundsException expected) {
                squares[0]++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Monitors shared = new Monitors();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int number = i + 1;
            threads[i] = new Thread(() -> shared.each(number));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(shared.count + " " + entered + " " + shared.squares[0] + " " + shared.squares[9] + " "
            + shared.half + " " + shared.last.getClass().getSimpleName());
    }
}
