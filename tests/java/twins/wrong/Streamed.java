// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.stream.IntStream;

/** Threads of a parallel stream add to one list. */
class Streamed {
    public static void main(String[] arguments) {
        List<Integer> even = new java.util.ArrayList<>();
        IntStream.range(0, 8).parallel().filter(i -> i % 2 == 0).forEach(i -> even.add(i));
        System.out.println(even.size());
    }
}
