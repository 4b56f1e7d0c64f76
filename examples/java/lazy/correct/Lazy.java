// SPDX-License-Identifier: MIT

/** The correct twin: it looks and makes in one critical section. */
public class Lazy {
    private static Lazy instance;

    static synchronized Lazy instance() {
        if (instance == null)
            instance = new Lazy();
        return instance;
    }

    static synchronized void forget() {
        instance = null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {new Thread(() -> instance()), new Thread(() -> forget()), new Thread(() -> instance())};
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("done");
    }
}
