// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Looks and acts in a task of a pool, each under the lock of the map. */
class Tickets {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(2);
        Map<String, Integer> tickets = Collections.synchronizedMap(new HashMap<>());
        tickets.put("left", 1);
        List<Future<Boolean>> asked = new ArrayList<>();
        for (int i = 0; i < 2; i++)
            asked.add(pool.submit(() -> {
                try {
                    int left = tickets.get("left");
                    if (left > 0)
                        tickets.put("left", left - 1);
                    return left > 0;
                } finally {
                    done.countDown();
                }
            }));
        done.await();
        int sold = 0;
        for (Future<Boolean> one : asked)
            if (one.get())
                sold++;
        pool.shutdown();
        System.out.println(sold);
    }
}
