/* Reads and writes back in one section. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int get(void)
{
    return balance;
}

static void set(int value)
{
    balance = value;
}

static void deposit(int amount)
{
    pthread_mutex_lock(&lock);
    int now = get();
    set(now + amount);
    pthread_mutex_unlock(&lock);
}

static void *teller(void *amount)
{
    deposit(*(int *)amount);
    return NULL;
}

int main(void)
{
    int amounts[] = {10, 20};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, teller, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", balance);
    return 0;
}
