#!/bin/sh
# SPDX-License-Identifier: MIT
# A report on a program that keeps its data in containers speaks of the program, not of the library.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > shop.cc << 'END'
#include <map>
#include <mutex>
#include <string>
#include <thread>
class Shop {
public:
    void add(const std::string &item, int count)
    {
        std::lock_guard guard(mutex);
        stock[item] += count;
    }
    int count(const std::string &item)
    {
        std::lock_guard guard(mutex);
        return stock[item];
    }
    bool take(const std::string &item)
    {
        if (count(item) == 0)
            return false;
        add(item, -1);
        return true;
    }

private:
    std::mutex mutex;
    std::map<std::string, int> stock;
};
int main()
{
    Shop shop;
    shop.add("bolt", 1);
    std::thread one([&] { shop.take("bolt"); }), other([&] { shop.take("bolt"); });
    one.join();
    other.join();
    return shop.count("bolt") < 0;
}
END
"$SERIATIM" c++ -g -O1 -std=c++17 shop.cc -o shop -pthread || fail "should build"
run run -- ./shop
expect_status 1
expect_out '^1[.] Shop::take[(][)] [(]shop.cc:17[)] is not atomic'
expect_out 'pair[{]Shop::add[(][)] [(]1st[)][}]->second'
expect_out 'hold shop.mutex from'
! grep -E '/\.\./|stl_|basic_string| _M_' out || fail "the library's names say nothing to the reader"

# What std::make_shared puts in front of an object does not hide of which type it is.
cat > bank.cc << 'END'
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
struct Account {
    std::mutex mutex;
    long balance = 100;
    long get()
    {
        std::lock_guard<std::mutex> guard(mutex);
        return balance;
    }
    void set(long to)
    {
        std::lock_guard<std::mutex> guard(mutex);
        balance = to;
    }
};
struct Counts {
    std::atomic<int> open{0}, closed{0};
};
static void deposit(const std::shared_ptr<Account> &account)
{
    account->set(account->get() + 10);
}
static void close_one(Counts &counts)
{
    counts.closed = counts.closed + 1;
}
int main()
{
    auto account = std::make_shared<Account>();
    Counts counts;
    auto work = [&] { deposit(account); close_one(counts); };
    std::thread one(work), other(work);
    one.join();
    other.join();
    return account->get() != 120;
}
END
"$SERIATIM" c++ -g -O1 -std=c++17 bank.cc -o bank -pthread || fail "should build"
run run -- ./bank
expect_status 1
expect_out 'Account[{]main[(][)] [(]1st[)][}]->balance = 100'
expect_out 'hold Account[{]main[(][)] [(]1st[)][}]->mutex from'
expect_out 'read counts.closed = 0'
finish
