// SPDX-License-Identifier: MIT

/** Behind a barrier of volatile flags the sum loses what the other thread adds. */
class Spinning implements Runnable {
    private static volatile int[] come = new int[2];
    private static final int[] part = new int[2];
    private static int sum;
    private final int me;

    private Spinning(int me) {
        this.me = me;
    }

    private static void meet(int me) {
        come[me]++;
        while (come[1 - me] < come[me])
            Thread.yield();
    }

    private static void add(int number) {
        sum += number;
    }

    @Override
    public void run() {
        for (int round = 1; round <= 2; round++) {
            part[me] = round + me;
            meet(me);
            add(part[1 - me]);
            meet(me);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(new Spinning(1));
        other.start();
        new Spinning(0).run();
        other.join();
        System.out.println(sum);
    }
}
