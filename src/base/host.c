/* SPDX-License-Identifier: MIT */
#include "base/host.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

unsigned ser_host_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
        return (unsigned)CPU_COUNT(&cores);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more cores than a cpu_set_t holds */
    return online > 0 ? (unsigned)online : 1;
}

double ser_host_delay(double load, unsigned cores)
{
    static const double crowded = 2, most = 4;
    double share = load / cores;
    if (!(share >= crowded))
        return 1;
    return share < most ? share : most;
}

double ser_host_delay_now(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? ser_host_delay(load, ser_host_cores()) : 1;
}

uint64_t ser_host_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* Of /proc/self/statm, in bytes: size, resident, shared, text, lib, data. False: unknown. */
static bool read_sizes(uint64_t sizes[6])
{
    char text[256];
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count > 0 ? count : 0] = '\0';
    char *at = text, *end = NULL;
    for (int i = 0; i < 6 && at != end; i++) {
        end = at;
        sizes[i] = strtoull(end, &at, 10) * page;
    }
    return at != end;
}

uint64_t ser_host_resident(void)
{
    uint64_t sizes[6];
    return read_sizes(sizes) ? sizes[1] : 0;
}

/* Files that are mapped to be read do not count; what sanitizers have reserved was before. */
void ser_host_limit_memory(uint64_t bytes)
{
    uint64_t sizes[6];
    struct rlimit limit;
    if (!read_sizes(sizes) || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    rlim_t most = (rlim_t)(sizes[5] + bytes);
    if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max)
        most = limit.rlim_max;
    limit.rlim_cur = most;
    setrlimit(RLIMIT_DATA, &limit);
}
