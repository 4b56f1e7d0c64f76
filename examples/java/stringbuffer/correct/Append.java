// SPDX-License-Identifier: MIT

/** The correct twin: `copy` holds the monitor that the text's methods use. */
public class Append {
    private static final StringBuffer text = new StringBuffer("serializable");

    static String copy() {
        synchronized (text) {
            int length = text.length();
            return text.substring(0, length);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread copier = new Thread(() -> System.out.println(copy().isEmpty() ? "empty" : "copied"));
        Thread editor = new Thread(() -> text.setLength(6));
        copier.start();
        editor.start();
        copier.join();
        editor.join();
    }
}
