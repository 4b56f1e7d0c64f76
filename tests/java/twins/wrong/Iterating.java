// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A synchronized list is iterated while another thread adds to it. */
class Iterating {
    static final List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2, 3)));

    static int sum() {
        int sum = 0;
        for (int number : list)
            sum += number;
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> sum()), two = new Thread(() -> list.add(4));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(list.size());
    }
}
