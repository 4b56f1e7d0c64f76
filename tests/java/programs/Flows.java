// SPDX-License-Identifier: MIT
/** Where values go: the flow of each access is in the name of its field. */
class Flows {
    static int data, plain, sum, fixed, stored;
    static long wide;
    static double real;
    static Object link, data_link;
    int own;
    static final int[] cells = new int[4];

    static int give(int value) {
        return value;
    }

    /** Recorded, so that its reads may be data. */
    static void assign(boolean choice) {
        sum = data + 1; // data; not fixed
        wide += 3; // data, modifies
        real = real * 2 - wide; // data
        data_link = link; // data
        int merged = choice ? sum : (int) wide; // both
        stored = merged;
        fixed = 7; // fixed
    }

    void decide() {
        if (plain > 0) plain--; // the first decides, the second is data and modifies
        own++; // data, modifies
        fixed = 8 / own; // a divisor
        stored = cells[sum & 3]; // an index; the element is data
        cells[1] += stored; // elements of arrays are not followed
        fixed = give(sum); // an argument
        try {
            stored = data; // data
        } finally {
            synchronized (this) {
                fixed = 9;
            }
        }
    }

    /** What a value decides. */
    void choose() {
        if (plain > 5 || sum > 90) {
            synchronized (this) {
                fixed = 1;
            }
        }
        int much = data > 3 ? 1 : 0; // on both sides the same is done
        if (wide < 0) throw new IllegalStateException(); // decides nothing
        if (stored == much) return;
        give(3);
    }

    int look() {
        return own; // goes to the caller, who has it
    }

    public static void main(String[] arguments) {
        Flows flows = new Flows();
        plain = 1;
        assign(arguments.length == 0);
        flows.decide();
        flows.choose();
        System.out.println(flows.look());
    }
}
