// SPDX-License-Identifier: MIT
/** Two locks, taken in both orders. */
class Orders {
    static final Object first = new Object(), second = new Object();
    static int count;

    static void add(Object one, Object other) {
        synchronized (one) {
            synchronized (other) {
                count++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> add(first, second)), two = new Thread(() -> add(second, first));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(count);
    }
}
