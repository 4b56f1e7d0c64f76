/* SPDX-License-Identifier: MIT */
#include "session/effort.h"

#include "base/host.h"

ser_predict_options ser_effort_options(const ser_effort *effort)
{
    unsigned jobs = effort->jobs ? effort->jobs : ser_host_cores();
    return (ser_predict_options){
        .model = effort->model,
        .staged = effort->staged,
        .timeout = effort->timeout,
        .jobs = jobs,
        .search = {.criterion = SER_CRITERION_PATH,
                   .memory =
                       effort->memory ? effort->memory : (size_t)(ser_host_memory() / 2 / jobs),
                   .switches = UINT32_MAX},
    };
}
