// SPDX-License-Identifier: MIT
/** Tasks of a pool ask for the highest bid, then set it; and pay by getter and setter. */
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Bids implements Callable<Boolean> {
    static class Auction {
        private int highest, seen;

        synchronized int highest() {
            return highest;
        }

        synchronized void set(int bid) {
            highest = bid;
        }

        synchronized boolean offer(int bid) {
            if (bid <= highest)
                return false;
            highest = bid;
            return true;
        }

        synchronized int seen() {
            return seen;
        }

        synchronized void see() {
            seen++;
        }

        void tell(int number) {
            if (number > 1000)
                throw new IllegalArgumentException();
        }
    }

    private final Auction auction;
    private final int bid;

    Bids(Auction auction, int bid) {
        this.auction = auction;
        this.bid = bid;
    }

    @Override
    public Boolean call() {
        if (bid <= auction.highest())
            return false;
        auction.set(bid);
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        Auction auction = new Auction();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.invokeAll(List.of(new Bids(auction, 5), new Bids(auction, 9)));
        pool.shutdown();
        System.out.println(auction.highest());
    }
}
