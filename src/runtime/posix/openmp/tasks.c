/* SPDX-License-Identifier: MIT */
/*
 * Tasks. A task comes after it was created, and a thread that waits for tasks comes after those
 * that have ended. Which tasks it waits for is not looked at: it comes after all of the team's that
 * have ended by then, as a task that depends on others comes after all such tasks.
 *
 * The library calls a task by the function in its descriptor, and copies descriptors: so each
 * function of the program gets a substitute of its own.
 */
#include "runtime/posix/elsewhere.h"
#include "runtime/posix/openmp/openmp.h"

typedef int32_t task_function(int32_t, void *);

static int32_t run(task_function *body, int32_t global, void *task)
{
    bool elsewhere = ser_come_back();
    const ser_omp_team *team = ser_omp_team_here();
    ser_omp_receive(team, SER_OMP_CREATED);
    if (team && team->depends)
        ser_omp_receive(team, SER_OMP_DEPENDS);
    int32_t result = body(global, task);
    if (team && team->depends)
        ser_omp_send(team, SER_OMP_DEPENDS);
    ser_omp_send(team, SER_OMP_DONE);
    if (elsewhere)
        ser_go_elsewhere();
    return result;
}

/* X(number) for 0 to 63; programs with more such functions are not recorded there. */
#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define SUBSTITUTES(X)                                                                             \
    EIGHT(X, 0)                                                                                    \
    EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05) EIGHT(X, 06) EIGHT(X, 07)
enum { MOST = 64 };

static task_function *bodies[MOST];

#define SER_X(number)                                                                              \
    static int32_t run_##number(int32_t global, void *task)                                        \
    {                                                                                              \
        return run(bodies[number], global, task);                                                  \
    }
SUBSTITUTES(SER_X)
#undef SER_X

static task_function *const substitutes[MOST] = {
#define SER_X(number) [number] = run_##number,
    SUBSTITUTES(SER_X)
#undef SER_X
};

static task_function *substitute(task_function *body)
{
    for (int i = 0; i < MOST; i++) {
        task_function *known = 0;
        if (__atomic_compare_exchange_n(&bodies[i], &known, body, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) ||
            known == body)
            return substitutes[i];
    }
    return body;
}

SER_EXPORT void *__kmpc_omp_task_alloc(void *place, int32_t global, int32_t flags, size_t size,
                                       size_t shared_size, void *body)
{
    void *called = ser_is_off ? body : (void *)substitute((task_function *)body);
    return ser_omp_real()->__kmpc_omp_task_alloc(place, global, flags, size, shared_size, called);
}

static void note_created(bool depends)
{
    ser_omp_team *team = ser_omp_team_here();
    if (!team)
        return;
    __atomic_store_n(&team->has_tasks, true, __ATOMIC_RELEASE);
    if (depends)
        __atomic_store_n(&team->depends, true, __ATOMIC_RELEASE);
    ser_omp_send(team, SER_OMP_CREATED);
}

/* The thread may run tasks in there. */
SER_EXPORT int32_t __kmpc_omp_task(void *place, int32_t global, void *task)
{
    note_created(false);
    int32_t result;
    SER_ELSEWHERE_DO(result = ser_omp_real()->__kmpc_omp_task(place, global, task));
    return result;
}

SER_EXPORT int32_t __kmpc_omp_task_with_deps(void *place, int32_t global, void *task, int32_t count,
                                             void *dependences, int32_t more_count, void *more)
{
    note_created(true);
    int32_t result;
    SER_ELSEWHERE_DO(result = ser_omp_real()->__kmpc_omp_task_with_deps(
                         place, global, task, count, dependences, more_count, more));
    return result;
}

SER_EXPORT void __kmpc_taskloop(void *place, int32_t global, void *task, int condition,
                                uint64_t *low, uint64_t *high, int64_t stride, int no_group,
                                int schedule, uint64_t grain, void *copy)
{
    note_created(false);
    SER_ELSEWHERE_DO(ser_omp_real()->__kmpc_taskloop(place, global, task, condition, low, high,
                                                     stride, no_group, schedule, grain, copy));
    ser_omp_receive(ser_omp_team_here(), SER_OMP_DONE);
}

SER_EXPORT void __kmpc_omp_wait_deps(void *place, int32_t global, int32_t count, void *dependences,
                                     int32_t more_count, void *more)
{
    SER_ELSEWHERE_DO(
        ser_omp_real()->__kmpc_omp_wait_deps(place, global, count, dependences, more_count, more));
    ser_omp_receive(ser_omp_team_here(), SER_OMP_DONE);
}

SER_EXPORT int32_t __kmpc_omp_taskwait(void *place, int32_t global)
{
    int32_t result;
    SER_ELSEWHERE_DO(result = ser_omp_real()->__kmpc_omp_taskwait(place, global));
    ser_omp_receive(ser_omp_team_here(), SER_OMP_DONE);
    return result;
}

SER_EXPORT int32_t __kmpc_omp_taskyield(void *place, int32_t global, int end)
{
    int32_t result;
    SER_ELSEWHERE_DO(result = ser_omp_real()->__kmpc_omp_taskyield(place, global, end));
    return result;
}

SER_EXPORT void __kmpc_end_taskgroup(void *place, int32_t global)
{
    SER_ELSEWHERE_DO(ser_omp_real()->__kmpc_end_taskgroup(place, global));
    ser_omp_receive(ser_omp_team_here(), SER_OMP_DONE);
}
