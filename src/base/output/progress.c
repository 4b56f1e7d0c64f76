/* SPDX-License-Identifier: MIT */
#include "base/output/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output/log.h"
#include "base/output/print.h"

static const double first_after = 0.5, then_every = 0.2; /* seconds */

static struct {
    const char *what; /* NULL: nothing to show */
    bool shown;
    double start, next;
} line;

void ser_progress_start(const char *what)
{
    ser_progress_stop();
    if (ser_log_is_quiet() || !isatty(STDERR_FILENO))
        return;
    line.what = what;
    line.start = ser_clock_now();
    line.next = line.start + first_after;
}

static void print_rate(double events_per_second)
{
    if (events_per_second >= 1e6)
        ser_print(stderr, "  %.1f M events/s", events_per_second / 1e6);
    else
        ser_print(stderr, "  %.0f k events/s", events_per_second / 1e3);
}

static void print_rest(double seconds)
{
    uint64_t rest = (uint64_t)seconds;
    if (rest >= 3600)
        ser_print(stderr, "  %" PRIu64 ":%02u:%02u left", rest / 3600, (unsigned)(rest / 60 % 60),
                  (unsigned)(rest % 60));
    else
        ser_print(stderr, "  %u:%02u left", (unsigned)(rest / 60), (unsigned)(rest % 60));
}

bool ser_progress_is_due(void)
{
    return line.what && ser_clock_now() >= line.next;
}

/* Starts the line anew if it is time to; then end_line must follow. */
static bool begin_line(void)
{
    if (!ser_progress_is_due())
        return false;
    line.next = ser_clock_now() + then_every;
    ser_print(stderr, "\r\033[K%s", line.what);
    return true;
}

static void end_line(uint64_t done, uint64_t total)
{
    if (total && done && done <= total)
        print_rest((ser_clock_now() - line.start) * (double)(total - done) / (double)done);
    fflush(stderr);
    line.shown = true;
}

void ser_progress_update(uint64_t events, uint64_t done, uint64_t total)
{
    if (!begin_line())
        return;
    if (total && done <= total)
        ser_print(stderr, "  %u%%", (unsigned)(100.0 * (double)done / (double)total));
    else
        ser_print(stderr, "  %.1f M events", (double)events / 1e6);
    print_rate((double)events / (ser_clock_now() - line.start));
    end_line(done, total);
}

void ser_progress_say(const char *words, uint64_t done, uint64_t total)
{
    if (!begin_line())
        return;
    ser_print(stderr, "  %s", words);
    end_line(done, total);
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
