/* Each access is locked, but what was read is written back in another section. block: deposit */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int now = balance;
    pthread_mutex_unlock(&lock);
    return now;
}

static void set(int value)
{
    pthread_mutex_lock(&lock);
    balance = value;
    pthread_mutex_unlock(&lock);
}

static void deposit(int amount)
{
    int now = get();
    set(now + amount);
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
