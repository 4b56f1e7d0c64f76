// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.DoubleAdder;

/** One call says whether there was an offer. */
public class Lowest {
    static final NavigableSet<Integer> offers = new ConcurrentSkipListSet<>(List.of(4));
    static final DoubleAdder sold = new DoubleAdder();

    static int take() {
        Integer lowest = offers.pollFirst();
        return lowest == null ? 0 : lowest;
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
