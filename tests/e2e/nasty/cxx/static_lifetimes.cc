// Constructors and destructors of static and thread-local objects start and join threads.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
static int total()
{
    static std::mutex lock;
    static int count = 0;
    std::lock_guard<std::mutex> guard(lock);
    return ++count;
}

struct team {
    bool last; /* to be destroyed: only then have all threads ended */
    std::vector<std::thread> threads;
    explicit team(bool last) : last(last)
    {
        for (int i = 0; i < 3; i++)
            threads.emplace_back(total);
    }
    ~team()
    {
        for (std::thread &thread : threads)
            thread.join();
        int now = total();
        std::printf("%d\n", last ? now : 0);
        std::fflush(stdout);
    }
};
static team early(true);
static std::mutex lock;
static int destroyed;

struct local {
    int value = 5;
    ~local()
    {
        std::lock_guard<std::mutex> guard(lock);
        destroyed += value;
    }
};
static thread_local local mine;

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([] { mine.value++; });
    for (std::thread &thread : threads)
        thread.join();
    static team late(false);
    std::printf("destroyed %d\n", destroyed);
}
