// SPDX-License-Identifier: MIT
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded buffer with a lock and conditions. Its methods are right; `room` is not: it asks for the
 * capacity and for the size in two critical sections. If the buffer is emptied and made smaller in
 * between, there is more room than the buffer has.
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
        return capacity() - size();
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
