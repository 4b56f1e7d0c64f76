/* The program executes itself twice: from main, and from a thread while others wait. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char **names;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void again(const char *round)
{
    fflush(stdout);
    execl("/proc/self/exe", names[0], round, (char *)NULL);
    abort();
}

static void *block(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

static void *execute(void *unused)
{
    again("2");
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];
    names = argv;
    printf("round %s\n", argc > 1 ? argv[1] : "0");
    if (argc == 1)
        again("1");
    if (argv[1][0] == '2')
        return 17;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? block : execute, NULL);
    pthread_join(threads[0], NULL);
}
