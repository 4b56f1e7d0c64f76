// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Adds through a method reference to what is not made for several threads. */
class Referred {
    static final Collection<Integer> results = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        Consumer<Integer> adds = results::add;
        Thread one = new Thread(() -> adds.accept(1)), other = new Thread(() -> adds.accept(2));
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(results.size());
    }
}
