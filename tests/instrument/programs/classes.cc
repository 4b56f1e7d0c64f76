// SPDX-License-Identifier: MIT
// C++: names, exceptions, virtual functions, templates, lambdas, the library.
// FLAGS: -std=c++17 -pthread
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <seriatim/annotate.h>

namespace bank
{

class Account
{
  public:
    explicit Account(long start) : balance_(start) {}
    virtual ~Account() {}
    void deposit(long amount)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        balance_ += amount;
    }
    virtual long total(int depth)
    {
        if (depth > 2)
            throw std::runtime_error("too deep");
        return balance_ + depth;
    }
    static int count;

  private:
    std::mutex mutex_;
    long balance_;
};
// LOG: ^enter[0-9] bank::Account::deposit at classes.cc:23
// LOG: ^store8 balance_ of (class bank::Account|savings) in bank::Account::deposit at classes.cc:26

int Account::count;

struct Savings : Account {
    Savings() : Account(10), rate(3) {}
    long total(int depth) override
    {
        rate++;
        return Account::total(depth) * rate;
    }
    int rate;
};
// LOG: ^store4 rate of .* in bank::Savings::total

namespace
{
int hidden;
template <class T> __attribute__((noinline)) T twice(T value)
{
    hidden++;
    return value + value;
}
} // namespace

int use()
{
    return twice(2) + static_cast<int>(twice(3.5));
}

} // namespace bank
// LOG: ^enter[0-9] bank::\(anonymous namespace\)::twice<int> at
// LOG: ^store4 bank::\(anonymous namespace\)::hidden in bank::\(anonymous namespace\)::twice<double>

struct Guard {
    int &place;
    ~Guard() { place++; }
};

SERIATIM_ATOMIC_FUNCTION static long block(bank::Account &account, int depth)
{
    return account.total(depth) + 1;
}
// ORDER: ^enter1 block
// ORDER: ^begin block in block
// ORDER: ^enter2 bank::Savings::total
// ORDER: ^end in block
// ORDER: ^arrive0 from
// ORDER: ^enter1 block
// ORDER: ^leave2
// ORDER: ^end in block
// ORDER: ^leave1

static int guarded(bank::Account &account)
{
    int closed = 0;
    try {
        Guard guard{closed};
        SERIATIM_ATOMIC_SCOPE("guarded");
        account.total(3);
    } catch (const std::exception &problem) {
        std::printf("%s %d\n", problem.what(), closed);
    }
    return closed;
}
// ORDER: ^enter1 guarded
// ORDER: ^begin guarded in guarded at classes.cc:99
// ORDER: ^enter2 bank::Savings::total
// ORDER: ^enter3 bank::Account::total
// ORDER: ^arrive1 from 4
// ORDER: ^end in guarded at classes.cc:99
// ORDER: ^leave1$

int main()
{
    bank::Savings savings;
    bank::Account &account = savings;
    std::thread other([&] {
        account.deposit(5);
        bank::Account::count++;
    });
    other.join();
    try {
        block(account, 5);
    } catch (const std::exception &problem) {
        std::printf("%s %ld\n", problem.what(), block(account, 1));
    }
    int closed = guarded(account);
    std::map<int, std::string> log;
    log[3] = "three";
    auto shared = std::make_shared<int>(4);
    *shared += closed;
    std::vector<std::string> words;
    for (int i = 0; i < 20; i++)
        words.push_back(std::to_string(i));
    std::printf("%ld %d %d %s %d %s\n", account.total(1), bank::use(), bank::Account::count,
                log[3].c_str(), *shared, words[17].c_str());
}
// LOG: ^enter[01] main::\(lambda\)::operator\(\) at classes.cc
// LOG: ^store4 bank::Account::count in main::\(lambda\)::operator\(\)
// NOT: ^enter.* std::
// LOG: ^at0 \? in (std::|__gthread)
// LOG: ^tree_insert
// LOG: ^frees.* at (classes.cc|.*/c\+\+/)
// COPY: ^(begin|end)
