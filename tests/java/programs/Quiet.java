// SPDX-License-Identifier: MIT
/** Two increments, one after the other unless the schedule is an unlucky one. */
class Quiet {
    static int n;

    public static void main(String[] arguments) throws Exception {
        Thread one = new Thread(() -> n++), other = new Thread(() -> n++);
        one.start();
        other.start();
        one.join();
        other.join();
        System.out.println(n);
    }
}
