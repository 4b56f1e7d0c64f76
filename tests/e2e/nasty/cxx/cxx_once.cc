// call_once and static locals whose first initialisations throw.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
static std::once_flag flag;
static int tries, constructions, value;
static int caught;

static void initialise()
{
    if (++tries < 4)
        throw std::runtime_error("not yet");
    value = 10;
}

struct stubborn {
    stubborn()
    {
        if (++constructions < 3)
            throw constructions;
    }
};

static void use()
{
    for (bool done = false; !done;)
        try {
            std::call_once(flag, initialise);
            static stubborn object;
            done = true;
        } catch (const std::exception &) {
            __atomic_fetch_add(&caught, 1, __ATOMIC_RELAXED);
        } catch (int) {
            __atomic_fetch_add(&caught, 100, __ATOMIC_RELAXED);
        }
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; i++)
        threads.emplace_back(use);
    for (std::thread &thread : threads)
        thread.join();
    std::printf("%d %d %d %d\n", tries, constructions, caught, value);
}
