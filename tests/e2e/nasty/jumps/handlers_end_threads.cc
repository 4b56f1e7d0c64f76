// Handlers end their thread, or leave the wait that they have interrupted, by an exception,
// pthread_exit or cancellation.
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
enum way { THROW, EXIT, CANCEL, CANCELLED, WAYS };
static int ends[2];
static sem_t never, ready;
static std::atomic<int> cleaned, caught, busy, handled;
static way how;

struct guard {
    ~guard() { cleaned++; }
};

static void leave(int)
{
    handled++;
    if (how == THROW)
        throw 1;
    if (how == EXIT)
        pthread_exit(&ready);
    if (how == CANCEL)
        pthread_cancel(pthread_self()), pthread_testcancel();
    if (how == CANCELLED) // by main, meanwhile
        for (int i = 0; i < 20000; i++)
            busy++;
}

// Without objects of its own: the handler may interrupt it anywhere.
static __attribute__((noinline)) void wait_somehow(long kind)
{
    pollfd entry = {ends[0], POLLIN, 0};
    char byte;
    sem_post(&ready);
    for (;;)
        switch (kind) {
        case 0:
            sem_wait(&never);
            break;
        case 1:
            (void)!read(ends[0], &byte, 1);
            break;
        case 2:
            sleep(1000);
            break;
        case 3:
            poll(&entry, 1, -1);
            break;
        default:
            pause();
        }
}

static void *work(void *kind)
{
    guard here;
    try {
        wait_somehow((long)kind);
    } catch (int number) {
        caught += number;
    }
    return nullptr;
}

int main()
{
    struct sigaction action = {};
    action.sa_handler = leave, sigaction(SIGUSR1, &action, nullptr);
    sem_init(&never, 0, 0), sem_init(&ready, 0, 0);
    if (pipe(ends) != 0)
        return 1;
    int exits = 0, cancels = 0;
    for (int round = 0; round < 5 * WAYS; round++) {
        pthread_t thread;
        void *result;
        int before = handled;
        how = (way)(round / 5);
        pthread_create(&thread, nullptr, work, (void *)(long)(round % 5));
        sem_wait(&ready), usleep(500), pthread_kill(thread, SIGUSR1);
        if (how == CANCELLED) {
            while (handled == before)
                sched_yield();
            pthread_cancel(thread);
        }
        pthread_join(thread, &result);
        exits += result == &ready, cancels += result == PTHREAD_CANCELED;
    }
    printf("%d cleaned, %d caught, %d exits, %d cancelled\n", (int)cleaned, (int)caught, exits,
           cancels);
}
