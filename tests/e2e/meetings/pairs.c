/* SPDX-License-Identifier: MIT */
/* pairs WHAT wrong|correct: small programs whose locks and queues are those of a library. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct box_mutex {
    int state;
} box_mutex;
typedef struct box_queue {
    int count;
} box_queue;

void box_mutex_lock(box_mutex *mutex);
void box_mutex_unlock(box_mutex *mutex);
void box_queue_put(box_queue *queue);
void box_queue_take(box_queue *queue);

static box_mutex lock;
static box_queue full, empty;
static bool wrong;
static int balance = 100, refused, parcel, weight;

static void withdraw(int amount)
{
    box_mutex_lock(&lock);
    bool enough = balance >= amount;
    if (wrong) {
        box_mutex_unlock(&lock);
        box_mutex_lock(&lock);
    }
    if (enough)
        balance -= amount;
    else
        refused++;
    box_mutex_unlock(&lock);
}

static void *withdraw_some(void *unused)
{
    withdraw(60);
    return unused;
}

static void *take_parcels(void *unused)
{
    for (int i = 0; i < 3; i++) {
        box_queue_take(&full);
        int seen = parcel;
        weight += seen;
        parcel = 0;
        box_queue_put(&empty);
    }
    return unused;
}

static void send_parcels(void)
{
    for (int i = 0; i < 3; i++) {
        if (!wrong || i == 0)
            box_queue_take(&empty);
        parcel += i + 1;
        box_queue_put(&full);
    }
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    wrong = strcmp(arguments[2], "wrong") == 0;
    bool locks = strcmp(arguments[1], "lock") == 0;
    pthread_t threads[2];
    box_queue_put(&empty);
    pthread_create(&threads[0], NULL, locks ? withdraw_some : take_parcels, NULL);
    if (locks)
        pthread_create(&threads[1], NULL, withdraw_some, NULL);
    else
        send_parcels();
    pthread_join(threads[0], NULL);
    if (locks)
        pthread_join(threads[1], NULL);
    printf("%d %d %d\n", balance, refused, weight);
    return 0;
}
