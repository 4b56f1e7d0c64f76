// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Two threads add to one list, which is made for that. */
class Collected {
    static final List<Integer> found = Collections.synchronizedList(new ArrayList<>());

    public static void main(String[] arguments) throws InterruptedException {
        Thread evens = new Thread(() -> found.add(2)), odds = new Thread(() -> found.add(3));
        evens.start();
        odds.start();
        evens.join();
        odds.join();
        System.out.println(found.size());
    }
}
