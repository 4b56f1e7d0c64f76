/* SPDX-License-Identifier: MIT
 *
 * philosophers, the correct twin: a philosopher holds both locks for the whole meal. All take
 * the lock with the lower number first, so they never wait in a circle.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdbool.h>
#include <stdio.h>

enum { SEATS = 3, MEALS = 2, NOBODY = -1 };

static struct {
    pthread_mutex_t lock;
    int holder;
} forks[SEATS];

/* True if both forks stayed his from the first bite to the last. */
static bool eat(int philosopher)
{
    int left = philosopher, right = (philosopher + 1) % SEATS;
    int low = left < right ? left : right, high = left < right ? right : left;
    SERIATIM_ATOMIC_SCOPE("eat");
    pthread_mutex_lock(&forks[low].lock);
    pthread_mutex_lock(&forks[high].lock);
    forks[left].holder = philosopher;
    forks[right].holder = philosopher;
    bool mine = forks[left].holder == philosopher && forks[right].holder == philosopher;
    pthread_mutex_unlock(&forks[high].lock);
    pthread_mutex_unlock(&forks[low].lock);
    return mine;
}

struct philosopher {
    pthread_t thread;
    int seat, eaten;
};

static void *live(void *argument)
{
    struct philosopher *philosopher = argument;
    for (int meal = 0; meal < MEALS; meal++)
        philosopher->eaten += eat(philosopher->seat);
    return NULL;
}

int main(void)
{
    struct philosopher philosophers[SEATS];
    for (int i = 0; i < SEATS; i++) {
        pthread_mutex_init(&forks[i].lock, NULL);
        forks[i].holder = NOBODY;
    }
    for (int i = 0; i < SEATS; i++) {
        philosophers[i] = (struct philosopher){.seat = i};
        pthread_create(&philosophers[i].thread, NULL, live, &philosophers[i]);
    }
    int eaten = 0;
    for (int i = 0; i < SEATS; i++) {
        pthread_join(philosophers[i].thread, NULL);
        eaten += philosophers[i].eaten;
    }
    printf("%d of %d meals were eaten in peace\n", eaten, SEATS * MEALS);
    return 0;
}
