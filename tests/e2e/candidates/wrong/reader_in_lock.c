/* The reader's read is the one that changes, and its thread holds the lock then. block: publish */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void set_state(int value)
{
    pthread_mutex_lock(&lock);
    state = value;
    pthread_mutex_unlock(&lock);
}

static void publish(void)
{
    set_state(1);
    set_state(2);
}

static void *write_state(void *unused)
{
    publish();
    return unused;
}

static void *read_state(void *seen)
{
    pthread_mutex_lock(&lock);
    *(int *)seen = state;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t writer, reader;
    int seen;
    pthread_create(&writer, NULL, write_state, NULL);
    pthread_create(&reader, NULL, read_state, &seen);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    printf("%d\n", seen);
    return 0;
}
