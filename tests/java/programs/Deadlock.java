// SPDX-License-Identifier: MIT

/** Two threads take two monitors in opposite orders. */
public class Deadlock {
    static final Object first = new Object(), second = new Object();

    static void takeBoth(Object one, Object other) {
        synchronized (one) {
            Thread.yield();
            synchronized (other) {
                System.out.println("both");
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread up = new Thread(() -> takeBoth(first, second)), down = new Thread(() -> takeBoth(second, first));
        up.start();
        down.start();
        up.join();
        down.join();
    }
}
