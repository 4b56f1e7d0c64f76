// Looks a name up and adds it, in two sections. block: number_of
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex lock;
static std::unordered_map<std::string, int> numbers;
static int next_number;

static bool has(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    return numbers.find(name) != numbers.end();
}

static void add(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    numbers[name] = next_number++;
}

static void number_of(const std::string &name)
{
    if (!has(name))
        add(name);
}

static void read_names()
{
    number_of("alpha");
}

int main()
{
    std::thread first(read_names), second(read_names);
    first.join();
    second.join();
    std::printf("%d\n", next_number);
}
