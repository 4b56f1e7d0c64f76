// SPDX-License-Identifier: MIT
import java.util.Collections;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Vector;

/** Monitors are taken in one order; and a vector has read the other one before it takes its own. */
public class Equal {
    public static void main(String[] arguments) throws InterruptedException {
        Hashtable<String, String> one = new Hashtable<>(), other = new Hashtable<>();
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        Vector<String> left = new Vector<>(List.of("left")), right = new Vector<>(List.of("right"));
        Thread thread = new Thread(() -> {
            System.out.println(one.equals(other));
            names.addAll(right);
            left.addAll(right);
        });
        thread.start();
        System.out.println(one.equals(other));
        right.addAll(left);
        thread.join();
        System.out.println(names.isEmpty());
    }
}
