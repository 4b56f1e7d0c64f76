// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicStampedReference;

/** A stamp is set only if it is what was read. */
public class Stamps {
    static final AtomicStampedReference<String> page = new AtomicStampedReference<>("empty", 0);

    static void print() {
        int[] count = new int[1];
        String text;
        do {
            text = page.get(count);
        } while (!page.compareAndSet(text, text, count[0], count[0] + 1));
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
