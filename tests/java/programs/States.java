// SPDX-License-Identifier: MIT
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** Looks at the states of its threads, waits for them by polling, and finds its own deadlock. */
class States {
    static final Object one = new Object(), two = new Object();
    static boolean done;
    static int result;

    static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state)
            ;
        System.out.println(state);
    }

    static void waits(long milliseconds) {
        synchronized (one) {
            try {
                while (!done)
                    one.wait(milliseconds);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void sleeps() {
        try {
            Thread.sleep(100000);
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    static Thread second;

    static void crossFirst() {
        synchronized (one) {
            second = start(States::crossSecond);
            await(second, Thread.State.BLOCKED);
            synchronized (two) {
                result++;
            }
        }
    }

    static void crossSecond() {
        synchronized (two) {
            synchronized (one) {
                result++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread waiter = start(() -> waits(0)), timed = start(() -> waits(100000)), sleeper = start(States::sleeps);
        await(waiter, Thread.State.WAITING);
        await(timed, Thread.State.TIMED_WAITING);
        await(sleeper, Thread.State.TIMED_WAITING);
        Thread parked = start(LockSupport::park);
        await(parked, Thread.State.WAITING);
        LockSupport.unpark(parked);
        sleeper.interrupt();
        sleeper.join();
        Thread blocked;
        synchronized (one) {
            blocked = start(() -> waits(0));
            await(blocked, Thread.State.BLOCKED);
            done = true;
            one.notifyAll();
        }
        for (Thread thread : new Thread[] {waiter, timed, parked, blocked})
            while (thread.isAlive())
                ;
        Thread worker = start(() -> result = 42);
        await(worker, Thread.State.TERMINATED);
        System.out.println(result);

        start(States::crossFirst);
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        long[] deadlocked = null;
        while ((deadlocked = bean.findDeadlockedThreads()) == null)
            Thread.sleep(1);
        TreeSet<String> names = new TreeSet<>();
        for (ThreadInfo info : bean.getThreadInfo(deadlocked))
            names.add(info.getThreadName() + " " + info.getThreadState() + " by " + info.getLockOwnerName());
        System.out.println(names);
        Runtime.getRuntime().halt(0);
    }
}
