// SPDX-License-Identifier: MIT
/** Each takes the fork to the left first: if all do, they wait for each other. */
class Philosophers {
    static final int SEATS = 4;
    static final Object[] forks = new Object[SEATS];
    static int meals;

    static synchronized void eat() {
        meals++;
    }

    static void dine(Object left, Object right) {
        synchronized (left) {
            synchronized (right) {
                eat();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < SEATS; i++)
            forks[i] = new Object();
        Thread[] threads = new Thread[SEATS];
        for (int i = 0; i < SEATS; i++) {
            int left = i, right = (i + 1) % SEATS;
            threads[i] = new Thread(() -> dine(forks[left], forks[right]));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(meals);
    }
}
