// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.DoubleAdder;

/** Between the two calls another thread may take the last offer: then there is none. */
public class Lowest {
    static final NavigableSet<Integer> offers = new ConcurrentSkipListSet<>(List.of(4));
    static final DoubleAdder sold = new DoubleAdder();

    static int take() {
        return offers.isEmpty() ? 0 : offers.pollFirst();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> sold.add(take())), other = new Thread(() -> sold.add(take()));
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(sold.sum());
    }
}
