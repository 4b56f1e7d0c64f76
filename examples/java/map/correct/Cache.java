// SPDX-License-Identifier: MIT
import java.util.concurrent.ConcurrentHashMap;

/** The correct twin: look and put are one operation of the map. */
public class Cache {
    private static final ConcurrentHashMap<String, Object> pages = new ConcurrentHashMap<>();

    static Object page(String name) {
        return pages.computeIfAbsent(name, missing -> new Object());
    }

    static void drop(String name) {
        pages.remove(name);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread reader = new Thread(() -> page("index"));
        Thread cleaner = new Thread(() -> drop("index"));
        reader.start();
        cleaner.start();
        reader.join();
        cleaner.join();
        System.out.println("done");
    }
}
