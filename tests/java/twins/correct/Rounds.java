// SPDX-License-Identifier: MIT
/** The action of a barrier, which the last thread to arrive runs before any thread goes on. */
import java.util.concurrent.CyclicBarrier;

class Rounds {
    static final int[] parts = new int[3];
    static int total, rounds;

    static void addUp() {
        for (int part : parts)
            total += part;
        rounds++;
    }

    public static void main(String[] arguments) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(3, Rounds::addUp);
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int round = 0; round < 2; round++) {
                        parts[me] = me + round;
                        barrier.await();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(total + " " + rounds);
    }
}
