// SPDX-License-Identifier: MIT
// blocks: get
// The first caller makes the table; the others wait for it.
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag once;
int table[4];

void make()
{
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
}

int get(int i)
{
    std::call_once(once, make);
    return table[i] + table[0];
}

int main()
{
    int a = 0, b = 0;
    std::thread one([&] { a = get(2); }), two([&] { b = get(3); });
    one.join();
    two.join();
    std::printf("%d %d\n", a, b);
}
