// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.internal.misc.Unsafe;

/**
 * Fields and elements that are accessed by a VarHandle, by a field updater, or in an atomic array. What
 * a handle stands for is noted where rewritten code makes it; others are not known, and their
 * operations are not recorded.
 */
public final class SeriatimHandles {
    private SeriatimHandles() {}

    private static final Unsafe unsafe = Unsafe.getUnsafe();

    /** A field; or elements of arrays: then `type` is null. */
    private static final class Cell {
        final Class<?> type;
        final Object base; // of a static field; else null
        final long offset;
        final int number; // of the field

        Cell(Class<?> type, Object base, long offset, int number) {
            this.type = type;
            this.base = base;
            this.offset = offset;
            this.number = number;
        }
    }

    private static final ConcurrentHashMap<Integer, Cell> cells = new ConcurrentHashMap<>();

    private static int id(Object object) {
        return System.identityHashCode(object);
    }

    /** The number that the field has in addresses; 0 if there is no memory. */
    private static native int field0(String owner, String name);

    /** index: of an element; negative: the field. */
    private static native void handled0(Object object, int id, int index, int number, long value,
        boolean wrote, int site);

    /** A handle was made. Without a name: of elements. */
    public static void made(Object handle, Class<?> owner, String name) {
        if (handle == null)
            return;
        if (name == null) {
            cells.put(id(handle), new Cell(null, null, 0, 0));
            return;
        }
        try {
            Field field = owner.getDeclaredField(name);
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            cells.put(id(handle),
                new Cell(field.getType(), isStatic ? unsafe.staticFieldBase(field) : null,
                    isStatic ? unsafe.staticFieldOffset(field) : unsafe.objectFieldOffset(field),
                    field0(owner.getName().replace('.', '/'), name)));
        } catch (ReflectiveOperationException | UnsupportedOperationException e) {
            // of a superclass, or hidden: its operations are not recorded
        }
    }

    private static long valueAt(Class<?> type, Object object, long offset) {
        if (type == int.class)
            return unsafe.getInt(object, offset);
        if (type == long.class || type == double.class)
            return unsafe.getLong(object, offset);
        if (type == float.class)
            return unsafe.getInt(object, offset);
        if (type == boolean.class || type == byte.class)
            return unsafe.getByte(object, offset);
        if (type == short.class || type == char.class)
            return type == char.class ? unsafe.getChar(object, offset) : unsafe.getShort(object, offset);
        return id(unsafe.getReference(object, offset));
    }

    private static long elementAt(Object array, int index) {
        Class<?> type = array.getClass().getComponentType();
        if (type == null)
            return 0;
        return valueAt(type, array,
            unsafe.arrayBaseOffset(array.getClass()) + (long) index * unsafe.arrayIndexScale(array.getClass()));
    }

    private static void put(Object object, int index, int number, long value, boolean wrote, int site) {
        handled0(object, id(object), index, number, value, wrote, site);
    }

    /** What it has done is still there: no other thread has run since. */
    public static void operated(Object handle, Object object, int index, boolean wrote, int site) {
        if (handle instanceof AtomicIntegerArray)
            put(handle, index, 0, ((AtomicIntegerArray) handle).getPlain(index), wrote, site);
        else if (handle instanceof AtomicLongArray)
            put(handle, index, 0, ((AtomicLongArray) handle).getPlain(index), wrote, site);
        else if (handle instanceof AtomicReferenceArray)
            put(handle, index, 0, id(((AtomicReferenceArray<?>) handle).getPlain(index)), wrote, site);
        else
            operated(cells.get(id(handle)), object, index, wrote, site);
    }

    private static void operated(Cell cell, Object object, int index, boolean wrote, int site) {
        if (cell == null || (object == null && cell.base == null))
            return;
        if (cell.type == null)
            put(object, index, 0, elementAt(object, index), wrote, site);
        else
            put(cell.base == null ? object : null, -1, cell.number,
                valueAt(cell.type, cell.base == null ? object : cell.base, cell.offset), wrote, site);
    }
}
