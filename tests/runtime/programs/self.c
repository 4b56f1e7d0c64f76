/* SPDX-License-Identifier: MIT */
/* The only thread waits for itself. */
#include "program.h"

int main(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    AT();
    pthread_mutex_lock(&lock);
    AT();
    pthread_mutex_lock(&lock);
    return 0;
}
