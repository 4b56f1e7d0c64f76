/* SPDX-License-Identifier: MIT */
/*
 * The time. All functions ask for a clock, in nanoseconds, so that a recorded answer to
 * `gettimeofday` can serve `time`.
 */
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>

#include "runtime/posix/inputs/inputs.h"
#include "runtime/posix/real.h"
#include "runtime/posix/sync/sync.h"

enum { SECOND = 1000000000 };

/* By how much the real clocks are ahead of the times that the program got. */
static struct {
    bool known;
    int64_t ahead;
} clocks[2];

static_assert(CLOCK_REALTIME == 0 && CLOCK_MONOTONIC == 1, "places in clocks");

/* Threads that come in another order than recorded also get their recorded times; but a clock
 * never goes backwards from one to the other, as it never does otherwise. Clocks of CPU time are
 * left alone. */
static int64_t never_back(uint32_t clock, int64_t answer)
{
    static int64_t last[CLOCK_BOOTTIME + 1];
    if (clock > CLOCK_BOOTTIME || clock == CLOCK_PROCESS_CPUTIME_ID ||
        clock == CLOCK_THREAD_CPUTIME_ID || answer < 0)
        return answer;
    if (answer > last[clock])
        last[clock] = answer;
    return last[clock];
}

int64_t ser_inputs_keep_time(const ser_question *asked, int64_t answer, bool given)
{
    if (asked->kind != SER_ASKS_CLOCK || !ser_inputs_are_given())
        return answer;
    if (asked->detail > CLOCK_MONOTONIC)
        return never_back(asked->detail, answer);
    if (given) {
        clocks[asked->detail].known = true;
        clocks[asked->detail].ahead = asked->make(asked) - answer;
    } else if (clocks[asked->detail].known) {
        answer -= clocks[asked->detail].ahead;
    }
    return never_back(asked->detail, answer);
}

static int64_t make_clock(const ser_question *asked)
{
    struct timespec now;
    if (ser_real.clock_gettime((clockid_t)asked->detail, &now) != 0)
        return -errno;
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

static int64_t ask_clock(clockid_t clock)
{
    return ser_ask(
        &(ser_question){.kind = SER_ASKS_CLOCK, .detail = (uint32_t)clock, .make = make_clock});
}

SER_EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t time = ask_clock(clock);
    if (time < 0)
        return (int)ser_with_errno(time);
    *now = (struct timespec){time / SECOND, time % SECOND};
    return 0;
}

SER_EXPORT int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

SER_EXPORT time_t time(time_t *where)
{
    time_t now = ask_clock(CLOCK_REALTIME) / SECOND;
    if (where)
        *where = now;
    return now;
}

SER_EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    if (zone)
        *(struct timezone *)zone = (struct timezone){0, 0};
    int64_t time = ask_clock(CLOCK_REALTIME);
    *now = (struct timeval){time / SECOND, time % SECOND / 1000};
    return 0;
}

static int64_t make_cpu(const ser_question *asked)
{
    (void)asked;
    return ser_real.clock();
}

SER_EXPORT clock_t clock(void)
{
    return ser_ask(&(ser_question){.kind = SER_ASKS_CPU, .make = make_cpu});
}

static int64_t make_times(const ser_question *asked)
{
    return ser_real.times(asked->bytes);
}

SER_EXPORT clock_t times(struct tms *used)
{
    struct tms here;
    int64_t answer = ser_ask(&(ser_question){.kind = SER_ASKS_TIMES,
                                             .make = make_times,
                                             .bytes = used ? used : &here,
                                             .size = sizeof here,
                                             .whole = true});
    return answer;
}

void ser_inputs_correct(ser_deadline *deadline)
{
    if (!clocks[deadline->clock].known)
        return;
    int64_t ahead = clocks[deadline->clock].ahead;
    int64_t nanoseconds = deadline->time.tv_nsec + ahead % SECOND;
    deadline->time.tv_sec += ahead / SECOND;
    if (nanoseconds < 0 || nanoseconds >= SECOND)
        deadline->time.tv_sec += nanoseconds < 0 ? -1 : 1;
    deadline->time.tv_nsec = (nanoseconds + SECOND) % SECOND;
}

int ser_deadline_read(ser_deadline *deadline, clockid_t clock, const struct timespec *time)
{
    if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || time->tv_nsec < 0 ||
        time->tv_nsec >= 1000000000)
        return EINVAL;
    deadline->clock = clock;
    deadline->time = *time;
    if (deadline->time.tv_sec < 0) /* long ago; the kernel would call it invalid */
        deadline->time = (struct timespec){0};
    ser_inputs_correct(deadline);
    return 0;
}
