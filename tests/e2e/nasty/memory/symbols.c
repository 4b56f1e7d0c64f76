/* Weak symbols, an ifunc, aliases, hidden visibility, constructors with priorities, named sections.
   flags: -fvisibility=hidden -fno-plt -ffunction-sections -Wl,--gc-sections -Wl,-z,now */
#include <pthread.h>
#include <stdio.h>
extern int nowhere(void) __attribute__((weak));
extern int missing __attribute__((weak));
__attribute__((weak)) int replaceable(void)
{
    return 5;
}
static int real(void)
{
    return 40;
}
int alias(void) __attribute__((alias("replaceable")));
static int (*resolve(void))(void)
{
    return real;
}
int chosen(void) __attribute__((ifunc("resolve")));
static int started[4], filled;
static int in_section __attribute__((section("nasty_section"), used)) = 3;

__attribute__((constructor(101))) static void one(void)
{
    started[filled++] = 101;
}
__attribute__((constructor(500))) static void two(void)
{
    started[filled++] = 500;
}
__attribute__((constructor)) static void three(void)
{
    started[filled++] = 9999;
}

static void *work(void *argument)
{
    int total = nowhere ? 1000 : alias() + chosen() + replaceable();
    __atomic_fetch_add((int *)argument, total + (&missing ? 1000 : in_section), __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int total = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &total);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d, %d %d %d\n", total, started[0], started[1], started[2]);
}
