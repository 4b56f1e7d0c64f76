// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The correct twin: a visit is one operation.
 */
public class Counter {
    private static final AtomicInteger visits = new AtomicInteger(7);

    static void visit() {
        visits.incrementAndGet();
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
