// SPDX-License-Identifier: MIT

/**
 * An object that is made when it is first needed. `instance` looks, and then makes it in a critical
 * section, without looking again: two threads may make two.
 */
public class Lazy {
    private static volatile Lazy instance;
    private static int made;

    static Lazy instance() {
        if (instance == null)
            make();
        return instance;
    }

    private static synchronized void make() {
        made++;
        instance = new Lazy();
    }

    static synchronized void forget() {
        instance = null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {new Thread(() -> instance()), new Thread(() -> forget()), new Thread(() -> make())};
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("made " + made + " times");
    }
}
