// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.reflect.Field;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

/**
 * What differs from run to run: the time and random numbers. Answers are recorded, and given back in
 * replays. Random numbers that are computed from a seed need no record but that of the seed's time.
 */
public final class SeriatimInputs {
    private SeriatimInputs() {}

    /** Kinds of contract/inputs.h, and which clock: as Linux numbers them. */
    private static final int CLOCK = 1, NUMBER = 5;
    private static final int WALL = 0, MONOTONIC = 1, COARSE = 5;

    /** The answer of the recorded run, if there is one, or that of this run. */
    private static native long input0(int kind, int detail, long answer);

    /** The seeds of ThreadLocalRandom come from the time at which the machine starts. */
    static {
        Unsafe unsafe = Unsafe.getUnsafe();
        unsafe.ensureClassInitialized(ThreadLocalRandom.class);
        try {
            Field seeder = ThreadLocalRandom.class.getDeclaredField("seeder");
            Object seeds = unsafe.getReference(unsafe.staticFieldBase(seeder), unsafe.staticFieldOffset(seeder));
            ((AtomicLong) seeds).set(0x5eed);
        } catch (ReflectiveOperationException | ClassCastException e) {
            // another version of the library: its random numbers differ from run to run
        }
    }

    public static long nanoTime() {
        return input0(CLOCK, MONOTONIC, System.nanoTime());
    }

    /** In nanoseconds, as a clock answers. */
    public static long currentTimeMillis() {
        return input0(CLOCK, WALL, System.currentTimeMillis() * 1000000) / 1000000;
    }

    public static long getNanoTimeAdjustment(long offset) {
        return input0(CLOCK, COARSE, VM.getNanoTimeAdjustment(offset));
    }

    private static long number(long answer) {
        return input0(NUMBER, 0, answer);
    }

    public static UUID randomUUID() {
        UUID made = UUID.randomUUID();
        return new UUID(number(made.getMostSignificantBits()), number(made.getLeastSignificantBits()));
    }

    public static int nextInt(SecureRandom random) {
        return (int) number(random.nextInt());
    }

    public static int nextInt(SecureRandom random, int bound) {
        return (int) number(random.nextInt(bound));
    }

    public static long nextLong(SecureRandom random) {
        return number(random.nextLong());
    }

    public static boolean nextBoolean(SecureRandom random) {
        return number(random.nextBoolean() ? 1 : 0) != 0;
    }

    public static double nextDouble(SecureRandom random) {
        return Double.longBitsToDouble(number(Double.doubleToRawLongBits(random.nextDouble())));
    }

    public static void nextBytes(SecureRandom random, byte[] bytes) {
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i += 8) {
            long eight = 0;
            for (int j = i; j < bytes.length && j < i + 8; j++)
                eight |= (bytes[j] & 255L) << 8 * (j - i);
            eight = number(eight);
            for (int j = i; j < bytes.length && j < i + 8; j++)
                bytes[j] = (byte) (eight >>> 8 * (j - i));
        }
    }

    /** Before calls that make virtual threads. */
    public static void refuseVirtualThreads() {
        String why = "seriatim: virtual threads cannot be recorded; let the program use platform threads";
        System.err.println(why);
        throw new UnsupportedOperationException(why);
    }
}
