/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    void *library = dlopen("./libheap.so", RTLD_NOW | RTLD_GLOBAL);
    void *(*get)(size_t) = library ? (void *(*)(size_t))dlsym(library, "malloc") : malloc;
    void (*put)(void *) = library ? (void (*)(void *))dlsym(library, "free") : free;
    char *memory = get(100);
    memory[5] = 1;
    printf("%d\n", library && memory[5] == 1);
    put(memory);
    return 0;
}
