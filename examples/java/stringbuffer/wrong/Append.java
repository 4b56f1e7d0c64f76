// SPDX-License-Identifier: MIT

/**
 * A text is copied while another thread shortens it. All methods of StringBuffer are synchronized;
 * `copy` calls two of them. If the text becomes shorter in between, the copy throws an exception.
 */
public class Append {
    private static final StringBuffer text = new StringBuffer("serializable");

    static String copy() {
        int length = text.length();
        return text.substring(0, length);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread copier = new Thread(() -> System.out.println("copied " + copy().length() + " or fewer"));
        Thread editor = new Thread(() -> text.setLength(6));
        copier.start();
        editor.start();
        copier.join();
        editor.join();
    }
}
