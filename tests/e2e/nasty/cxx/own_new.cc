// flags: -std=c++17
// Replaced operator new and delete, class allocators, and an allocator of a container.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory_resource>
#include <new>
#include <thread>
#include <vector>
static long made, deleted;

void *operator new(std::size_t size)
{
    __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    return std::malloc(size);
}
void operator delete(void *block) noexcept
{
    __atomic_fetch_add(&deleted, block != nullptr, __ATOMIC_RELAXED);
    std::free(block);
}
void operator delete(void *block, std::size_t) noexcept
{
    operator delete(block);
}

struct cell {
    static char store[100][64];
    static int next;
    long value = 7;
    void *operator new(std::size_t)
    {
        return store[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % 100];
    }
    void operator delete(void *) {}
};
char cell::store[100][64];
int cell::next;

static void work(long *result)
{
    std::pmr::monotonic_buffer_resource buffer(512);
    std::pmr::list<long> list(&buffer);
    for (int i = 0; i < 200; i++)
        list.push_back(i);
    for (int i = 0; i < 40; i++) {
        cell *one = new cell;
        *result += one->value + *list.begin();
        delete one;
    }
    alignas(long) char place[sizeof(std::vector<long>)];
    auto *numbers = new (place) std::vector<long>(100, 3);
    *result += numbers->at(99) + list.back();
    numbers->~vector();
}

int main()
{
    long results[2] = {0, 0};
    std::thread one(work, &results[0]), two(work, &results[1]);
    one.join(), two.join();
    std::printf("%ld %ld, %ld left\n", results[0], results[1], made - deleted);
}
