/* SPDX-License-Identifier: MIT */
#include "base/host.h"

#include <sched.h>
#include <unistd.h>

unsigned ser_host_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
        return (unsigned)CPU_COUNT(&cores);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more cores than a cpu_set_t holds */
    return online > 0 ? (unsigned)online : 1;
}

uint64_t ser_host_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
