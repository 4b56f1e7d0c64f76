/* SPDX-License-Identifier: MIT
 *
 * refcount: an object that is freed by the thread that lets go of it last.
 *
 * `release` counts down, and then looks whether nobody is left. Each step is atomic. If
 * another thread lets go between them, both see zero, and the object is freed twice.
 *
 * Blocks: functions
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct image {
    atomic_int references;
    int pixels;
};

static atomic_int frees;

static struct image *create(int pixels)
{
    struct image *image = malloc(sizeof *image);
    if (!image)
        abort();
    atomic_init(&image->references, 1);
    image->pixels = pixels;
    return image;
}

static struct image *retain(struct image *image)
{
    atomic_fetch_add(&image->references, 1);
    return image;
}

/* The last one gets the image back, to free it. */
static struct image *release(struct image *image)
{
    atomic_fetch_sub(&image->references, 1);
    return atomic_load(&image->references) == 0 ? image : NULL;
}

struct viewer {
    pthread_t thread;
    struct image *image;
    int seen;
};

static void *work(void *argument)
{
    struct viewer *viewer = argument;
    viewer->seen = viewer->image->pixels;
    struct image *last = release(viewer->image);
    if (last && atomic_fetch_add(&frees, 1) == 0)
        free(last); /* just the first time, so that a double free does no harm here */
    return NULL;
}

int main(void)
{
    struct viewer viewers[3];
    struct image *image = create(307200);
    for (int i = 0; i < 3; i++)
        viewers[i].image = i < 2 ? retain(image) : image;
    for (int i = 0; i < 3; i++)
        pthread_create(&viewers[i].thread, NULL, work, &viewers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(viewers[i].thread, NULL);
    int seen = viewers[0].seen + viewers[1].seen + viewers[2].seen;
    printf("%d pixels seen, freed %d time(s)\n", seen, atomic_load(&frees));
    return 0;
}
