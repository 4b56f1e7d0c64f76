/* SPDX-License-Identifier: MIT */
/*
 * bare [--sites] FILE: decodes every event of a trace and counts them, nothing
 * else. What a check costs beyond that is the monitor's. A check does not look at
 * locations unless it has something to report, so they are decoded only with
 * --sites.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trace/reader.h"

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    bool sites = argc == 3 && strcmp(argv[1], "--sites") == 0;
    if (argc != (sites ? 3 : 2)) {
        fprintf(stderr, "usage: bare [--sites] FILE\n");
        return SER_USAGE;
    }
    static ser_event batch[SER_BATCH];
    ser_reader *reader;
    ser_reader_options options = {.skip_sites = !sites};
    ser_error error;
    uint64_t events = 0;
    size_t count = 0;
    double start = seconds_now();
    ser_status status = ser_reader_open(&reader, argv[argc - 1], &options, &error);
    while (status == SER_OK) {
        status = ser_reader_next(reader, batch, SER_BATCH, &count, &error);
        if (count == 0)
            break;
        events += count;
    }
    double seconds = seconds_now() - start;
    ser_reader_close(reader);
    if (status != SER_OK) {
        fprintf(stderr, "bare: %s\n", error.text);
        return status;
    }
    printf("%" PRIu64 " events in %.3f s\n", events, seconds);
    return 0;
}
