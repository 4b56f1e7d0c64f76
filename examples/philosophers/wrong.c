/* SPDX-License-Identifier: MIT
 *
 * philosophers: three philosophers share three forks. Who takes a fork puts his name on
 * it, and eats with two forks that bear his name.
 *
 * To avoid the famous deadlock, nobody here holds the lock of a fork for longer than it takes
 * to read or write the name. So a neighbour can take a fork away in the middle of a meal.
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

static void take(int fork, int philosopher)
{
    pthread_mutex_lock(&forks[fork].lock);
    forks[fork].holder = philosopher;
    pthread_mutex_unlock(&forks[fork].lock);
}

static bool has(int fork, int philosopher)
{
    pthread_mutex_lock(&forks[fork].lock);
    bool mine = forks[fork].holder == philosopher;
    pthread_mutex_unlock(&forks[fork].lock);
    return mine;
}

/* True if both forks stayed his from the first bite to the last. */
static bool eat(int philosopher)
{
    int left = philosopher, right = (philosopher + 1) % SEATS;
    SERIATIM_ATOMIC_SCOPE("eat");
    take(left, philosopher);
    take(right, philosopher);
    return has(left, philosopher) && has(right, philosopher);
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
