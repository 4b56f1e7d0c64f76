/* Both values are set in one section. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void set_state(int value)
{
    state = value;
}

static void publish(void)
{
    pthread_mutex_lock(&lock);
    set_state(1);
    set_state(2);
    pthread_mutex_unlock(&lock);
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
