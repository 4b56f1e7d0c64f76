// Exceptions through frames of the C library and of code that is not instrumented.
// flags: -fexceptions
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static int destroyed;

struct guard {
    ~guard() { __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED); }
};

static int refuse(const void *, const void *)
{
    guard one;
    throw std::string("compare");
}

static int work()
{
    int numbers[] = {3, 2, 1}, caught = 0;
    for (int i = 0; i < 50; i++) {
        guard two;
        try {
            std::qsort(numbers, 3, sizeof(int), refuse);
        } catch (const std::string &text) {
            caught += static_cast<int>(text.size());
        }
        try {
            std::map<int, std::vector<int>> empty;
            std::function<int(int)> inner = [&](int at) { return guard(), empty.at(at).at(at); };
            std::vector<int> list{1, 2, 3};
            std::transform(list.begin(), list.end(), list.begin(), inner);
        } catch (const std::out_of_range &) {
            caught++;
        }
    }
    return caught;
}

int main()
{
    int results[3];
    std::vector<std::thread> threads;
    for (int &result : results)
        threads.emplace_back([&result] { result = work(); });
    for (std::thread &thread : threads)
        thread.join();
    std::printf("%d %d %d, %d\n", results[0], results[1], results[2], destroyed);
}
