// SPDX-License-Identifier: MIT
/** Synchronized code that runs long enough to be compiled. */
class Locked {
    int count;
    final Object lock = new Object();

    synchronized int inMethod(int times) {
        for (int i = 0; i < times; i++)
            count = count + 1;
        try {
            return count;
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    int inBlocks(int times) {
        for (int i = 0; i < times; i++)
            synchronized (lock) {
                count = count + 1;
            }
        synchronized (this) {
            return count;
        }
    }

    public static void main(String[] arguments) {
        Locked locked = new Locked();
        System.out.println(locked.inMethod(50000) + " " + locked.inBlocks(50000));
    }
}
