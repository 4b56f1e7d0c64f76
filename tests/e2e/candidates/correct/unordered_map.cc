// Looks a name up and adds it in one section.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex lock;
static std::unordered_map<std::string, int> numbers;
static int next_number;

static void number_of(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    if (numbers.find(name) == numbers.end())
        numbers[name] = next_number++;
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
