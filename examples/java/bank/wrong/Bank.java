// SPDX-License-Identifier: MIT

/**
 * Tellers transfer money between two accounts, and each adds up both at the end of the day.
 *
 * Every access holds the monitor of its account, so there is no data race. But `total` reads the two
 * balances in two synchronized methods. If a transfer comes between them, money is counted twice, or
 * not at all.
 */
public class Bank {
    static class Account {
        private int balance = 100;

        synchronized int balance() {
            return balance;
        }

        synchronized void add(int amount) {
            balance += amount;
        }
    }

    static final Account alice = new Account(), bob = new Account();

    static void transfer(int amount) {
        synchronized (alice) {
            synchronized (bob) {
                alice.add(-amount);
                bob.add(amount);
            }
        }
    }

    static int total() {
        return alice.balance() + bob.balance();
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] totals = new int[2];
        Thread[] tellers = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int teller = i;
            tellers[i] = new Thread(() -> {
                transfer(teller == 0 ? 80 : -30);
                totals[teller] = total();
            });
            tellers[i].start();
        }
        for (Thread teller : tellers)
            teller.join();
        System.out.println("totals " + totals[0] + " and " + totals[1]);
    }
}
