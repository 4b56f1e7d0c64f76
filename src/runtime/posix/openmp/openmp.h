/* SPDX-License-Identifier: MIT */
/*
 * openmp.h - programs that were compiled with -fopenmp: what clang calls for its constructs, and
 * the locks of omp.h. docs/runtime.md says what is seen of which construct.
 *
 * LLVM's runtime of OpenMP goes on doing the work. Threads are elsewhere (elsewhere.h) while they
 * are in it, and come back for code of the program: the body of a parallel region, and tasks. What
 * its constructs order is recorded as
 *
 *     critical, locks, atomic updates of a reduction     locks
 *     barriers, also those at the end of loops           arrivals and departures
 *     the start and the end of a region, tasks           messages of the team (ser_omp_team): a
 *                                                        thread that receives comes after all that
 *                                                        have sent
 *     which thread gets a chunk, a section or a single   the same, from each to the next: who comes
 *                                                        first decides
 */
#ifndef SER_RUNTIME_POSIX_OPENMP_OPENMP_H
#define SER_RUNTIME_POSIX_OPENMP_OPENMP_H

#include "runtime/posix/sync/sync.h"

typedef struct ser_omp_team ser_omp_team;

/* What the team tells each other. */
typedef enum ser_omp_message {
    SER_OMP_STARTED, /* by the thread that makes the team */
    SER_OMP_ENDED,   /* to it */
    SER_OMP_CREATED, /* tasks */
    SER_OMP_DONE,    /* tasks */
    SER_OMP_DEPENDS, /* tasks that may depend on others: the end of each, to the start of the next
                      */
    SER_OMP_SHARED,  /* work: which thread got which part */
    SER_OMP_ORDERED, /* one part after the other */
    SER_OMP_MESSAGES,
} ser_omp_message;

/* One parallel region at work. In the frame of the thread that makes it, which leaves that when all
 * others have ended. */
struct ser_omp_team {
    void *body; /* of the region, and its arguments */
    int32_t argument_count;
    void **arguments;
    uint64_t streams;     /* the first of its SER_OMP_MESSAGES streams */
    uint32_t level;       /* how many teams are around it */
    uint32_t size;        /* threads; 0: one only, or not all of them are recorded */
    uint32_t present;     /* that have come, but for the first */
    bool has_strangers;   /* threads that are not recorded */
    uint32_t is_complete; /* all have come, and know the size */
    bool is_open;         /* the first has begun */
    bool has_tasks;       /* a thread has created one */
    bool depends;         /* one that depends on others */
    bool needs_real;      /* the barrier that all have reached: tasks run there */
    uint32_t arrivals;    /* at the barrier, in this round */
    uint32_t rounds;      /* how often they have met */
};

/* The team that the thread works in; null: none, or of one thread. */
ser_omp_team *ser_omp_team_here(void);

/* All of the team wait for each other, and for the tasks of all. */
void ser_omp_meet(ser_omp_team *team, void *place, int32_t global);

/* Records a message, if the thread is recorded and not elsewhere; team may be null. */
void ser_omp_send(const ser_omp_team *team, ser_omp_message message);
void ser_omp_receive(const ser_omp_team *team, ser_omp_message message);
/* The same inside. */
void ser_omp_put(ser_thread *me, const ser_omp_team *team, ser_omp_message message, bool sends);

/* The functions that clang calls, X(result, name, parameters), of those that are interposed. */
#define SER_OMP_REAL(X)                                                                            \
    X(void, __kmpc_fork_call, (void *, int32_t, void *, ...))                                      \
    X(void, __kmpc_serialized_parallel, (void *, int32_t))                                         \
    X(void, __kmpc_end_serialized_parallel, (void *, int32_t))                                     \
    X(void, __kmpc_barrier, (void *, int32_t))                                                     \
    X(int32_t, __kmpc_cancel_barrier, (void *, int32_t))                                           \
    X(void, __kmpc_critical, (void *, int32_t, void *))                                            \
    X(void, __kmpc_critical_with_hint, (void *, int32_t, void *, uint32_t))                        \
    X(void, __kmpc_end_critical, (void *, int32_t, void *))                                        \
    X(int32_t, __kmpc_single, (void *, int32_t))                                                   \
    X(void, __kmpc_copyprivate,                                                                    \
      (void *, int32_t, size_t, void *, void (*)(void *, void *), int32_t))                        \
    X(int32_t, __kmpc_reduce,                                                                      \
      (void *, int32_t, int32_t, size_t, void *, void (*)(void *, void *), void *))                \
    X(int32_t, __kmpc_reduce_nowait,                                                               \
      (void *, int32_t, int32_t, size_t, void *, void (*)(void *, void *), void *))                \
    X(void, __kmpc_end_reduce, (void *, int32_t, void *))                                          \
    X(void, __kmpc_end_reduce_nowait, (void *, int32_t, void *))                                   \
    X(void, __kmpc_ordered, (void *, int32_t))                                                     \
    X(void, __kmpc_end_ordered, (void *, int32_t))                                                 \
    X(void *, __kmpc_omp_task_alloc, (void *, int32_t, int32_t, size_t, size_t, void *))           \
    X(int32_t, __kmpc_omp_task, (void *, int32_t, void *))                                         \
    X(int32_t, __kmpc_omp_task_with_deps,                                                          \
      (void *, int32_t, void *, int32_t, void *, int32_t, void *))                                 \
    X(void, __kmpc_omp_wait_deps, (void *, int32_t, int32_t, void *, int32_t, void *))             \
    X(int32_t, __kmpc_omp_taskwait, (void *, int32_t))                                             \
    X(int32_t, __kmpc_omp_taskyield, (void *, int32_t, int))                                       \
    X(void, __kmpc_end_taskgroup, (void *, int32_t))                                               \
    X(void, __kmpc_taskloop,                                                                       \
      (void *, int32_t, void *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, void *)) \
    X(void, omp_set_lock, (void *))                                                                \
    X(void, omp_unset_lock, (void *))                                                              \
    X(int, omp_test_lock, (void *))                                                                \
    X(void, omp_set_nest_lock, (void *))                                                           \
    X(void, omp_unset_nest_lock, (void *))                                                         \
    X(int, omp_test_nest_lock, (void *))

/* One more part of a loop whose parts threads take as they come, for each type of its counter. */
#define SER_OMP_REAL_NEXT(X)                                                                       \
    X(__kmpc_dispatch_next_4)                                                                      \
    X(__kmpc_dispatch_next_4u)                                                                     \
    X(__kmpc_dispatch_next_8)                                                                      \
    X(__kmpc_dispatch_next_8u)

/* The start of such a loop: X(name, type). */
#define SER_OMP_REAL_INIT(X)                                                                       \
    X(__kmpc_dispatch_init_4, int32_t)                                                             \
    X(__kmpc_dispatch_init_4u, uint32_t)                                                           \
    X(__kmpc_dispatch_init_8, int64_t)                                                             \
    X(__kmpc_dispatch_init_8u, uint64_t)

/* The same, that are only called. */
#define SER_OMP_CALLED(X)                                                                          \
    X(int, __kmp_invoke_microtask, (void *, int, int, int, void **, void **))                      \
    X(int, omp_get_num_threads, (void))                                                            \
    X(void, kmp_set_blocktime, (int))

#define SER_X(result, name, parameters) result name parameters;
SER_OMP_REAL(SER_X)
#undef SER_X

typedef struct ser_omp_functions {
#define SER_X(result, name, parameters) result(*name) parameters;
    SER_OMP_REAL(SER_X)
    SER_OMP_CALLED(SER_X)
#undef SER_X
#define SER_X(name) int (*name)(void *, int32_t, void *, void *, void *, void *);
    SER_OMP_REAL_NEXT(SER_X)
#undef SER_X
#define SER_X(name, type) void (*name)(void *, int32_t, int32_t, type, type, type, type);
    SER_OMP_REAL_INIT(SER_X)
#undef SER_X
} ser_omp_functions;

/* Looked up by the first call: the library is there if any of its functions is called. */
const ser_omp_functions *ser_omp_real(void);

#endif
