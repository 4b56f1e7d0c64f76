/* SPDX-License-Identifier: MIT */
#include "session/run/deadline.h"

#include "base/clock.h"
#include "base/host.h"

/* A busy machine delays what is short, and nobody minds a few seconds; of a long run, a few times
 * as long as it took to record it is time enough for a start. */
enum { SMALL_EVENTS = 200000, SMALL_TIMES = 5 };

void ser_deadline_begin(ser_run_job *job, double seconds)
{
    const ser_haste *haste = &job->options.haste;
    bool small = job->recording.outcome.trace.events < SMALL_EVENTS;
    double least = (small ? haste->least : haste->least / SMALL_TIMES) * ser_host_delay_now();
    double enough = haste->times * seconds;
    if (haste->times <= 0)
        return;
    job->options.allotted = enough > least ? enough : least;
    job->options.deadline = ser_clock_now() + job->options.allotted;
}

void ser_deadline_predicted(ser_run_job *job)
{
    if (!job->options.haste.all)
        job->options.deadline = 0;
}

double ser_deadline_of_prediction(const ser_run_options *options, double reading)
{
    double now = ser_clock_now(), share = (options->deadline - now - reading) / 2;
    double least = options->allotted / 4; /* also if there was much to read */
    if (options->deadline <= 0)
        return 0;
    return now + (share > least ? share : least);
}

/* To explain what it finds may take long. A hasty job needs a part of the time for replays. */
double ser_deadline_of_monitor(const ser_run_options *options)
{
    double now = ser_clock_now(), left = options->deadline - now;
    double share = options->haste.all ? left / 2 : left, least = options->allotted / 8;
    if (options->deadline <= 0)
        return 0;
    return now + (share > least ? share : least);
}

bool ser_run_is_over(const ser_run_job *job)
{
    double deadline = job->options.deadline;
    return ser_run_should_stop() || (deadline > 0 && ser_clock_now() >= deadline);
}
