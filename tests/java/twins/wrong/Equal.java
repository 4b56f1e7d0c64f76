// SPDX-License-Identifier: MIT
import java.util.Hashtable;

/** To compare two tables takes both their monitors: two threads that do it both ways can deadlock. */
public class Equal {
    public static void main(String[] arguments) throws InterruptedException {
        Hashtable<String, String> one = new Hashtable<>(), other = new Hashtable<>();
        one.put("key", "value");
        other.put("key", "value");
        Thread thread = new Thread(() -> System.out.println(one.equals(other)));
        thread.start();
        System.out.println(other.equals(one));
        thread.join();
    }
}
