/* Pages become accessible when they are touched first, by the handler of the fault. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { PAGES = 32, PAGE = 4096 };
static char *area;
static int faults;

static void repair(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
}

static void *touch(void *argument)
{
    for (long page = (long)argument; page < PAGES; page += 4) {
        area[page * PAGE + 100]++;
        memset(area + page * PAGE + 200, (int)page, 50);
        area[page * PAGE] = area[page * PAGE + 220];
    }
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
    pthread_t threads[4];
    long sum = 0;
    sigaction(SIGSEGV, &action, NULL);
    area = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, touch, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PAGES * PAGE; i++)
        sum += area[i];
    printf("%d faults, sum %ld\n", faults, sum);
}
