// SPDX-License-Identifier: MIT
import seriatim.Atomic;

/** One method is annotated; another, which is as wrong, is not. */
public class Annotated {
    private int low, high;

    synchronized void set(int value) {
        low = value;
        high = value;
    }

    synchronized int low() {
        return low;
    }

    synchronized int high() {
        return high;
    }

    @Deprecated
    @Atomic
    int difference() {
        return low() - high();
    }

    int sum() {
        return low() + high();
    }

    @Atomic
    void fail() {
        throw new IllegalStateException("the block ends all the same");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Annotated shared = new Annotated();
        Thread reader = new Thread(() -> {
            try {
                shared.difference();
                shared.sum();
                shared.fail();
            } catch (IllegalStateException expected) {
                shared.low();
            }
        });
        Thread writer = new Thread(() -> shared.set(1));
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("done");
    }
}
