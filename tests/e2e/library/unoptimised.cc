// SPDX-License-Identifier: MIT
// flags: -O0
// A hash table that is searched, and gets what was not found: without optimisation, too, both
// accesses are where the program makes them, not somewhere in the library's headers.
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_map>

static std::mutex lock;
static std::unordered_map<int, int> users;

static void wrong_insert(int number)
{
    lock.lock();
    bool is_known = users.find(7) != users.end();
    lock.unlock();
    if (!is_known) {
        lock.lock();
        users.emplace(7, number);
        lock.unlock();
    }
}

static void correct_insert(int number)
{
    std::lock_guard<std::mutex> hold(lock);
    if (users.find(7) == users.end())
        users.emplace(7, number);
}

int main(int argc, char **argv)
{
    bool is_wrong = argc > 1 && std::strcmp(argv[1], "wrong_insert") == 0;
    auto work = is_wrong ? wrong_insert : correct_insert;
    std::thread one(work, 1), two(work, 2);
    one.join();
    two.join();
}
