// SPDX-License-Identifier: MIT
import java.util.concurrent.CompletableFuture;

/** Looks and acts in one critical section. */
class Chained {
    static class Stock {
        private int left = 5;

        synchronized boolean take(int count) {
            if (left < count)
                return false;
            left -= count;
            return true;
        }

        synchronized int left() { return left; }
    }

    static final Stock stock = new Stock();

    static boolean order(int count) {
        return stock.take(count);
    }

    static CompletableFuture<Boolean> ordering(int count) {
        return CompletableFuture.supplyAsync(() -> count).thenApplyAsync(Chained::order);
    }

    public static void main(String[] arguments) throws Exception {
        ordering(3).thenCombine(ordering(4), (one, other) -> one && other)
            .thenAccept(both -> System.out.println("both " + both)).get();
        System.out.println(stock.left() >= 0);
    }
}
