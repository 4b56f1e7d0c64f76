// SPDX-License-Identifier: MIT
// Streams: what the library does with their buffers is read before the call and written after it.
#include <iostream>
#include <sstream>

static std::ostringstream out;
static std::istringstream in("4 5");
static char text[] = "text";

__attribute__((noinline)) static void write()
{
    out << 1;
    out << text;
}
// ORDER: ^stream_read0 out.* in write at streams.cc:12 data modifies
// ORDER: ^stream_written0 out.* in write at streams.cc:12
// ORDER: ^stream_read0 out.* in write at streams.cc:13 data modifies
// ORDER: ^stream_written0 out.* in write at streams.cc:13

__attribute__((noinline)) static int read()
{
    int number = 0;
    in >> number;
    return number;
}
// ORDER: ^stream_read1 in.* in read at streams.cc:23 modifies
// ORDER: ^stream_written1 in.* in read at streams.cc:23

int main()
{
    write();
    int number = read();
    std::cout << out.str() << number << std::endl;
    out.str("");
    return 0;
}
