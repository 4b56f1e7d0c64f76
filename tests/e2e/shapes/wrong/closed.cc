// SPDX-License-Identifier: MIT
// A session is looked up under one lock, and used under another: it is closed in between. Only what
// the program prints shows it, and only threads' first functions could be atomic. finds: deliver
#include <cstdio>
#include <mutex>
#include <thread>

struct session {
    bool closed = false;
    int messages = 0;
};

static std::mutex table, sessions;
static bool registered = true;
static session only;

static bool is_registered()
{
    std::lock_guard<std::mutex> held(table);
    return registered;
}

static void deliver()
{
    if (!is_registered())
        return;
    std::lock_guard<std::mutex> held(sessions);
    if (only.closed)
        std::puts("a message for a closed session");
    only.messages++;
}

static void close_session()
{
    if (!is_registered())
        return;
    {
        std::lock_guard<std::mutex> held(sessions);
        only.closed = true;
    }
    std::lock_guard<std::mutex> held(table);
    registered = false;
}

int main()
{
    std::thread one(deliver), other(close_session);
    one.join();
    other.join();
    std::puts("end");
}
