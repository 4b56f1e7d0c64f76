/* Priority, affinity, working folder, umask, dumpable, subreaper, parent death, scheduling class.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static int count;

static void *work(void *unused)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sched_setaffinity(0, sizeof set, &set);
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    struct sched_param batch = {0};
    sigset_t all;
    errno = 0;
    printf("%d", nice(5) - getpriority(PRIO_PROCESS, 0));
    printf(" %d", sched_setscheduler(0, SCHED_BATCH, &batch));
    printf(" %d", prctl(PR_SET_DUMPABLE, 0) + prctl(PR_SET_CHILD_SUBREAPER, 1) +
                      prctl(PR_SET_PDEATHSIG, SIGTERM));
    printf(" %d\n", chdir("/") + (umask(077) == 0));
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", count, setpgid(0, 0) == 0 || errno == EPERM);
    printf("%d\n", ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 || errno == EPERM);
}
