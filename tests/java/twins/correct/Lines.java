// SPDX-License-Identifier: MIT
/** A line is put together first, and appended by one call. */
class Lines {
    private static final StringBuffer log = new StringBuffer();

    static void note(String who, String what) {
        log.append(who + ": " + what + "\n");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> note("ann", "hello")), second = new Thread(() -> note("bob", "bye"));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.print(log);
    }
}
