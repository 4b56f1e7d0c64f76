// SPDX-License-Identifier: MIT
package java.lang;

import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;

/**
 * What rewritten classes call (src/java/classfile/hooks.h). It is in java.base, where every class
 * loader and the library itself find it; the agent defines it and its native methods.
 *
 * An object is known by its identity hash: -XX:hashCode=3 counts them, so that they are unique and
 * the same in each run. The library's own methods run between two steps, so that no other thread
 * comes between: what they do is one operation. If they must wait they park, and that is ours. Locks,
 * operations on objects of the library, and others are in the classes beside this one.
 */
public final class Seriatim {
    private Seriatim() {}

    /** A monitor that is held: to ask a locked object for its identity takes long. */
    private static final class Held {
        final Object object;
        final int id, depth;
        final Held outer;

        Held(Object object, int id, Held outer) {
            this.object = object;
            this.id = id;
            this.outer = outer != null && outer.depth < 8 ? outer : null;
            this.depth = this.outer == null ? 1 : outer.depth + 1;
        }
    }

    /** Of the thread that runs, as a rule; others do no harm, since identities never change. */
    private static Held held;

    static int id(Object object) {
        Held held = Seriatim.held;
        return held != null && held.object == object ? held.id : System.identityHashCode(object);
    }

    // --- accesses -------------------------------------------------------------------------

    /** The thread may lose its turn here. */
    public static void step() {
        if (!SeriatimRecords.step())
            step0();
    }

    private static native void step0();

    private static native void access0(Object object, int id, int index, long value, int site);

    private static void access(Object object, int id, int index, long value, int site) {
        if (!SeriatimRecords.access(id, index, value, site))
            access0(object, id, index, value, site);
    }

    private static final int NO_INDEX = -1;

    public static void field(Object object, int value, int site) {
        access(object, id(object), NO_INDEX, value, site);
    }

    public static void field(Object object, long value, int site) {
        access(object, id(object), NO_INDEX, value, site);
    }

    public static void field(Object object, float value, int site) {
        access(object, id(object), NO_INDEX, Float.floatToRawIntBits(value), site);
    }

    public static void field(Object object, double value, int site) {
        access(object, id(object), NO_INDEX, Double.doubleToRawLongBits(value), site);
    }

    public static void field(Object object, Object value, int site) {
        access(object, id(object), NO_INDEX, id(value), site);
    }

    public static void global(int value, int site) {
        access(null, 0, NO_INDEX, value, site);
    }

    public static void global(long value, int site) {
        access(null, 0, NO_INDEX, value, site);
    }

    public static void global(float value, int site) {
        access(null, 0, NO_INDEX, Float.floatToRawIntBits(value), site);
    }

    public static void global(double value, int site) {
        access(null, 0, NO_INDEX, Double.doubleToRawLongBits(value), site);
    }

    public static void global(Object value, int site) {
        access(null, 0, NO_INDEX, id(value), site);
    }

    public static void element(Object array, int index, int value, int site) {
        access(array, id(array), index, value, site);
    }

    public static void element(Object array, int index, long value, int site) {
        access(array, id(array), index, value, site);
    }

    public static void element(Object array, int index, float value, int site) {
        access(array, id(array), index, Float.floatToRawIntBits(value), site);
    }

    public static void element(Object array, int index, double value, int site) {
        access(array, id(array), index, Double.doubleToRawLongBits(value), site);
    }

    public static void element(Object array, int index, Object value, int site) {
        access(array, id(array), index, id(value), site);
    }

    // --- methods ----------------------------------------------------------------------------

    private static native void called0(int site);

    private static native void returned0(int site);

    public static void called(int site) {
        if (!SeriatimRecords.called(site))
            called0(site);
    }

    /** The same of a method that may be all that a thread does: run, call, a lambda expression. */
    public static void began(int site) {
        if (!SeriatimRecords.began(site))
            called0(site);
    }

    public static void returned(int site) {
        if (!SeriatimRecords.returned(site))
            returned0(site);
    }

    /** Around a method that is annotated with seriatim.Atomic. */
    public static native void blockBegins(int site);

    public static native void blockEnds(int site);

    /** The place of the call that comes next. */
    public static native void at(int site);

    // --- monitors -----------------------------------------------------------------------------

    private static native void lock0(Object object, int id, int site);

    private static native void unlock0(int id, int site);

    private static native void unlockInTurn0(int id, int site);

    /** Before the real monitor is entered: no other thread has it then. */
    public static void lock(Object object, int site) {
        if (object == null)
            return;
        int id = id(object);
        held = new Held(object, id, held);
        lock0(object, id, site);
    }

    /** After the real monitor was left. */
    public static void unlock(Object object, int site) {
        unlock0(id(object), site);
        forget(object);
    }

    /** The same, where the thread must not lose its turn. */
    static void unlockInTurn(Object object, int site) {
        unlockInTurn0(id(object), site);
        forget(object);
    }

    private static void forget(Object object) {
        Held held = Seriatim.held;
        if (held != null && held.object == object)
            Seriatim.held = held.outer;
    }

    /** Leaves the monitor, waits, and enters it again; false if the thread is not recorded. */
    private static native boolean wait0(Object object, int id, long nanoseconds, int site);

    private static native void notify0(int id, boolean all, int site);

    public static void await(Object object, int site) throws InterruptedException {
        await(object, 0L, 0, site);
    }

    public static void await(Object object, long milliseconds, int site) throws InterruptedException {
        await(object, milliseconds, 0, site);
    }

    public static void await(Object object, long milliseconds, int nanoseconds, int site)
            throws InterruptedException {
        if (!Thread.holdsLock(object) || milliseconds < 0 || nanoseconds < 0 || nanoseconds > 999999) {
            object.wait(milliseconds, nanoseconds); // throws what it should
            return;
        }
        throwIfInterrupted();
        if (wait0(object, id(object), nanosecondsOf(milliseconds) + nanoseconds, site))
            throwIfInterrupted();
        else
            object.wait(milliseconds, nanoseconds);
    }

    public static void notify(Object object, int site) {
        object.notify();
        notify0(id(object), false, site);
    }

    public static void notifyAll(Object object, int site) {
        object.notifyAll();
        notify0(id(object), true, site);
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted())
            throw new InterruptedException();
    }

    private static long nanosecondsOf(long milliseconds) {
        return TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    // --- threads ------------------------------------------------------------------------------

    private static native void start0(Object thread, int id);

    private static native boolean join0(Object thread, int id, long nanoseconds, int site);

    private static native void interrupt0(int id);

    private static native boolean sleep0(long nanoseconds, int site);

    private static native boolean yield0(int site);

    private static native boolean park0(boolean absolute, long time);

    private static native boolean unpark0(int id);

    /** At the beginning of Thread.start. Threads of the library's own are not recorded. */
    public static void starting(Object thread) {
        if (((Thread) thread).getState() == Thread.State.NEW
                && !(thread instanceof jdk.internal.misc.InnocuousThread))
            start0(thread, id(thread));
    }

    private static native void uncaught0(String what);

    /** At the beginning of Thread.dispatchUncaughtException. What the program handles is none. */
    public static void uncaught(Object object) {
        Thread thread = Thread.currentThread();
        if (thread.getUncaughtExceptionHandler() != thread.getThreadGroup()
                || Thread.getDefaultUncaughtExceptionHandler() != null
                || object instanceof ThreadDeath)
            return;
        uncaught0(describe((Throwable) object));
    }

    /** Its class, and where it was made. */
    static String describe(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        return thrown.getClass().getName() + (stack.length == 0 ? "" : " at " + placeOf(stack[0]));
    }

    /** As sites are written: com/shop/Cart.java:31 in com.shop.Cart.total */
    private static String placeOf(StackTraceElement frame) {
        String owner = frame.getClassName(), file = frame.getFileName();
        String folder = owner.substring(0, owner.lastIndexOf('.') + 1).replace('.', '/');
        return (file == null ? "?" : folder + file + ":" + frame.getLineNumber())
                + " in " + owner + "." + frame.getMethodName();
    }

    private static native void deadlocks0();

    /** At the beginning of ThreadMXBean.findDeadlockedThreads and its kind. */
    public static void findsDeadlocks(Object bean) {
        deadlocks0();
    }

    public static void interrupted(Object thread) {
        interrupt0(id(thread));
    }

    private static boolean join(Object thread, long nanoseconds, int site) {
        return join0(Thread.holdsLock(thread) ? null : thread, id(thread), nanoseconds, site);
    }

    /** Before the real join, which has little left to wait for. */
    public static void joining(Object object, int site) {
        if (object instanceof Thread && object != Thread.currentThread()
                && !Thread.currentThread().isInterrupted())
            join(object, 0, site);
    }

    /** How long the real join may still wait. */
    public static long joining(Object object, long milliseconds, int site) {
        if (!(object instanceof Thread) || object == Thread.currentThread() || milliseconds < 0
                || Thread.currentThread().isInterrupted())
            return milliseconds;
        return join(object, nanosecondsOf(milliseconds), site) ? milliseconds : 1;
    }

    private static native void look0(Object thread, int id, int site);

    /** Before Thread.isAlive and getState: a thread that asks again and again lets others go on. */
    public static void looks(Object object, int site) {
        if (object instanceof Thread && object != Thread.currentThread())
            look0(Thread.holdsLock(object) ? null : object, id(object), site);
    }

    public static void sleep(long milliseconds, int site) throws InterruptedException {
        sleep(milliseconds, 0, site);
    }

    public static void sleep(long milliseconds, int nanoseconds, int site) throws InterruptedException {
        if (milliseconds < 0 || nanoseconds < 0 || nanoseconds > 999999) {
            Thread.sleep(milliseconds, nanoseconds); // throws what it should
            return;
        }
        throwIfInterrupted();
        if (sleep0(nanosecondsOf(milliseconds) + nanoseconds, site))
            throwIfInterrupted();
        else
            Thread.sleep(milliseconds, nanoseconds);
    }

    public static void yield(int site) {
        if (!yield0(site))
            Thread.yield();
    }

    /** In the place of Unsafe.park and unpark. */
    public static void park(Object unsafe, boolean absolute, long time) {
        if (!park0(absolute, time))
            ((Unsafe) unsafe).park(absolute, time);
    }

    public static void unpark(Object unsafe, Object thread) {
        if (thread != null && !unpark0(id(thread)))
            ((Unsafe) unsafe).unpark(thread);
    }
}
