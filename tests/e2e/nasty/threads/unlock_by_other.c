/* A mutex is unlocked by another thread than the one that locked it: a hand-over. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t turns[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static char text[41];
static int filled;

static void *play(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&turns[me]);
        text[filled++] = me ? 'b' : 'a';
        pthread_mutex_unlock(&turns[1 - me]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_mutex_lock(&turns[1]);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, play, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts(text);
}
