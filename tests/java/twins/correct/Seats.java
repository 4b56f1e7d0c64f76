// SPDX-License-Identifier: MIT
/** Looks and acts in one line, under the monitor. */
class Seats {
    int free = 3, sold;

    synchronized void book() {
        if (free > 0) { free = free - 1; sold = sold + 1; }
    }

    public static void main(String[] arguments) throws Exception {
        Seats seats = new Seats();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(seats::book);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(seats.free + " " + seats.sold);
    }
}
