// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** In a concurrent map to merge is one step. */
public class Merged {
    static final Map<String, Integer> sums = new ConcurrentHashMap<>();

    static void add(int amount) {
        sums.merge("sum", amount, Integer::sum);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> add(1));
        thread.start();
        add(2);
        thread.join();
        System.out.println(sums);
    }
}
