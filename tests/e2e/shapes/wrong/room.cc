/* SPDX-License-Identifier: MIT */
/* Whether there is room is asked in one section, and the room is used in another: the buffer
 * overflows, though nothing that the program prints depends on it. finds: log() */
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex door;
static char buffer[64];
static size_t used;

static size_t room()
{
    std::lock_guard<std::mutex> guard(door);
    return sizeof buffer / 2 - used;
}

static void append(const char *text, size_t length)
{
    std::lock_guard<std::mutex> guard(door);
    memcpy(buffer + used, text, length);
    used += length;
}

static void log(const char *text)
{
    if (room() >= strlen(text))
        append(text, strlen(text));
}

int main()
{
    std::thread one([] { log("the first of two"); }), other([] { log("the second of two"); });
    one.join();
    other.join();
}
