// SPDX-License-Identifier: MIT
// A ring of one producer and one consumer: each reads what only the other one writes, once the
// first thread has made it.
#include <atomic>
#include <thread>

template <unsigned SIZE> class ring
{
    int items[SIZE];
    std::atomic<unsigned> head{0}, tail{0};

  public:
    bool push(int item)
    {
        unsigned at = head.load(std::memory_order_relaxed);
        if (at - tail.load(std::memory_order_acquire) == SIZE)
            return false;
        items[at % SIZE] = item;
        head.store(at + 1, std::memory_order_release);
        return true;
    }

    bool pop(int &item)
    {
        unsigned at = tail.load(std::memory_order_relaxed);
        if (at == head.load(std::memory_order_acquire))
            return false;
        item = items[at % SIZE];
        tail.store(at + 1, std::memory_order_release);
        return true;
    }
};

static ring<2> buffer;

int main()
{
    int sum = 0;
    std::thread producer([] {
        for (int i = 1; i <= 3; i++)
            while (!buffer.push(i))
                std::this_thread::yield();
    });
    for (int i = 1, item = 0; i <= 3; i++) {
        while (!buffer.pop(item))
            std::this_thread::yield();
        sum += item;
    }
    producer.join();
    return sum != 6;
}
