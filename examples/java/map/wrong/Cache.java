// SPDX-License-Identifier: MIT
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache that makes each page once. Every operation of the map is atomic; `page` is not: between the
 * look and the put another thread may put its own page, and two threads work with different ones.
 */
public class Cache {
    private static final ConcurrentHashMap<String, Object> pages = new ConcurrentHashMap<>();

    static Object page(String name) {
        Object page = pages.get(name);
        if (page == null) {
            page = new Object();
            pages.put(name, page);
        }
        return page;
    }

    static void drop(String name) {
        pages.remove(name);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Object[] found = new Object[2];
        Thread reader = new Thread(() -> found[0] = page("index"));
        Thread cleaner = new Thread(() -> {
            drop("index");
            pages.put("index", found);
        });
        reader.start();
        cleaner.start();
        reader.join();
        cleaner.join();
        System.out.println(found[0] == pages.get("index") ? "the page is in the map" : "the page is not in the map");
    }
}
