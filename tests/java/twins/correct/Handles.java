// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongArray;

/** A counter in a field by VarHandle, one by a field updater, and one in an atomic array. */
class Handles {
    int direct;
    volatile int updated;
    static final Handles shared = new Handles();
    static final AtomicLongArray array = new AtomicLongArray(2);
    static final AtomicIntegerFieldUpdater<Handles> UPDATER =
        AtomicIntegerFieldUpdater.newUpdater(Handles.class, "updated");
    static final VarHandle DIRECT;

    static {
        try {
            DIRECT = MethodHandles.lookup().findVarHandle(Handles.class, "direct", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void byHandle() {
        DIRECT.getAndAdd(shared, 1);
    }

    static void byUpdater() {
        int old;
        do {
            old = UPDATER.get(shared);
        } while (!UPDATER.compareAndSet(shared, old, old + 1));
    }

    static void inArray() {
        array.incrementAndGet(1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable all = () -> {
            byHandle();
            byUpdater();
            inArray();
        };
        Thread one = new Thread(all), two = new Thread(all);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(shared.direct + " " + shared.updated + " " + array.get(1));
    }
}
