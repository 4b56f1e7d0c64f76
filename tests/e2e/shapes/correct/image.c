/* SPDX-License-Identifier: MIT */
/* A count of references whose last holder frees memory of several parts. */
#include <pthread.h>
#include <stdlib.h>

static struct image {
    int references, pixels[4];
} * image;
static int sum;

__attribute__((constructor)) static void make_image(void)
{
    image = calloc(1, sizeof *image);
    image->references = 3;
}

static void drop(struct image *dropped)
{
    if (__atomic_fetch_sub(&dropped->references, 1, __ATOMIC_SEQ_CST) == 1)
        free(dropped);
}

static void *draw(void *unused)
{
    int own = 0;
    for (int i = 0; i < 4; i++)
        own += image->pixels[i];
    __atomic_fetch_add(&sum, own, __ATOMIC_SEQ_CST);
    drop(image);
    return unused;
}

#define THREADS draw, draw, draw
#include "../start.h"
