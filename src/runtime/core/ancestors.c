/* SPDX-License-Identifier: MIT */
#include "runtime/core/ancestors.h"

#include <fcntl.h>
#include <stddef.h>

#include "contract/handover.h"
#include "runtime/core/sys.h"

enum { NAME_SIZE = 64, LINE_SIZE = 512, MOST_ANCESTORS = 8 };

static char *put_text(char *end, const char *text)
{
    while (*text)
        *end++ = *text++;
    *end = 0;
    return end;
}

static char *put_number(char *end, int number)
{
    char digits[12];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *end++ = digits[--count];
    *end = 0;
    return end;
}

static long open_of(int process, const char *what, int number, int flags)
{
    char name[NAME_SIZE];
    char *end = put_text(put_number(put_text(name, "/proc/"), process), what);
    if (number >= 0)
        put_number(end, number);
    return ser_sys(SYS_openat, AT_FDCWD, (long)name, flags | O_CLOEXEC, 0, 0, 0);
}

/* "7 (its (name)) S 3 ...": the last parenthesis is the end of the name. 0: there is none. */
static int parent_of(int process)
{
    char line[LINE_SIZE];
    long file = open_of(process, "/stat", -1, O_RDONLY), got = 0;
    if (file >= 0) {
        got = ser_sys(SYS_read, file, (long)line, LINE_SIZE - 1, 0, 0, 0);
        ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    }
    long at = got;
    while (at > 0 && line[at - 1] != ')')
        at--;
    int parent = 0;
    for (at += 3; at < got && line[at] >= '0' && line[at] <= '9'; at++)
        parent = parent * 10 + line[at] - '0';
    return parent;
}

/* The places are filled from the first on. */
static int channel_of(int process)
{
    for (int number = SER_HANDOVER_FIRST; number < SER_HANDOVER_FIRST + SER_HANDOVER_PLACES;
         number++) {
        long file = open_of(process, "/fd/", number, O_RDWR | O_NONBLOCK);
        if (file < 0)
            return -1;
        if (ser_sys(SYS_fcntl, file, F_GET_SEALS, 0, 0, 0, 0) == ser_handover_seals)
            return (int)file;
        ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    }
    return -1;
}

int ser_ancestors_channel(void)
{
    int process = (int)ser_sys(SYS_getppid, 0, 0, 0, 0, 0, 0), found = -1;
    for (int i = 0; i < MOST_ANCESTORS && process > 1 && found < 0; i++) {
        found = channel_of(process);
        process = parent_of(process);
    }
    return found;
}
