// SPDX-License-Identifier: MIT
import java.util.concurrent.CompletableFuture;

/** Looks and acts in two critical sections, in what depends on a future. */
class Chained {
    static class Stock {
        private int left = 5;

        synchronized boolean has(int count) { return left >= count; }

        synchronized void take(int count) { left -= count; }

        synchronized int left() { return left; }
    }

    static final Stock stock = new Stock();

    static boolean order(int count) {
        if (!stock.has(count))
            return false;
        stock.take(count);
        return true;
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
