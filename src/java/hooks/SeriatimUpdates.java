// SPDX-License-Identifier: MIT
package java.lang;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Updates of atomic variables by a function of the program's, which rewritten classes call here instead
 * (hooks.h). The function may use what it is given, and other threads may come between: so the read
 * before it and the compare-and-set after it are steps of their own, as they are in the library.
 */
public final class SeriatimUpdates {
    private SeriatimUpdates() {}

    /** The thread may lose its turn before a step, and what was done is recorded after it. */
    private static void read(Object variable, int site) {
        Seriatim.operated(variable, false, site);
    }

    private static boolean tried(Object variable, boolean success, int site) {
        Seriatim.operated(variable, success, site);
        return success;
    }

    private static int get(AtomicInteger variable, int site) {
        Seriatim.step();
        int value = variable.get();
        read(variable, site);
        return value;
    }

    private static boolean set(AtomicInteger variable, int before, int after, int site) {
        Seriatim.step();
        return tried(variable, variable.compareAndSet(before, after), site);
    }

    public static int updateAndGet(AtomicInteger variable, IntUnaryOperator function, int site) {
        for (;;) {
            int before = get(variable, site), after = function.applyAsInt(before);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static int getAndUpdate(AtomicInteger variable, IntUnaryOperator function, int site) {
        for (;;) {
            int before = get(variable, site);
            if (set(variable, before, function.applyAsInt(before), site))
                return before;
        }
    }

    public static int accumulateAndGet(AtomicInteger variable, int operand, IntBinaryOperator function, int site) {
        for (;;) {
            int before = get(variable, site), after = function.applyAsInt(before, operand);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static int getAndAccumulate(AtomicInteger variable, int operand, IntBinaryOperator function, int site) {
        for (;;) {
            int before = get(variable, site);
            if (set(variable, before, function.applyAsInt(before, operand), site))
                return before;
        }
    }

    private static long get(AtomicLong variable, int site) {
        Seriatim.step();
        long value = variable.get();
        read(variable, site);
        return value;
    }

    private static boolean set(AtomicLong variable, long before, long after, int site) {
        Seriatim.step();
        return tried(variable, variable.compareAndSet(before, after), site);
    }

    public static long updateAndGet(AtomicLong variable, LongUnaryOperator function, int site) {
        for (;;) {
            long before = get(variable, site), after = function.applyAsLong(before);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static long getAndUpdate(AtomicLong variable, LongUnaryOperator function, int site) {
        for (;;) {
            long before = get(variable, site);
            if (set(variable, before, function.applyAsLong(before), site))
                return before;
        }
    }

    public static long accumulateAndGet(AtomicLong variable, long operand, LongBinaryOperator function, int site) {
        for (;;) {
            long before = get(variable, site), after = function.applyAsLong(before, operand);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static long getAndAccumulate(AtomicLong variable, long operand, LongBinaryOperator function, int site) {
        for (;;) {
            long before = get(variable, site);
            if (set(variable, before, function.applyAsLong(before, operand), site))
                return before;
        }
    }

    private static Object get(AtomicReference<Object> variable, int site) {
        Seriatim.step();
        Object value = variable.get();
        read(variable, site);
        return value;
    }

    private static boolean set(AtomicReference<Object> variable, Object before, Object after, int site) {
        Seriatim.step();
        return tried(variable, variable.compareAndSet(before, after), site);
    }

    public static Object updateAndGet(AtomicReference<Object> variable, UnaryOperator<Object> function, int site) {
        for (;;) {
            Object before = get(variable, site), after = function.apply(before);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static Object getAndUpdate(AtomicReference<Object> variable, UnaryOperator<Object> function, int site) {
        for (;;) {
            Object before = get(variable, site);
            if (set(variable, before, function.apply(before), site))
                return before;
        }
    }

    public static Object accumulateAndGet(AtomicReference<Object> variable, Object operand,
            BinaryOperator<Object> function, int site) {
        for (;;) {
            Object before = get(variable, site), after = function.apply(before, operand);
            if (set(variable, before, after, site))
                return after;
        }
    }

    public static Object getAndAccumulate(AtomicReference<Object> variable, Object operand,
            BinaryOperator<Object> function, int site) {
        for (;;) {
            Object before = get(variable, site);
            if (set(variable, before, function.apply(before, operand), site))
                return before;
        }
    }
}
