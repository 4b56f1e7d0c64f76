/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

static const double first_after = 0.5, then_every = 0.2; /* seconds */

static struct {
    const char *what; /* NULL: nothing to show */
    bool shown;
    double start, next;
} line;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void ser_progress_start(const char *what)
{
    ser_progress_stop();
    if (ser_log_is_quiet() || !isatty(STDERR_FILENO))
        return;
    line.what = what;
    line.start = seconds_now();
    line.next = line.start + first_after;
}

static void print_rate(double events_per_second)
{
    if (events_per_second >= 1e6)
        fprintf(stderr, "  %.1f M events/s", events_per_second / 1e6);
    else
        fprintf(stderr, "  %.0f k events/s", events_per_second / 1e3);
}

static void print_rest(double seconds)
{
    uint64_t rest = (uint64_t)seconds;
    if (rest >= 3600)
        fprintf(stderr, "  %" PRIu64 ":%02u:%02u left", rest / 3600, (unsigned)(rest / 60 % 60),
                (unsigned)(rest % 60));
    else
        fprintf(stderr, "  %u:%02u left", (unsigned)(rest / 60), (unsigned)(rest % 60));
}

void ser_progress_update(uint64_t events, uint64_t done, uint64_t total)
{
    if (!line.what)
        return;
    double now = seconds_now();
    if (now < line.next)
        return;
    line.next = now + then_every;

    double spent = now - line.start;
    fprintf(stderr, "\r\033[K%s", line.what);
    if (total && done <= total)
        fprintf(stderr, "  %u%%", (unsigned)(100.0 * (double)done / (double)total));
    else
        fprintf(stderr, "  %.1f M events", (double)events / 1e6);
    print_rate((double)events / spent);
    if (total && done && done <= total)
        print_rest(spent * (double)(total - done) / (double)done);
    fflush(stderr);
    line.shown = true;
}

void ser_progress_erase(void)
{
    if (!line.shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    line.shown = false;
}

void ser_progress_stop(void)
{
    ser_progress_erase();
    line.what = NULL;
}
