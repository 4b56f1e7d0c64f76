/* SPDX-License-Identifier: MIT */
/*
 * Work that a team divides: parts of loops and sections that threads take as they come, what a
 * single thread does, parts that come one after the other, reductions.
 */
#include "runtime/posix/elsewhere.h"
#include "runtime/posix/openmp/openmp.h"

/* Who comes first decides what each of them does: all come one after the other, as they did. */
static ser_thread *take_turn(void)
{
    const ser_omp_team *team = ser_omp_team_here();
    ser_thread *me = team ? ser_enter_sync() : 0;
    if (me) {
        ser_omp_put(me, team, SER_OMP_SHARED, false);
        ser_omp_put(me, team, SER_OMP_SHARED, true);
    }
    return me;
}

static void leave(ser_thread *me)
{
    if (me)
        ser_leave_sync(me);
}

/* Has the thread begun so many loops since the team last met? */
static bool loop_may_wait(void)
{
    enum { ROOM = 6 };
    ser_omp_team *team = ser_omp_team_here();
    static __thread uint64_t round;
    static __thread uint32_t loops;
    if (!team)
        return false;
    uint64_t now = (uintptr_t)team + __atomic_load_n(&team->rounds, __ATOMIC_RELAXED);
    loops = now == round ? loops + 1 : 0;
    round = now;
    return loops >= ROOM;
}

#define SER_X(name)                                                                                \
    SER_EXPORT int name(void *place, int32_t global, void *last, void *low, void *high,            \
                        void *stride);                                                             \
    SER_EXPORT int name(void *place, int32_t global, void *last, void *low, void *high,            \
                        void *stride)                                                              \
    {                                                                                              \
        ser_thread *me = take_turn();                                                              \
        int result = ser_omp_real()->name(place, global, last, low, high, stride);                 \
        leave(me);                                                                                 \
        return result;                                                                             \
    }
SER_OMP_REAL_NEXT(SER_X)
#undef SER_X

/* Threads take parts of one another, too, of those that have begun. The library has room for a few
 * loops that some threads have begun and others not yet ended; a thread that is further ahead waits
 * there for the others, and must not keep its turn. */
#define SER_X(name, type)                                                                          \
    SER_EXPORT void name(void *place, int32_t global, int32_t schedule, type low, type high,       \
                         type stride, type chunk);                                                 \
    SER_EXPORT void name(void *place, int32_t global, int32_t schedule, type low, type high,       \
                         type stride, type chunk)                                                  \
    {                                                                                              \
        ser_thread *me = loop_may_wait() ? 0 : take_turn();                                        \
        ser_omp_real()->name(place, global, schedule, low, high, stride, chunk);                   \
        leave(me);                                                                                 \
    }
SER_OMP_REAL_INIT(SER_X)
#undef SER_X

SER_EXPORT int32_t __kmpc_single(void *place, int32_t global)
{
    ser_thread *me = take_turn();
    int32_t result = ser_omp_real()->__kmpc_single(place, global);
    leave(me);
    return result;
}

/* Code of the program, which the library calls. */
static __thread void (*copy_function)(void *, void *);

static void copy_here(void *to, void *from)
{
    bool elsewhere = ser_come_back();
    copy_function(to, from);
    if (elsewhere)
        ser_go_elsewhere();
}

/* What one thread has read is given to all: they wait before and after. */
SER_EXPORT void __kmpc_copyprivate(void *place, int32_t global, size_t size, void *data,
                                   void (*copy)(void *, void *), int32_t has_it)
{
    ser_omp_team *team = ser_omp_team_here();
    if (team)
        ser_omp_meet(team, place, global);
    copy_function = copy;
    SER_ELSEWHERE_DO(
        ser_omp_real()->__kmpc_copyprivate(place, global, size, data, copy_here, has_it));
    if (team)
        ser_omp_meet(team, place, global);
}

SER_EXPORT void __kmpc_ordered(void *place, int32_t global)
{
    const ser_omp_team *team = ser_omp_team_here();
    SER_ELSEWHERE_DO(ser_omp_real()->__kmpc_ordered(place, global));
    ser_omp_receive(team, SER_OMP_ORDERED);
}

SER_EXPORT void __kmpc_end_ordered(void *place, int32_t global)
{
    ser_omp_send(ser_omp_team_here(), SER_OMP_ORDERED);
    ser_omp_real()->__kmpc_end_ordered(place, global);
}

/* --- reductions ------------------------------------------------------------------------ */

/* The library may let a thread combine what others have computed. It may as well ask each thread
 * to add its own part by atomic updates, which are seen: clang's code has both. */
enum { BY_ATOMIC_UPDATES = 2 };

SER_EXPORT int32_t __kmpc_reduce_nowait(void *place, int32_t global, int32_t count, size_t size,
                                        void *data, void (*combine)(void *, void *), void *name)
{
    return ser_omp_team_here() ? BY_ATOMIC_UPDATES
                               : ser_omp_real()->__kmpc_reduce_nowait(place, global, count, size,
                                                                      data, combine, name);
}

SER_EXPORT int32_t __kmpc_reduce(void *place, int32_t global, int32_t count, size_t size,
                                 void *data, void (*combine)(void *, void *), void *name)
{
    return ser_omp_team_here()
               ? BY_ATOMIC_UPDATES
               : ser_omp_real()->__kmpc_reduce(place, global, count, size, data, combine, name);
}

/* Not called after atomic updates. */
SER_EXPORT void __kmpc_end_reduce_nowait(void *place, int32_t global, void *name)
{
    if (!ser_omp_team_here())
        ser_omp_real()->__kmpc_end_reduce_nowait(place, global, name);
}

SER_EXPORT void __kmpc_end_reduce(void *place, int32_t global, void *name)
{
    ser_omp_team *team = ser_omp_team_here();
    if (team)
        ser_omp_meet(team, place, global);
    else
        ser_omp_real()->__kmpc_end_reduce(place, global, name);
}
