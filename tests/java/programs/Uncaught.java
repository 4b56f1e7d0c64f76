// SPDX-License-Identifier: MIT
/** Under some schedules a thread finds the table before it is there; nobody catches that. */
public class Uncaught {
    private static int[] table;

    private static synchronized int[] table() {
        return table;
    }

    private static synchronized void setTable(int[] made) {
        table = made;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread maker = new Thread(() -> setTable(new int[] {1}));
        Thread user = new Thread(() -> use(table()));
        maker.start();
        user.start();
        maker.join();
        user.join();
    }

    private static void use(int[] found) {
        if (found == null)
            throw new IllegalStateException("no table");
    }
}
