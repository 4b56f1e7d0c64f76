/* SPDX-License-Identifier: MIT
 *
 * lazy: lazy initialisation. The first thread that needs the settings makes them.
 *
 * Only one thread makes them, the lock sees to that. But the others look at the pointer
 * without the lock, and it is set before the settings are filled in: they may be seen
 * half made.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdatomic.h>
#include <stdio.h>

struct settings {
    atomic_int width, height;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings the_settings;
static struct settings *_Atomic shared;

static void make_settings(void)
{
    SERIATIM_ATOMIC_BEGIN("make_settings");
    shared = &the_settings;
    shared->width = 640;
    shared->height = 480;
    SERIATIM_ATOMIC_END();
}

static struct settings *get_settings(void)
{
    if (!shared) {
        pthread_mutex_lock(&lock);
        if (!shared)
            make_settings();
        pthread_mutex_unlock(&lock);
    }
    return shared;
}

struct window {
    pthread_t thread;
    int area;
};

static void *work(void *argument)
{
    struct window *window = argument;
    struct settings *settings = get_settings();
    window->area = settings->width * settings->height;
    return NULL;
}

int main(void)
{
    struct window windows[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&windows[i].thread, NULL, work, &windows[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(windows[i].thread, NULL);
    for (int i = 0; i < 3; i++)
        printf("area %d\n", windows[i].area);
    return 0;
}
