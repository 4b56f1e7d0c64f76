// SPDX-License-Identifier: MIT
// blocks: locks
// A mutex is destroyed while another thread may still want it. Then it cannot be locked any more,
// but as long as it is there it keeps both apart.
#include "../team.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int value;

void *set(void *unused)
{
    int result = pthread_mutex_lock(&m);
    value = 1;
    if (result == 0)
        pthread_mutex_unlock(&m);
    return unused;
}

void *use(void *unused)
{
    pthread_mutex_lock(&m);
    value = 2;
    int seen = value;
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    return seen == 2 ? unused : &value;
}

int main(void)
{
    team_of_two(use, NULL, set, NULL);
}
