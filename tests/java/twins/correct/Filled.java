// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Two threads put different keys into a map. */
class Filled {
    static final Map<String, Integer> words = new ConcurrentHashMap<>();

    static void fill(String start) {
        for (int i = 0; i < 3; i++)
            words.put(start + i, i);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> fill("a")), other = new Thread(() -> fill("b"));
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(words.size());
    }
}
