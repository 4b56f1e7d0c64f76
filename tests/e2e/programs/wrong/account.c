// SPDX-License-Identifier: MIT
// blocks: deposit
// A deposit and its receipt are two critical sections: the receipt may show more.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

void add(int n)
{
    pthread_mutex_lock(&m);
    balance += n;
    pthread_mutex_unlock(&m);
}

int look(void)
{
    pthread_mutex_lock(&m);
    int b = balance;
    pthread_mutex_unlock(&m);
    return b;
}

void *deposit(void *n)
{
    add(*(int *)n);
    return look() >= 110 ? NULL : n;
}

int main(void)
{
    int amounts[] = {10, 20};
    team_of(2, deposit, amounts);
    printf("balance %d\n", balance);
}
