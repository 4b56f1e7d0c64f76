// SPDX-License-Identifier: MIT
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The map is synchronized, but going through it is not: it must not change meanwhile. */
class Prices {
    private static final Map<String, Integer> prices = Collections.synchronizedMap(new LinkedHashMap<>());

    static int sum() {
        int sum = 0;
        for (Map.Entry<String, Integer> price : prices.entrySet())
            sum += price.getValue();
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (String name : new String[] {"apple", "bread", "cheese"})
            prices.put(name, name.length());
        Thread reader = new Thread(() -> System.out.println(sum() > 0)), writer = new Thread(() -> prices.put("dates", 5));
        reader.start();
        writer.start();
        reader.join();
        writer.join();
    }
}
