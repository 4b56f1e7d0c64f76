/* SPDX-License-Identifier: MIT */
/* A thread loads and unloads a library while others reach new places: the loader has a lock, and
 * so have definitions. */
#include <dlfcn.h>

#include "program.h"

enum { TIMES = 300 };

static uint32_t shared;
static int done;

static ser_abi_site *new_place(void)
{
    ser_abi_site *place = calloc(1, sizeof *place);
    *place = (ser_abi_site){.line = 1, .file = __FILE__, .function = __func__};
    return place;
}

static void *come_to_places(void *unused)
{
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        __seriatim_load4(&shared, new_place());
    return unused;
}

static void *load_and_unload(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        void *library = dlopen("libnss_compat.so.2", RTLD_NOW);
        MUST(library);
        __seriatim_at(new_place()); /* of memory that the loader frees */
        dlclose(library);
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, come_to_places, 0);
    pthread_create(&threads[1], 0, load_and_unload, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
