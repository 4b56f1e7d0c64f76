/* SPDX-License-Identifier: MIT */
#include "base/meter.h"

#include "base/clock.h"

static ser_overrun find_overrun(const ser_meter_limits *limits, size_t bytes)
{
    if (!limits)
        return SER_OVERRUN_NONE;
    if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed))
        return SER_OVERRUN_STOP;
    if (limits->should_stop && limits->should_stop())
        return SER_OVERRUN_STOP;
    if (limits->memory && bytes > limits->memory)
        return SER_OVERRUN_MEMORY;
    if (limits->deadline > 0 && ser_clock_work() > limits->deadline)
        return SER_OVERRUN_TIME;
    return SER_OVERRUN_NONE;
}

bool ser_meter_ask(ser_meter *meter)
{
    if (!meter->reached)
        meter->reached = find_overrun(meter->limits, meter->bytes);
    if (meter->reached)
        meter->steps = SER_METER_STRIDE - 1;
    return meter->reached != SER_OVERRUN_NONE;
}
