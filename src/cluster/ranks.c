/* SPDX-License-Identifier: MIT */
/*
 * Rank 0 has two threads: one that answers requests (serve), and one that does jobs like the other
 * ranks. Only the first one calls MPI, as MPI_THREAD_FUNNELED wants it; the plan is behind a lock.
 * Waiting means to sleep a moment, since MPI's own waits keep a core busy.
 */
#include "cluster/ranks.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/output/log.h"

enum { TAG_REQUEST = 1, TAG_JOB = 2 };
enum { POLL_NANOSECONDS = 500000, WAIT_NANOSECONDS = 20000000 };

/* What ranks send: a job, and what came of it. */
enum { KIND, TRACE, NUMBER, OF, BLOCK, SHARDS, FAILED, MICROSECONDS, WORDS };

typedef struct office {
    const ser_ranks *ranks;
    ser_job_plan *plan;
    const ser_crew *crew;
    const double *repeated;
    ser_job_costs *costs;
    pthread_mutex_t lock; /* for the plan and the costs */
    atomic_bool is_done;  /* the jobs of this rank */
    double jobs;          /* seconds that this rank's took */
} office;

double ser_processor_time(void)
{
    struct timespec own;
    struct tms all;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    times(&all);
    return (double)own.tv_sec + (double)own.tv_nsec / 1e9 +
           (double)(all.tms_cutime + all.tms_cstime) / (double)sysconf(_SC_CLK_TCK);
}

static void sleep_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

ser_ranks ser_ranks_start(int *argc, char ***argv)
{
    int provided, rank, count, beside;
    MPI_Comm node;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &beside);
    MPI_Comm_free(&node);
    return (ser_ranks){(uint32_t)rank, (uint32_t)count, (uint32_t)beside};
}

void ser_ranks_end(void)
{
    MPI_Finalize();
}

uint64_t ser_ranks_share(uint64_t number)
{
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return number;
}

/* --- messages ----------------------------------------------------------------------------- */

static void pack(const ser_job *job, uint64_t words[WORDS])
{
    words[KIND] = job->kind;
    words[TRACE] = job->trace;
    words[NUMBER] = job->part.number;
    words[OF] = job->part.of;
    words[BLOCK] = job->block;
}

static ser_job unpack(const uint64_t words[WORDS])
{
    return (ser_job){(ser_job_kind)words[KIND],
                     (uint32_t)words[TRACE],
                     {(uint32_t)words[NUMBER], (uint32_t)words[OF]},
                     words[BLOCK]};
}

static bool is_work(const ser_job *job)
{
    return job->kind != SER_JOB_END && job->kind != SER_JOB_WAIT;
}

/* Takes note of what a rank has done, and gives it its next job. */
static ser_job exchange(office *all, uint32_t rank, const uint64_t words[WORDS])
{
    const ser_job done = unpack(words);
    pthread_mutex_lock(&all->lock);
    if (is_work(&done)) {
        ser_job_plan_done(all->plan, &done, (uint32_t)words[SHARDS], words[FAILED]);
        ser_job_costs_note(all->costs, &done, (double)words[MICROSECONDS] / 1e6);
    }
    ser_job next =
        ser_should_stop() ? (ser_job){.kind = SER_JOB_END} : ser_job_plan_next(all->plan, rank);
    pthread_mutex_unlock(&all->lock);
    return next;
}

static void receive(void *words, int source, int tag, MPI_Status *status)
{
    int there = 0;
    while (MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, status), !there)
        sleep_for(POLL_NANOSECONDS);
    MPI_Recv(words, WORDS, MPI_UINT64_T, status->MPI_SOURCE, tag, MPI_COMM_WORLD, status);
}

static ser_job ask(office *all, uint64_t words[WORDS])
{
    MPI_Status status;
    if (all->ranks->rank == 0)
        return exchange(all, 0, words);
    MPI_Send(words, WORDS, MPI_UINT64_T, 0, TAG_REQUEST, MPI_COMM_WORLD);
    receive(words, 0, TAG_JOB, &status);
    return unpack(words);
}

/* --- ranks --------------------------------------------------------------------------------- */

static void do_job(office *all, const ser_job *job, uint64_t words[WORDS])
{
    ser_error error = {0};
    uint32_t shards = 0;
    double start = ser_processor_time(), before = *all->repeated;
    ser_status status = all->crew->work(all->crew->context, job, &shards, &error);
    double seconds = ser_processor_time() - start - (*all->repeated - before);
    all->jobs += seconds;
    if (status != SER_OK)
        ser_complain("rank %u: %s", all->ranks->rank, error.text);
    pack(job, words);
    words[SHARDS] = shards;
    words[FAILED] = status != SER_OK;
    words[MICROSECONDS] = seconds > 0 ? (uint64_t)(seconds * 1e6) : 0;
}

static void *do_jobs(void *context)
{
    office *all = context;
    uint64_t words[WORDS] = {[KIND] = SER_JOB_WAIT};
    for (;;) {
        ser_job job = ask(all, words);
        if (job.kind == SER_JOB_END)
            break;
        if (job.kind == SER_JOB_WAIT) {
            pack(&job, words);
            sleep_for(WAIT_NANOSECONDS);
        } else {
            do_job(all, &job, words);
        }
    }
    atomic_store(&all->is_done, true);
    return NULL;
}

/* Until all other ranks know that there is nothing more. */
static void serve(office *all)
{
    uint64_t words[WORDS];
    MPI_Status status;
    for (uint32_t left = all->ranks->count - 1; left > 0;) {
        receive(words, MPI_ANY_SOURCE, TAG_REQUEST, &status);
        ser_job job = exchange(all, (uint32_t)status.MPI_SOURCE, words);
        pack(&job, words);
        MPI_Send(words, WORDS, MPI_UINT64_T, status.MPI_SOURCE, TAG_JOB, MPI_COMM_WORLD);
        left -= job.kind == SER_JOB_END;
    }
}

static void lead(office *all)
{
    pthread_t own;
    if (pthread_create(&own, NULL, do_jobs, all) != 0) {
        serve(all); /* the others do it without this rank */
        do_jobs(all);
        return;
    }
    serve(all);
    pthread_join(own, NULL);
}

ser_ranks_cost ser_ranks_work(const ser_ranks *ranks, ser_job_plan *plan, const ser_crew *crew,
                              const double *repeated, ser_job_costs *costs)
{
    office all = {.ranks = ranks, .plan = plan, .crew = crew, .repeated = repeated, .costs = costs};
    ser_ranks_cost cost = {0};
    pthread_mutex_init(&all.lock, NULL);
    double start = ser_processor_time();
    if (ranks->rank == 0)
        lead(&all);
    else
        do_jobs(&all);
    double own = ser_processor_time() - start, jobs = all.jobs;
    MPI_Reduce(&jobs, &cost.jobs, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &cost.busiest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    pthread_mutex_destroy(&all.lock);
    return cost;
}
