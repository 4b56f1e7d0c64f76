// SPDX-License-Identifier: MIT
// blocks: deposit
// A deposit and its receipt in one critical section.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

int deposit(int n)
{
    pthread_mutex_lock(&m);
    balance += n;
    int receipt = balance;
    pthread_mutex_unlock(&m);
    return receipt;
}

void *run(void *arg)
{
    return deposit(*(int *)arg) >= 110 ? arg : NULL;
}

int main(void)
{
    int amounts[] = {10, 20};
    team_of(2, run, amounts);
    printf("balance %d\n", balance);
}
