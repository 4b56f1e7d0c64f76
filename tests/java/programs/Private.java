// SPDX-License-Identifier: MIT
/** Objects that one thread uses alone, and objects that go from thread to thread. */
class Private {
    static final class Node {
        int value;
        Node next;
        int[] data = new int[4];
    }

    static final Object lock = new Object();
    static Node head;
    static int taken;

    static int mix(Node node) {
        return node.value * 31 + node.next.value + node.data[node.value & 3];
    }

    static int alone(int rounds, int seed) {
        int result = seed;
        for (int i = 0; i < rounds; i++) {
            Node node = new Node();
            node.value = result;
            node.data[i & 3] = result;
            node.next = new Node();
            node.next.value = node.value + 1;
            result = mix(node);
        }
        return result;
    }

    static void push(int value) {
        Node node = new Node();
        node.value = value;
        node.data[0] = value;
        synchronized (lock) {
            node.next = head;
            head = node;
        }
    }

    static int pop() {
        synchronized (lock) {
            Node node = head;
            if (node == null)
                return -1;
            head = node.next;
            taken++;
            node.data[1]++;
            return node.value + node.data[0];
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] results = new int[2];
        long[] sums = new long[2];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                results[number] = alone(300, number);
                for (int k = 0; k < 20; k++) {
                    push(k);
                    sums[number] += pop();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(results[0] + " " + results[1] + " " + (sums[0] + sums[1]) + " " + taken);
    }
}
