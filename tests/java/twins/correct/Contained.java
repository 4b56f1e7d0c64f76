// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Both threads look for all of one list in the other, so that monitors are taken in one order. */
public class Contained {
    public static void main(String[] arguments) throws InterruptedException {
        List<Integer> few = Collections.synchronizedList(new ArrayList<>(List.of(1)));
        List<Integer> many = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        Thread thread = new Thread(() -> System.out.println(few.containsAll(many)));
        thread.start();
        System.out.println(few.containsAll(many));
        thread.join();
    }
}
