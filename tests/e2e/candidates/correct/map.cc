// Looks a name up and adds it in one section.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> numbers;
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
