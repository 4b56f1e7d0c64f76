// SPDX-License-Identifier: MIT
// A session is looked up and used under both locks, and closed so.
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

static void deliver()
{
    std::lock_guard<std::mutex> outer(table), inner(sessions);
    if (!registered)
        return;
    if (only.closed)
        std::puts("a message for a closed session");
    only.messages++;
}

static void close_session()
{
    std::lock_guard<std::mutex> outer(table), inner(sessions);
    only.closed = true;
    registered = false;
}

int main()
{
    std::thread one(deliver), other(close_session);
    one.join();
    other.join();
    std::puts("end");
}
