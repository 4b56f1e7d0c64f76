// SPDX-License-Identifier: MIT
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
/** Threads share a date format: what its methods do belongs to the one that calls them. */
class Formats {
    static final SimpleDateFormat format = make();
    static SimpleDateFormat make() {
        SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
        f.setTimeZone(TimeZone.getTimeZone("UTC"));
        return f;
    }
    static String show(long days) {
        return format.format(new Date(days * 86_400_000L));
    }
    public static void main(String[] args) throws Exception {
        String[] s = new String[2];
        Thread a = new Thread(() -> s[0] = show(0));
        Thread b = new Thread(() -> s[1] = show(400));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(s[0] + " " + s[1]);
    }
}
