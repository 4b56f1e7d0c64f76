// SPDX-License-Identifier: MIT
/** A line is put together by several calls: others may come between. */
class Lines {
    private static final StringBuffer log = new StringBuffer();

    static void note(String who, String what) {
        log.append(who).append(": ").append(what).append("\n");
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
