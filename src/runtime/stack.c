/* SPDX-License-Identifier: MIT */
/*
 * The stack of the initial thread: pthread_getattr_np would read the same file, but with
 * the C library's streams, which allocate. It may be asked for from inside the program's
 * first malloc (real.c).
 */
#include <fcntl.h>
#include <sys/resource.h>

#include "runtime/runtime.h"

/* Reads /proc/self/maps, a piece at a time. */
typedef struct maps {
    long file;
    size_t used, filled;
    char bytes[1024];
} maps;

/* The next byte; 0 at the end. */
static char next_byte(maps *from)
{
    if (from->used == from->filled) {
        long got = ser_sys(SYS_read, from->file, (long)from->bytes, sizeof from->bytes, 0, 0, 0);
        from->used = 0;
        from->filled = got > 0 ? (size_t)got : 0;
    }
    return from->used < from->filled ? from->bytes[from->used++] : 0;
}

static uintptr_t next_number(maps *from)
{
    uintptr_t number = 0;
    for (;;) {
        char digit = next_byte(from);
        if (digit >= '0' && digit <= '9')
            number = number * 16 + (uintptr_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = number * 16 + (uintptr_t)(digit - 'a' + 10);
        else
            return number;
    }
}

static void pass_line(maps *from)
{
    char byte;
    do
        byte = next_byte(from);
    while (byte && byte != '\n');
}

/* It grows down to its limit, or to what is mapped below it. */
static size_t room_for_stack(uintptr_t below, uintptr_t end)
{
    struct rlimit limit;
    size_t most = end - below;
    bool limited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < most;
    return limited ? (size_t)limit.rlim_cur : most;
}

void ser_stack_of_process(uintptr_t *lowest, size_t *size)
{
    maps from = {.file = ser_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/maps",
                                 O_RDONLY | O_CLOEXEC, 0, 0, 0)};
    uintptr_t here = (uintptr_t)&from, start, end = 0, below;
    *size = 0;
    if (from.file < 0)
        return;
    do {
        below = end;
        start = next_number(&from);
        end = next_number(&from);
        pass_line(&from);
    } while (end && end <= here);
    if (start <= here && here < end) {
        *size = room_for_stack(below, end);
        *lowest = end - *size;
    }
    ser_sys(SYS_close, from.file, 0, 0, 0, 0, 0);
}
