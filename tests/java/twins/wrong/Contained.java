// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A list that looks for all of another holds both monitors: two threads that do it both ways can deadlock. */
public class Contained {
    public static void main(String[] arguments) throws InterruptedException {
        List<Integer> few = Collections.synchronizedList(new ArrayList<>(List.of(1)));
        List<Integer> many = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        Thread thread = new Thread(() -> System.out.println(few.containsAll(many)));
        thread.start();
        System.out.println(many.containsAll(few));
        thread.join();
    }
}
