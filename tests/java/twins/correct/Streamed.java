// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A parallel stream collects a list. */
class Streamed {
    public static void main(String[] arguments) {
        List<Integer> even =
            IntStream.range(0, 8).parallel().filter(i -> i % 2 == 0).boxed().collect(Collectors.toList());
        System.out.println(even.size());
    }
}
