// SPDX-License-Identifier: MIT
import java.util.HashMap;
import java.util.Map;

/** A hash map that is not made for several threads: what one of them adds can be lost. */
public class Merged {
    static final Map<String, Integer> sums = new HashMap<>();

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
