/* Exits right at the violation. block: use */
#include <pthread.h>
#include <stdlib.h>

static int *buffer;

static void use(void)
{
    int *kept = buffer;
    if (!kept)
        return;
    int *again = buffer;
    if (again != kept)
        exit(3);
}

static void *reader(void *unused)
{
    use();
    return unused;
}

static void *owner(void *unused)
{
    buffer = NULL;
    return unused;
}

int main(void)
{
    int room = 7;
    pthread_t threads[2];
    buffer = &room;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, owner, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
