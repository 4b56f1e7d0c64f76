/* SPDX-License-Identifier: MIT */
/*
 * /proc/self/task has the threads; for each, `syscall` has the call that it sleeps in with its
 * arguments ("running" if it does not sleep), and `status` counts how often it went to sleep.
 * A futex in memory that is mapped shared may be woken by another process; one in private memory
 * may not, whatever its flags say.
 */
#include "runtime/core/turns/asleep.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>

enum { FUTEX_LOCK_PI2_COMMAND = 13 }; /* newer than some headers */

static long open_file(const char *path, int flags)
{
    return ser_sys(SYS_openat, AT_FDCWD, (long)path, flags | O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

/* Copies the text to there; its end. */
static char *append(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length + 1);
    return to + length;
}

/* /proc/self/task/TID/NAME, as text; empty if it cannot be read. */
static void read_task(uint32_t tid, const char *name, char *content, size_t size)
{
    char path[64] = "/proc/self/task/", digits[12];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do
        *--start = (char)('0' + tid % 10);
    while (tid /= 10);
    append(append(append(path + strlen(path), start), "/"), name);
    *content = 0;
    long file = open_file(path, 0);
    if (file < 0)
        return;
    long got = ser_sys(SYS_read, file, (long)content, (long)size - 1, 0, 0, 0);
    content[got > 0 ? got : 0] = 0;
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
}

static uint64_t digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (uint64_t)(c - '0');
    return c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10) : 16;
}

/* Moves *at behind a number. */
static uint64_t read_number(const char **at, uint64_t base)
{
    uint64_t value = 0;
    if (base == 16 && (*at)[0] == '0' && (*at)[1] == 'x')
        *at += 2;
    for (; digit_of(**at) < base; ++*at)
        value = value * base + digit_of(**at);
    return value;
}

/* --- the threads ------------------------------------------------------------ */

typedef struct entry { /* as the kernel has it */
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
} entry;

bool ser_tasks_visit(bool (*visit)(uint32_t tid, void *context), void *context)
{
    _Alignas(8) char entries[2048];
    long me = ser_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    long folder = open_file("/proc/self/task", O_DIRECTORY);
    bool all = folder >= 0;
    long got = 0;
    while (all &&
           (got = ser_sys(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0)) > 0)
        for (long i = 0; all && i < got;) {
            const entry *found = (const entry *)(entries + i);
            const char *name = found->name;
            uint64_t tid = read_number(&name, 10);
            if (tid != 0 && tid != (uint64_t)me)
                all = visit((uint32_t)tid, context);
            i += found->size;
        }
    if (folder >= 0)
        ser_sys(SYS_close, folder, 0, 0, 0, 0, 0);
    return all && got == 0;
}

bool ser_task_is_over(uint32_t tid)
{
    char state = ser_proc_state("/proc/self/task/", tid);
    return state == 'Z' || state == 'X';
}

/* --- what they sleep on ------------------------------------------------------ */

/* A line of maps: "START-END rwxp ..."; the file is read piece by piece. That of the process is
 * empty once its first thread has ended. */
typedef struct line_search {
    uint64_t address, start, end;
    enum { IN_START, IN_END, IN_FLAGS, IN_REST } part;
    uint32_t flag;
    bool found, private;
} line_search;

static void next_part(line_search *search, char c)
{
    if (search->part == IN_START && c == '-')
        search->part = IN_END;
    else if (search->part == IN_END && c == ' ')
        search->part = IN_FLAGS;
    else if (search->part == IN_FLAGS && c == ' ')
        search->part = IN_REST;
}

static void read_character(line_search *search, char c)
{
    if (c == '\n') {
        search->part = IN_START;
        search->start = search->end = search->flag = 0;
    } else if (search->part == IN_START && digit_of(c) < 16) {
        search->start = search->start * 16 + digit_of(c);
    } else if (search->part == IN_END && digit_of(c) < 16) {
        search->end = search->end * 16 + digit_of(c);
    } else if (search->part == IN_FLAGS && c != ' ') {
        if (search->flag++ == 3 && search->start <= search->address &&
            search->address < search->end) {
            search->found = true;
            search->private = c == 'p';
        }
    } else {
        next_part(search, c);
    }
}

static bool is_private_memory(uint64_t address)
{
    char content[1024] = {0};
    line_search search = {.address = address};
    long file = open_file("/proc/thread-self/maps", 0), got;
    if (file < 0)
        return false;
    while (!search.found &&
           (got = ser_sys(SYS_read, file, (long)content, sizeof content, 0, 0, 0)) > 0)
        for (long i = 0; i < got && !search.found; i++)
            read_character(&search, content[i]);
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    return search.found && search.private;
}

static bool is_wait(uint64_t command)
{
    return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
           command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_LOCK_PI2_COMMAND;
}

/* "202 0x7f.. 0x80 0x2 0x0 ...": the number, then the arguments. */
static bool reads_as_futex(const char *call, uint64_t arguments[4])
{
    if (digit_of(*call) > 9 || read_number(&call, 10) != SYS_futex)
        return false;
    for (int i = 0; i < 4; i++) {
        if (*call++ != ' ')
            return false;
        arguments[i] = read_number(&call, 16);
    }
    return true;
}

static bool reads_as_sleep(const char *call, uint64_t *word)
{
    uint64_t arguments[4];
    if (!reads_as_futex(call, arguments))
        return false;
    *word = arguments[0];
    return is_wait(arguments[1] & (uint64_t)FUTEX_CMD_MASK) && arguments[3] == 0 &&
           ((arguments[1] & FUTEX_PRIVATE_FLAG) || is_private_memory(*word));
}

bool ser_sleeps_on(uint32_t tid, const uint32_t *word)
{
    char content[256];
    uint64_t arguments[4];
    read_task(tid, "syscall", content, sizeof content);
    return reads_as_futex(content, arguments) && arguments[0] == (uintptr_t)word;
}

bool ser_sleeps_for_ever(uint32_t tid, uint64_t *word)
{
    char content[256];
    read_task(tid, "syscall", content, sizeof content);
    return reads_as_sleep(content, word);
}

uint64_t ser_task_sleeps(uint32_t tid)
{
    static const char key[] = "\nvoluntary_ctxt_switches:\t";
    char content[4096];
    read_task(tid, "status", content, sizeof content);
    const char *at = strstr(content, key);
    if (!at)
        return UINT64_MAX;
    at += sizeof key - 1;
    return read_number(&at, 10);
}
