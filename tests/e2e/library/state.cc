// Streams of the C++ library, and a static variable that is made on first use. As state.c.
#include <cstring>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::ostringstream out;
static std::stringstream both("1 2 3 4");

static void between(bool is_wrong)
{
    if (is_wrong) {
        lock.unlock();
        lock.lock();
    }
}

static void write(int n, bool is_wrong)
{
    lock.lock();
    out << "<" << n;
    between(is_wrong);
    out << n << ">" << std::endl;
    lock.unlock();
}

static void wrong_write(int n)
{
    write(n, true);
}

static void correct_write(int n)
{
    write(n, false);
}

static void wrong_unlocked(int n)
{
    out << "number " << n << "\n";
}

static void correct_unlocked(int n)
{
    std::ostringstream own;
    own << "number " << n << "\n";
    std::lock_guard<std::mutex> hold(lock);
    out << own.str();
}

static void read(bool is_wrong)
{
    int first = 0, second = 0;
    lock.lock();
    both >> first;
    between(is_wrong);
    both >> second;
    lock.unlock();
    std::cout << first + second << "\n";
}

static void wrong_read(int)
{
    read(true);
}

static void correct_read(int)
{
    read(false);
}

// Printing in any order is right.
static void correct_print(int n)
{
    std::cout << "number " << n << std::endl;
    std::cerr << n << "\n";
}

struct counter {
    int value = 100;
};

static counter &get_counter()
{
    static counter made;
    return made;
}

static void correct_static(int n)
{
    counter &made = get_counter();
    std::lock_guard<std::mutex> hold(lock);
    made.value += n;
}

static const struct {
    const char *name;
    void (*function)(int);
} kinds[] = {
    {"wrong_write", wrong_write},       {"correct_write", correct_write},
    {"wrong_unlocked", wrong_unlocked}, {"correct_unlocked", correct_unlocked},
    {"wrong_read", wrong_read},         {"correct_read", correct_read},
    {"correct_print", correct_print},   {"correct_static", correct_static},
};

int main(int argc, char **argv)
{
    for (const auto &kind : kinds)
        if (argc > 1 && std::strcmp(argv[1], kind.name) == 0) {
            std::thread one(kind.function, 1), two(kind.function, 2);
            one.join();
            two.join();
            return 0;
        }
    return 2;
}
