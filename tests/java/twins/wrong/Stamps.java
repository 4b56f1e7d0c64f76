// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicStampedReference;

/** A stamp is read and set: one of two prints may not be counted. */
public class Stamps {
    static final AtomicStampedReference<String> page = new AtomicStampedReference<>("empty", 0);

    static void print() {
        int[] count = new int[1];
        String text = page.get(count);
        page.set(text, count[0] + 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> print()), other = new Thread(() -> print());
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(page.getStamp());
    }
}
