/* SPDX-License-Identifier: MIT */
/*
 * handover.h - how the program gets the channel.
 *
 * As an open descriptor without a name: it is at the first free one of a few numbers, high enough
 * that the program gets the numbers it would get without us, and is known by its seals, which no
 * file of others has. The runtime closes it before the program has done anything. An environment
 * variable would be seen by programs that print or measure their environment.
 *
 * All functions may be called before main, and from anywhere.
 */
#ifndef SER_CONTRACT_HANDOVER_H
#define SER_CONTRACT_HANDOVER_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>

enum {
    SER_HANDOVER_FIRST = 200, /* descriptors from this on, */
    SER_HANDOVER_PLACES = 16, /* so many, unless the limit is lower: then the last ones */
};

/* Of a memory file that was created with MFD_ALLOW_SEALING. */
static const int ser_handover_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

static inline int ser_handover_first(void)
{
    struct rlimit limit;
    const rlim_t enough = SER_HANDOVER_FIRST + SER_HANDOVER_PLACES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough)
        return SER_HANDOVER_FIRST;
    return limit.rlim_cur > SER_HANDOVER_PLACES ? (int)limit.rlim_cur - SER_HANDOVER_PLACES : 0;
}

/* Recorder: seals the file, once it has its size. */
static inline bool ser_handover_seal(int file)
{
    return fcntl(file, F_ADD_SEALS, ser_handover_seals) == 0;
}

/* Recorder, in the process that becomes the program. */
static inline bool ser_handover_give(int file)
{
    int first = ser_handover_first(), given = fcntl(file, F_DUPFD, first);
    return given >= 0 && given < first + SER_HANDOVER_PLACES;
}

static inline int ser_handover_look(int first)
{
    for (int file = first; file < first + SER_HANDOVER_PLACES; file++)
        if (fcntl(file, F_GET_SEALS) == ser_handover_seals)
            return file;
    return -1;
}

/* Program: the descriptor of what may be a channel; -1: there is none. The limit may have been
 * lowered on the way. */
static inline int ser_handover_take(void)
{
    int file = ser_handover_look(SER_HANDOVER_FIRST), first = ser_handover_first();
    return file < 0 && first < SER_HANDOVER_FIRST ? ser_handover_look(first) : file;
}

#endif
