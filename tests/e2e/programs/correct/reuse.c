// SPDX-License-Identifier: MIT
// blocks: use
// Threads get the same memory, one after the other: these are different variables.
#include "../team.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000 };

int use(int *cells, int x)
{
    cells[0] = x;
    cells[CELLS - 1] = x;
    return cells[0] + cells[CELLS - 1];
}

void *run(void *x)
{
    for (int i = 0; i < 3; i++) {
        int *cells = malloc(CELLS * sizeof *cells);
        if (!cells)
            abort();
        *(int *)x += use(cells, i);
        free(cells);
    }
    return NULL;
}

int main(void)
{
    int x[] = {0, 0, 0};
    mallopt(M_ARENA_MAX, 1);
    team_of(3, run, x);
    printf("%d %d %d\n", x[0], x[1], x[2]);
}
