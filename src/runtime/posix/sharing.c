/* SPDX-License-Identifier: MIT */
/*
 * Most programs share no memory with other processes, and nothing has to be looked up. For
 * the others the kernel says of every mapping whether it is shared.
 */
#include "runtime/posix/sharing.h"

#include <fcntl.h>
#include <sys/shm.h>

#include "runtime/core/core.h"
#include "runtime/posix/real.h"

static bool has_shared;

void ser_sharing_begins(void)
{
    if (ser_the_world.thread_count > 0) /* else it is the runtime's own */
        __atomic_store_n(&has_shared, true, __ATOMIC_RELAXED);
}

/* Reads lines like "7f00-7f10 rw-s 0 00:01 5 /name". */
typedef struct reader {
    uint64_t number, from, to; /* the number that is read; the ends of the mapping */
    unsigned field, column;    /* of the line: 0 and 1 are its ends, 2 the letters */
    bool shared;
} reader;

static bool is_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static void read_one(reader *line, char c)
{
    if (c == '\n') {
        *line = (reader){0};
    } else if (line->field < 2 && is_digit(c)) {
        line->number = line->number * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    } else if (line->field < 2) {
        *(line->field == 0 ? &line->from : &line->to) = line->number;
        line->number = 0;
        line->field++;
    } else if (line->field == 2 && ++line->column == 4) {
        line->shared = c == 's';
        line->field++;
    }
}

static bool is_in_shared_mapping(uintptr_t address)
{
    char bytes[4096] = {0};
    reader line = {0};
    bool shared = true, found = false;
    long file =
        ser_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    long size;
    if (file < 0)
        return true;
    while (!found && (size = ser_sys(SYS_read, file, (long)bytes, sizeof bytes, 0, 0, 0)) > 0) {
        for (long i = 0; i < size && !found; i++) {
            read_one(&line, bytes[i]);
            found = line.field == 3 && line.from <= address && address < line.to;
        }
    }
    if (found)
        shared = line.shared;
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    return shared;
}

bool ser_is_shared(const void *address)
{
    return __atomic_load_n(&has_shared, __ATOMIC_RELAXED) &&
           is_in_shared_mapping((uintptr_t)address);
}

SER_EXPORT void *shmat(int number, const void *address, int flags)
{
    ser_real_find();
    ser_sharing_begins();
    return ser_real.shmat(number, address, flags);
}
