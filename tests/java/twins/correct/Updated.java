// SPDX-License-Identifier: MIT
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Immutable values that are replaced: by functions, and by comparing. */
class Updated {
    record Account(String owner, int cents) {
        Account plus(int added) {
            return new Account(owner, cents + added);
        }
    }

    static final AtomicReference<Account> account = new AtomicReference<>(new Account("Ann", 0));
    static final ConcurrentHashMap<String, Integer> stock = new ConcurrentHashMap<>();

    static void deposit(int cents) {
        account.updateAndGet(before -> before.plus(cents));
    }

    static boolean take() {
        for (;;) {
            Integer left = stock.get("bolt");
            if (left == 0)
                return false;
            if (stock.replace("bolt", left, left - 1))
                return true;
        }
    }

    public static void main(String[] arguments) throws Exception {
        stock.put("bolt", 1);
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> {
            deposit(5);
            return take() ? 1 : 0;
        });
        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> {
            deposit(7);
            return take() ? 1 : 0;
        });
        int taken = one.thenCombine(other, Integer::sum).get();
        System.out.println(taken + " " + account.get().cents());
    }
}
