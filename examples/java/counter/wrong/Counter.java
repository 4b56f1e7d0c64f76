// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Visitors are counted, and the count is reset now and then. get and set are atomic, `visit` is not: a
 * reset between the two is lost.
 */
public class Counter {
    private static final AtomicInteger visits = new AtomicInteger(7);

    static void visit() {
        int seen = visits.get();
        visits.set(seen + 1);
    }

    static void reset() {
        visits.set(0);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread visitor = new Thread(() -> visit()), operator = new Thread(() -> reset());
        visitor.start();
        operator.start();
        visitor.join();
        operator.join();
        System.out.println("visits: " + visits.get());
    }
}
