/* SPDX-License-Identifier: MIT */
/*
 * Parallel regions and barriers.
 *
 * The body of a region is replaced by enter_region, which every thread of the team runs: it comes
 * back, waits until the whole team is there, so that the same seed gives the same run, and calls
 * the body. Waiting at barriers is ours as well, as with those of POSIX: the library's barrier is
 * only needed where tasks are left to run.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>

#include "runtime/posix/elsewhere.h"
#include "runtime/posix/openmp/openmp.h"

/* Of the innermost region. It stays after a thread has left the body: it may still run tasks. */
static __thread ser_omp_team *team_here;
/* How many regions around it the thread runs alone, in that team. */
static __thread uint32_t alone;

const ser_omp_functions *ser_omp_real(void)
{
    static ser_omp_functions real;
    static uint32_t found;
    if (ser_likely(__atomic_load_n(&found, __ATOMIC_ACQUIRE)))
        return &real;
#define SER_X(result, name, ...) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    SER_OMP_REAL(SER_X)
    SER_OMP_CALLED(SER_X)
#undef SER_X
#define SER_X(name) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    SER_OMP_REAL_NEXT(SER_X)
#undef SER_X
#define SER_X(name, type) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    SER_OMP_REAL_INIT(SER_X)
#undef SER_X
    __atomic_store_n(&found, 1, __ATOMIC_RELEASE);
    return &real;
}

ser_omp_team *ser_omp_team_here(void)
{
    return team_here && team_here->size > 1 && !alone ? team_here : 0;
}

void ser_omp_put(ser_thread *me, const ser_omp_team *team, ser_omp_message message, bool sends)
{
    ser_put_stream(me, team->streams + message, sends,
                   sends ? SER_STREAM_SENT : SER_STREAM_RECEIVED);
}

static void put(const ser_omp_team *team, ser_omp_message message, bool sends)
{
    ser_thread *me = team ? ser_enter_sync() : 0;
    if (!me)
        return;
    ser_omp_put(me, team, message, sends);
    ser_leave_sync(me);
}

void ser_omp_send(const ser_omp_team *team, ser_omp_message message)
{
    put(team, message, true);
}

void ser_omp_receive(const ser_omp_team *team, ser_omp_message message)
{
    put(team, message, false);
}

/* --- regions ------------------------------------------------------------------------ */

/* Streams can be used again by the next team of the thread: it begins after this one. */
static uint64_t choose_streams(const ser_thread *me, uint32_t level)
{
    enum { LEVELS = 64 };
    uint64_t number = ((uint64_t)me->number * LEVELS + level % LEVELS) * SER_OMP_MESSAGES;
    return (uint64_t)SER_STREAM_TEAM << 56 | number;
}

static void await(const uint32_t *word, uint32_t least)
{
    for (uint32_t now; (now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) < least;)
        ser_futex_wait(word, now, 0, false);
}

/* All come before the first thread goes on, so that they begin together, and know whether all are
 * recorded: else the team is left to the library. Not in turns: in a replay the others may have
 * theirs much later. */
static void gather(ser_omp_team *team, uint32_t size, bool is_first)
{
    if (ser_self == &ser_nobody || ser_self == &ser_stranger)
        __atomic_store_n(&team->has_strangers, true, __ATOMIC_RELAXED);
    if (is_first) {
        await(&team->present, size - 1);
        team->size = team->has_strangers ? 0 : size;
        __atomic_store_n(&team->is_complete, 1, __ATOMIC_RELEASE);
        ser_futex_wake(&team->is_complete, INT_MAX, false);
    } else {
        __atomic_add_fetch(&team->present, 1, __ATOMIC_RELEASE);
        ser_futex_wake(&team->present, 1, false);
        await(&team->is_complete, 1);
    }
}

static void begin(ser_omp_team *team, bool is_first)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    if (is_first) {
        ser_omp_put(me, team, SER_OMP_STARTED, true);
        team->is_open = true;
        ser_object_wake(SER_KIND_BARRIER, &team->is_open, UINT32_MAX);
    } else {
        while (!team->is_open)
            ser_object_wait(me, SER_KIND_BARRIER, &team->is_open, (ser_runtime_wait){0});
        ser_omp_put(me, team, SER_OMP_STARTED, false);
    }
    ser_leave_sync(me);
}

static void enter_region(int32_t *global, int32_t *bound, ser_omp_team *team)
{
    void *frame;
    bool is_first = *bound == 0;
    uint32_t size = (uint32_t)ser_omp_real()->omp_get_num_threads();
    if (size > 1 && !ser_is_off)
        gather(team, size, is_first);
    bool elsewhere = ser_come_back();
    team_here = team;
    alone = 0;
    if (team->size)
        begin(team, is_first);
    ser_omp_real()->__kmp_invoke_microtask(team->body, *global, *bound, team->argument_count,
                                           team->arguments, &frame);
    team_here = team;
    if (!is_first)
        ser_omp_send(ser_omp_team_here(), SER_OMP_ENDED);
    if (elsewhere)
        ser_go_elsewhere();
}

static void end(const ser_omp_team *team)
{
    if (team->size < 2)
        return;
    ser_omp_receive(team, SER_OMP_ENDED);
    if (team->has_tasks)
        ser_omp_receive(team, SER_OMP_DONE);
}

/* Threads of the library that have nothing to do shall sleep at once, and leave the processors to
 * those that have. */
static void make_idle_threads_sleep(void)
{
    static uint32_t done;
    if (!ser_is_off && ser_omp_real()->kmp_set_blocktime &&
        !__atomic_exchange_n(&done, 1, __ATOMIC_RELAXED))
        ser_omp_real()->kmp_set_blocktime(0);
}

SER_EXPORT void __kmpc_fork_call(void *place, int32_t count, void *body, ...)
{
    const ser_omp_functions *real = ser_omp_real();
    void *arguments[count > 0 ? count : 1];
    ser_omp_team *outer = team_here;
    uint32_t alone_before = alone;
    ser_omp_team team = {.body = body,
                         .argument_count = count,
                         .arguments = arguments,
                         .level = outer ? outer->level + 1 : 0};
    va_list list;
    va_start(list, body);
    for (int32_t i = 0; i < count; i++)
        arguments[i] = va_arg(list, void *);
    va_end(list);
    make_idle_threads_sleep();
    if (!ser_is_off)
        team.streams = choose_streams(ser_self, team.level);
    SER_ELSEWHERE_DO(real->__kmpc_fork_call(place, 1, (void *)enter_region, &team));
    team_here = outer;
    alone = alone_before;
    end(&team);
}

/* A region that one thread runs alone, within a team perhaps. */
SER_EXPORT void __kmpc_serialized_parallel(void *place, int32_t global)
{
    alone++;
    ser_omp_real()->__kmpc_serialized_parallel(place, global);
}

SER_EXPORT void __kmpc_end_serialized_parallel(void *place, int32_t global)
{
    alone--;
    ser_omp_real()->__kmpc_end_serialized_parallel(place, global);
}

/* --- barriers ------------------------------------------------------------------------ */

/* All of the team meet. */
static void meet(ser_omp_team *team)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    ser_put(me, SER_OP_ARRIVE, team, 0);
    if (++team->arrivals < team->size) {
        while (ser_object_wait(me, SER_KIND_BARRIER, team, (ser_runtime_wait){0}) != SER_WOKEN)
            continue;
    } else {
        team->arrivals = 0;
        team->rounds++;
        team->needs_real = team->has_tasks;
        const ser_runtime_object *object = ser_object_find(SER_KIND_BARRIER, team);
        if (object)
            ser_barrier_join_clocks(me, object);
        ser_object_wake(SER_KIND_BARRIER, team, UINT32_MAX);
    }
    ser_put(me, SER_OP_DEPART, team, 0);
    ser_leave_sync(me);
}

/* The library's barrier runs the tasks that are left. */
void ser_omp_meet(ser_omp_team *team, void *place, int32_t global)
{
    meet(team);
    if (!team->needs_real)
        return;
    SER_ELSEWHERE_DO(ser_omp_real()->__kmpc_barrier(place, global));
    ser_omp_receive(team, SER_OMP_DONE);
    meet(team);
}

SER_EXPORT void __kmpc_barrier(void *place, int32_t global)
{
    ser_omp_team *team = ser_omp_team_here();
    if (team)
        ser_omp_meet(team, place, global);
    else
        ser_omp_real()->__kmpc_barrier(place, global);
}

static void note(const ser_omp_team *team, int op)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    ser_put(me, op, team, 0);
    ser_leave_sync(me);
}

/* Not all of the team need come: some may have been cancelled. */
SER_EXPORT int32_t __kmpc_cancel_barrier(void *place, int32_t global)
{
    const ser_omp_team *team = ser_omp_team_here();
    if (!team)
        return ser_omp_real()->__kmpc_cancel_barrier(place, global);
    note(team, SER_OP_ARRIVE);
    int32_t result;
    SER_ELSEWHERE_DO(result = ser_omp_real()->__kmpc_cancel_barrier(place, global));
    note(team, SER_OP_DEPART);
    return result;
}
