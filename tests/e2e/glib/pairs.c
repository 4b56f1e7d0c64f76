/* pairs WHAT wrong|correct: small programs that use GLib, with a mistake or without. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef union GMutex {
    void *p;
    unsigned i[2];
} GMutex;
typedef struct GCond {
    void *p;
    unsigned i[2];
} GCond;

void g_mutex_lock(GMutex *lock);
void g_mutex_unlock(GMutex *lock);
void g_cond_wait(GCond *condition, GMutex *lock);
void g_cond_broadcast(GCond *condition);
void *g_async_queue_new(void);
void g_async_queue_push(void *queue, void *data);
void *g_async_queue_pop(void *queue);
void *g_thread_pool_new(void (*function)(void *, void *), void *context, int most, int exclusive,
                        void *error);
int g_thread_pool_push(void *pool, void *data, void *error);
void g_thread_pool_free(void *pool, int at_once, int waits);

static GMutex lock;
static GCond opened;
static bool wrong, is_open;
static int balance;
static void *queue;

static int get(void)
{
    g_mutex_lock(&lock);
    int value = balance;
    g_mutex_unlock(&lock);
    return value;
}

static void set(int value)
{
    g_mutex_lock(&lock);
    balance = value;
    g_mutex_unlock(&lock);
}

static void deposit(int amount)
{
    if (wrong) {
        set(get() + amount);
        return;
    }
    g_mutex_lock(&lock);
    balance += amount;
    g_mutex_unlock(&lock);
}

static void *wait_and_deposit(void *unused)
{
    g_mutex_lock(&lock);
    while (!is_open)
        g_cond_wait(&opened, &lock);
    g_mutex_unlock(&lock);
    deposit(5);
    return unused;
}

static void use_condition(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_and_deposit, NULL);
    g_mutex_lock(&lock);
    is_open = true;
    g_cond_broadcast(&opened);
    g_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void *take_and_deposit(void *unused)
{
    int *amount = g_async_queue_pop(queue);
    *amount += 1;
    deposit(*amount);
    return unused;
}

static void use_queue(void)
{
    static int amounts[2];
    pthread_t threads[2];
    queue = g_async_queue_new();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take_and_deposit, NULL);
    for (int i = 0; i < 2; i++) {
        amounts[i] = 1;
        amounts[i] += 3;
        g_async_queue_push(queue, &amounts[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void work(void *data, void *context)
{
    int *amount = data;
    *amount += context == &lock;
    deposit(*amount);
}

static void use_pool(void)
{
    static int amounts[3];
    void *pool = g_thread_pool_new(work, &lock, 2, 1, NULL);
    for (int i = 0; i < 3; i++) {
        amounts[i] = 1;
        amounts[i] += 3;
        g_thread_pool_push(pool, &amounts[i], NULL);
    }
    g_thread_pool_free(pool, 0, 1);
    for (int i = 0; i < 3; i++)
        balance += 10 * amounts[i];
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    if (strcmp(what, "condition") == 0)
        use_condition();
    else if (strcmp(what, "queue") == 0)
        use_queue();
    else
        use_pool();
    printf("%d\n", balance);
    return 0;
}
