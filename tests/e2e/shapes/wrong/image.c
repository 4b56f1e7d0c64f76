/* SPDX-License-Identifier: MIT */
/* A count of references that is read again, of memory with several parts: used after it was freed,
 * or freed twice. finds: drop; one entry */
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
    __atomic_fetch_sub(&dropped->references, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&dropped->references, __ATOMIC_SEQ_CST) == 0)
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
