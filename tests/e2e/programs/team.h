// SPDX-License-Identifier: MIT
// team.h - starts threads and waits for all of them, so that programs stay short.
#include <pthread.h>

typedef void *team_body(void *);

// a(x) and b(y), at the same time.
static inline void team_of_two(team_body *a, void *x, team_body *b, void *y)
{
    pthread_t first, second;
    pthread_create(&first, NULL, a, x);
    pthread_create(&second, NULL, b, y);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

// body(&x[i]) for all i below n, at the same time. n is at most 8.
static inline void team_of(int n, team_body *body, int *x)
{
    pthread_t threads[8];
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, body, &x[i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}
