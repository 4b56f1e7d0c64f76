/* SPDX-License-Identifier: MIT */
/* Caches of threads, operator new and delete, a static variable with a guard, exceptions. */
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>
struct Node {
    size_t size_class;
    Node *next;
};
struct Heap {
    std::mutex lock;
    Node *lists[48] = {};
    char *at = nullptr, *end = nullptr;
};
static Heap &heap()
{
    alignas(Heap) static char room[sizeof(Heap)];
    static Heap *the = new (room) Heap;
    return *the;
}
static void give(Node *node)
{
    std::lock_guard<std::mutex> guard(heap().lock);
    node->next = heap().lists[node->size_class];
    heap().lists[node->size_class] = node;
}
struct Cache {
    Node *nodes[48];
    bool over;
    ~Cache()
    {
        for (Node *&first : nodes)
            while (first) {
                Node *node = first;
                first = node->next;
                give(node);
            }
        over = true;
    }
};
static thread_local Cache cache;
static Node *carve(size_t size_class)
{
    std::lock_guard<std::mutex> guard(heap().lock);
    Heap &the = heap();
    if (Node *node = the.lists[size_class]) {
        the.lists[size_class] = node->next;
        return node;
    }
    size_t size = size_t(1) << size_class;
    if (size_t(the.end - the.at) < size) {
        size_t chunk = size > (1 << 18) ? size : 1 << 18;
        the.at = (char *)mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                              -1, 0);
        the.end = the.at + chunk;
    }
    the.at += size;
    return (Node *)(the.at - size);
}
extern "C" {
void *malloc(size_t size)
{
    size_t size_class = 5;
    while ((size_t(1) << size_class) < size + sizeof(Node))
        size_class++;
    Node *node = cache.nodes[size_class];
    if (node)
        cache.nodes[size_class] = node->next;
    else
        node = carve(size_class);
    node->size_class = size_class;
    return node + 1;
}
void free(void *memory)
{
    Node *node = (Node *)memory - 1;
    if (!memory)
        return;
    if (cache.over || cache.nodes[node->size_class])
        return give(node);
    node->next = nullptr;
    cache.nodes[node->size_class] = node;
}
void *calloc(size_t count, size_t size)
{
    return memset(malloc(count * size), 0, count * size);
}
void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    size_t old = (size_t(1) << ((Node *)memory - 1)->size_class) - sizeof(Node);
    void *moved = memcpy(malloc(size), memory, old < size ? old : size);
    free(memory);
    return moved;
}
}
void *operator new(size_t size)
{
    return malloc(size);
}
void operator delete(void *memory) noexcept
{
    free(memory);
}
void operator delete(void *memory, size_t) noexcept
{
    free(memory);
}
static std::map<int, std::string> table;
static std::mutex lock;
int main()
{
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([t] {
            for (int i = 0; i < 20; i++) {
                std::lock_guard<std::mutex> guard(lock);
                table[i] += std::string(30, char('a' + t));
            }
            try {
                throw std::string("x");
            } catch (std::string &) {
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    size_t all = 0;
    for (auto &entry : table)
        all += entry.second.size();
    std::printf("%zu\n", all);
}
