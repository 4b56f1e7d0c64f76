// An exception meets noexcept in a thread: the process ends by SIGABRT.
#include <cstdio>
#include <sys/resource.h>
#include <thread>
static volatile int shared;

static void strict() noexcept
{
    shared = 1;
    throw 5;
}

int main()
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::puts("before");
    std::fflush(stdout);
    std::fclose(stderr);
    std::thread(strict).join();
    std::puts("never printed");
}
