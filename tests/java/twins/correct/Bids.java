// SPDX-License-Identifier: MIT
/** The same in one synchronized method each; what is only looked at, told and counted decides nothing. */
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
        auction.tell(auction.seen());
        auction.see();
        auction.tell(auction.highest());
        return auction.offer(bid);
    }

    public static void main(String[] arguments) throws Exception {
        Auction auction = new Auction();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.invokeAll(List.of(new Bids(auction, 5), new Bids(auction, 9)));
        pool.shutdown();
        System.out.println(auction.highest());
    }
}
