// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;

/**
 * Iterators, views and wrappers of the library's collections: whose contents they show, and which
 * monitor they hold.
 */
final class SeriatimViews {
    private SeriatimViews() {}

    private static final Unsafe unsafe = Unsafe.getUnsafe();

    /** Where an object of a class has what it shows, and its monitor; 0: nowhere. */
    private static final class Shape {
        final long inner, mutex;
        final boolean unsafe;

        Shape(long inner, long mutex, boolean unsafe) {
            this.inner = inner;
            this.mutex = mutex;
            this.unsafe = unsafe;
        }
    }

    private static final Shape PLAIN = new Shape(0, 0, false), UNSAFE = new Shape(0, 0, true);

    /** Classes whose methods must not run at the same time, as their descriptions say. */
    private static boolean isUnsafe(Class<?> shape) {
        return shape == ArrayList.class || shape == LinkedList.class || shape == ArrayDeque.class
            || shape == PriorityQueue.class || shape == StringBuilder.class || shape == BitSet.class
            || shape == HashMap.class || shape == LinkedHashMap.class || shape == TreeMap.class
            || shape == HashSet.class || shape == LinkedHashSet.class || shape == TreeSet.class
            || shape == EnumMap.class;
    }
    private static final ConcurrentHashMap<Class<?>, Shape> shapes = new ConcurrentHashMap<>();

    private static long offsetOf(Class<?> shape, String name) {
        for (; shape != null; shape = shape.getSuperclass())
            for (Field field : shape.getDeclaredFields())
                if (field.getName().equals(name) && !field.getType().isPrimitive()
                        && !java.lang.reflect.Modifier.isStatic(field.getModifiers()))
                    return unsafe.objectFieldOffset(field);
        return 0;
    }

    private static long firstOf(Class<?> shape, String... names) {
        for (String name : names) {
            long offset = offsetOf(shape, name);
            if (offset != 0)
                return offset;
        }
        return 0;
    }

    private static Shape shapeOf(Class<?> shape) {
        Shape known = shapes.get(shape);
        if (known != null)
            return known;
        String name = shape.getName();
        if (name.startsWith("java.util.Collections$"))
            known = new Shape(firstOf(shape, "c", "m", "list", "i", "this$0"), offsetOf(shape, "mutex"), false);
        else if (name.startsWith("java.util.") && name.indexOf('$') > 0)
            known = new Shape(firstOf(shape, "this$0", "map"), 0, false);
        else
            known = isUnsafe(shape) ? UNSAFE : PLAIN;
        shapes.put(shape, known);
        return known;
    }

    /** Null: of an iterator that is not known. */
    static Object contentsOf(Object object) {
        for (int depth = 0; depth < 4; depth++) {
            long inner = shapeOf(object.getClass()).inner;
            Object next = inner == 0 ? null : unsafe.getReference(object, inner);
            if (next == null)
                break;
            object = next;
        }
        return object instanceof Iterator || object instanceof Enumeration ? null : object;
    }

    /** Is it an iterator that fails if others change the collection meanwhile? */
    static boolean isFragile(Object object) {
        if (!(object instanceof Iterator))
            return false;
        Object contents = contentsOf(object);
        return contents != null
            && (isUnsafe(contents) || contents instanceof Vector || contents instanceof Hashtable);
    }

    /** Do its methods rely on the caller, that no others run at the same time? */
    static boolean isUnsafe(Object object) {
        return shapeOf(object.getClass()).unsafe;
    }

    /** Does it have its own table of keys, which grows without a lock? */
    static boolean isHashed(Object object) {
        Class<?> shape = object.getClass();
        return shape == HashMap.class || shape == LinkedHashMap.class || shape == HashSet.class
            || shape == LinkedHashSet.class;
    }

    static Object mutexOf(Object object) {
        long mutex = shapeOf(object.getClass()).mutex;
        return mutex == 0 ? null : unsafe.getReference(object, mutex);
    }
}
