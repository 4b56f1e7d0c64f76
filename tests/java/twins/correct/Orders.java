// SPDX-License-Identifier: MIT
/** Two locks in one order, and double-checked locking. */
class Orders {
    static final Object first = new Object(), second = new Object();
    static int count;
    static volatile Integer made;

    static void add(Object one, Object other) {
        synchronized (one) {
            synchronized (other) {
                count++;
            }
        }
    }

    static Integer get() {
        if (made == null) {
            synchronized (first) {
                if (made == null)
                    made = count;
            }
        }
        return made;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable all = () -> {
            add(first, second);
            get();
        };
        Thread one = new Thread(all), two = new Thread(all);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(count);
    }
}
