/* A library with thread-local variables starts a thread when it is opened, joins it when closed.
   library: -O2
   flags: -ldl */
#include <pthread.h>
#include <stdio.h>
#ifdef LIBRARY
static pthread_t thread;
static _Thread_local int local = 40;
static int shared;
static void *work(void *unused)
{
    for (int i = 0; i < 100; i++)
        __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED), local++;
    return unused;
}
__attribute__((constructor)) static void start(void)
{
    pthread_create(&thread, NULL, work, NULL);
}
__attribute__((destructor)) static void stop(void)
{
    pthread_join(thread, NULL);
    printf("closed, %d\n", shared);
}
int next(void)
{
    return ++local;
}
#else
#include <dlfcn.h>
static int (*next)(void);
static void *call(void *results)
{
    for (int i = 0; i < 3; i++)
        ((int *)results)[i] = next();
    return NULL;
}

int main(void)
{
    for (int round = 0; round < 5; round++) {
        pthread_t threads[2];
        int results[2][3];
        void *library = dlopen("./library.so", RTLD_NOW);
        if (!library)
            return puts(dlerror()), 1;
        next = (int (*)(void))dlsym(library, "next");
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, call, results[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL), printf("%d %d\n", results[i][0], results[i][2]);
        dlclose(library);
    }
}
#endif
