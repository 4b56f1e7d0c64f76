// SPDX-License-Identifier: MIT
package java.lang;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * Updates of AtomicReference by a function of the program's, which rewritten classes call here instead
 * (hooks.h). The function uses the object that it is given, and other threads may come between: so the
 * read before it and the compare-and-set after it are steps of their own, as they are in the library.
 * Those of AtomicInteger and AtomicLong are one step: their functions are given a number.
 */
public final class SeriatimUpdates {
    private SeriatimUpdates() {}

    /** The thread may lose its turn before a step, and what was done is recorded after it. */
    private static void read(Object variable, int site) {
        SeriatimOperations.operated(variable, false, site);
    }

    private static boolean tried(Object variable, boolean success, int site) {
        SeriatimOperations.operated(variable, success, site);
        return success;
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
