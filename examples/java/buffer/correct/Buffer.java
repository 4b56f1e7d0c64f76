// SPDX-License-Identifier: MIT
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The correct twin: `room` holds the lock all the time; a thread can take it again.
 */
public class Buffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition(), notFull = lock.newCondition();
    private final ArrayDeque<String> items = new ArrayDeque<>();
    private int capacity = 4;

    void put(String item) throws InterruptedException {
        lock.lock();
        try {
            while (items.size() >= capacity)
                notFull.await();
            items.add(item);
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    String take() throws InterruptedException {
        lock.lock();
        try {
            while (items.isEmpty())
                notEmpty.await();
            notFull.signal();
            return items.remove();
        } finally {
            lock.unlock();
        }
    }

    void empty(int newCapacity) {
        lock.lock();
        try {
            capacity = newCapacity;
            items.clear();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return items.size();
        } finally {
            lock.unlock();
        }
    }

    int capacity() {
        lock.lock();
        try {
            return capacity;
        } finally {
            lock.unlock();
        }
    }

    int room() {
        lock.lock();
        try {
            return capacity() - size();
        } finally {
            lock.unlock();
        }
    }

    static void produce(Buffer buffer) {
        try {
            for (String item : "one two three".split(" "))
                buffer.put(item);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Buffer buffer = new Buffer();
        Thread producer = new Thread(() -> produce(buffer));
        producer.start();
        buffer.take();
        producer.join();
        Thread reporter = new Thread(() -> System.out.println("room for " + buffer.room()));
        Thread owner = new Thread(() -> buffer.empty(3));
        reporter.start();
        owner.start();
        reporter.join();
        owner.join();
    }
}
