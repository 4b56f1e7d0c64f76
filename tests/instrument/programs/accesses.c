/* SPDX-License-Identifier: MIT */
/* Which plain accesses are recorded, and which are not. */
#include <stdio.h>

struct account {
    int number;
    long balance;
    char name[8];
    unsigned open : 3, locked : 5;
};

typedef struct {
    short x;
    struct {
        double y;
    } inner;
    char rest[];
} nameless;

static struct account alice;
static union {
    int whole;
    char part[4];
} mixed;
int counter;
static const int table[] = {1, 2, 3, 4};
static __thread int mine;
__thread int theirs;
long double wide;
__int128 wider;
volatile float noisy;
_Bool flag;
int *remote = &counter;
nameless *record;

static void deposit(struct account *account, int amount)
{
    account->balance += amount;
    account->locked = 3;
    account->name[amount & 3] = 'x';
}
/* ORDER: ^enter1 deposit at accesses.c:36$ */
/* ORDER: ^load8 balance of .* in deposit at accesses.c:38 data$ */
/* ORDER: ^store8 balance of .* in deposit at accesses.c:38$ */
/* ORDER: ^load1 open, locked of .* in deposit at accesses.c:39 data$ */
/* ORDER: ^store1 name of .* in deposit at accesses.c:40$ */
/* ORDER: ^leave1$ */

__attribute__((noinline)) static int through(struct account *account, int *plain, int index, ...)
{
    account->number += *plain;
    return table[index];
}
/* LOG: ^load4 \*plain in through */
/* LOG: ^load4 number of struct account in through */
/* NOT: table */

static int sum_of_locals(int n)
{
    int values[8], sum = 0;
    for (int i = 0; i < 8; i++)
        values[i] = i * n;
    for (int i = 0; i < 8; i++)
        sum += values[i];
    return sum;
}
/* NOT: values|sum of|n in sum_of */

static int read_escaping(void)
{
    int escaping = 5;
    return through(&alice, &escaping, 2) + escaping;
}
/* LOG: ^local4 escaping in read_escaping */
/* LOG: ^store4 escaping in read_escaping */

int main(void)
{
    char memory[64];
    record = (nameless *)(void *)memory;
    deposit(&alice, 1);
    counter++;
    mine++;
    theirs++;
    wide += 1;
    wider += 1;
    noisy += 1;
    flag = !flag;
    *remote += 2;
    mixed.whole = 3;
    record->x = 1;
    record->inner.y = 2;
    record->rest[3] = 4;
    printf("%d %d %d %d %g %d\n", counter, mine, theirs, (int)wide, (double)noisy, flag);
    printf("%d %d %ld\n", sum_of_locals(3), read_escaping(), alice.balance);
    return (int)wider + mixed.part[0] - 4;
}
/* LOG: ^load4 counter in main */
/* LOG: ^store4 counter in main */
/* NOT: mine */
/* LOG: ^store4 theirs in main */
/* LOG: ^store_n10 wide in main */
/* LOG: ^load_n16 wider in main */
/* LOG: ^store4 noisy in main */
/* LOG: ^store1 flag in main */
/* LOG: ^load8 remote in main */
/* LOG: ^store4 \*remote in main */
/* LOG: ^store4 (whole of )?mixed in main */
/* LOG: ^store2 x of struct nameless in main */
/* LOG: ^store8 inner\.y of struct nameless in main */
/* LOG: ^store1 rest of struct nameless in main */
