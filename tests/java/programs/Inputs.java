// SPDX-License-Identifier: MIT
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Prints what differs from run to run. */
class Inputs {
    static void print() {
        byte[] bytes = new byte[11];
        new SecureRandom().nextBytes(bytes);
        System.out.println(System.nanoTime() + " " + System.currentTimeMillis() + " " + Instant.now() + " "
            + new Date().getTime() + " " + new Random().nextInt() + " " + Math.random() + " "
            + UUID.randomUUID() + " " + new SecureRandom().nextLong() + " "
            + ThreadLocalRandom.current().nextInt() + " " + Arrays.toString(bytes));
    }

    public static void main(String[] arguments) throws InterruptedException {
        print();
        Thread other = new Thread(Inputs::print);
        other.start();
        other.join();
    }
}
