/* SPDX-License-Identifier: MIT */
/* Values that loops carry from round to round (instrument/guards/carried.h). */
// clang-format off
volatile int from = 3, limit = 4, to;
volatile int table[4] = {1, 2, 3, 4};
volatile double real = 1.5;

/* The load says what a round makes of it; the branch behind the loop counts in the last one. */
static void summed(int count)
{
    int sum = 0; /* LOG: guards of table in summed: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,add32;!\$\2,5,sgt32$ */
    for (int i = 0; i < count; i++)
        sum += table[i];
    if (sum > 5)
        to = sum; /* LOG: guards of to in summed: \$[0-9]+:p:0$ */
}

/* In each round, if the branch is in the loop. */
static void left(void)
{
    int sum = 1; /* LOG: guards of table in left: @([0-9]+);\$([0-9]+)=\$\2:p:1,@\1,add32;\$\2,6,sgt32$ */
    for (int i = 0; i < 4; i++) {
        sum += table[i];
        if (sum > 6)
            break;
    }
}

/* With loads of the same round, and with operations that lose something. */
static void mixed(void)
{
    unsigned hash = 5381; /* LOG: guards of from in mixed: @[0-9]+$ */
    for (int i = 0; i < 4; i++)
        hash = hash * 33 ^ (unsigned)(from * table[i]); /* LOG: guards of table in mixed: @.*;\$([0-9]+)=\$\1:p:5381,33,wmul32,.*,xor32;!\$\1,77,ugt32$ */
    if (hash > 77)
        to = 1;
}

/* How often: the branch is one in each round, and what it chooses is carried. */
static void counted(void)
{
    int count = 0; /* LOG: guards of table in counted: @([0-9]+);\$([0-9]+)=.*sel32;v,1,sgt32;!\$\2,2,eq32$ */
    for (int i = 0; i < 4; i++)
        if (table[i] > 1)
            count++;
    if (count == 2)
        to = 1;
}

/* Through two loops. */
static void nested(void)
{
    int sum = 0; /* LOG: guards of table in nested: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,add32;!\$\2,9,sgt32$ */
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            sum += table[i + j];
    if (sum > 9)
        to = 1;
}

/* A branch between the rounds counts in each of them. */
static void between(void)
{
    int sum = 0; /* LOG: guards of table in between: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,add32;\$\2,9,sgt32$ */
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            sum += table[i + j];
        if (sum > 9)
            to = 1;
    }
}

/* One that begins anew does not. */
static void anew(void)
{
    for (int i = 0; i < 2; i++) {
        int sum = 0; /* LOG: guards of table in anew: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,add32;!\$\2,9,sgt32$ */
        for (int j = 0; j < 2; j++)
            sum += table[i + j];
        if (sum > 9)
            to = 1;
    }
}

/* With a load behind the loop, whose guard it is, and with one before it: without a round it is
 * compared with the initial value. */
static void compared(void)
{
    int before = limit, sum = 0; /* LOG: guards of limit in compared: @([0-9]+);0,@\1,sgt32$ */
    for (int i = 0; i < 4; i++)
        sum += table[i]; /* LOG: guards of table in compared: @[0-9]+;\$([0-9]+)=.*;!\$\1,@[0-9]+,sgt32$ */
    if (sum > before)
        to = 1;
    if (sum > from) /* LOG: guards of from in compared: @([0-9]+);\$[0-9]+:p:0,@\1,sgt32$ */
        to = 2;
}

/* Numbers with a point. */
static void average(void)
{
    double sum = 0; /* LOG: guards of real in average: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,fadd64;!\$\2,.*,fogt64$ */
    for (int i = 0; i < 3; i++)
        sum += real;
    if (sum / 3 > 1)
        to = 1;
}

/* Not what an earlier round left. */
static void earlier(void)
{
    int sum = 0, old = 0;
    for (int i = 0; i < 4; i++) {
        old = sum;
        sum += table[i]; /* NOT: guards of table in earlier: .*\$ */
    }
    if (old > 3)
        to = 1;
}

/* What a round leaves only if it goes a certain way, which is compared with what earlier rounds left. */
static void largest(void)
{
    int most = 0;
    for (int i = 0; i < 4; i++)
        if (table[i] > most) /* LOG: guards of table in largest: @([0-9]+);@\1,\$[0-9]+:p:0,sgt32$ */
            most = table[i]; /* LOG: guards of table in largest: @([0-9]+);\$([0-9]+)=@\1;@[0-9]+,\$\2,sgt32$ */
    to = most; /* LOG: guards of to in largest: \$[0-9]+:p:0$ */
}

/* The same of a sum. Without a load that way it is the branch that counts. */
static void some_of(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (table[i] > 2)
            sum += limit; /* LOG: guards of limit in some_of: @([0-9]+);\$([0-9]+)=\$\2:p:0,@\1,add32;!\$\2,7,sgt32$ */
    if (sum > 7)
        to = 1;
}

/* Not if a round may read it and leave the value as it was. */
static void not_each(void)
{
    int last = 0;
    for (int i = 0; i < 4; i++)
        if (table[i] > 1) {
            int now = limit; /* NOT: guards of limit in not_each: .*\$ */
            if (table[i + 1] > 2 && now < 100)
                last = now;
        }
    if (last > 5)
        to = 1;
}

/* The last of several reads of an inner loop is no part of a round of the outer one. */
static void last_of(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int last = 0;
        for (int j = 0; j < 3; j++)
            last = table[i + j]; /* NOT: guards of table in last_of: .*add */
        sum += last;
    }
    if (sum > 3)
        to = 1;
}

/* Nor is one that is read once and added in each round. */
static void read_once(void)
{
    int mine = table[0], sum = 0; /* NOT: guards of table in read_once: .*\$ */
    for (int i = 0; i < 3; i++)
        sum += mine;
    if (sum > 3)
        to = 1;
}

int main(void)
{
    summed(3);
    left();
    mixed();
    counted();
    nested();
    between();
    anew();
    compared();
    average();
    earlier();
    largest();
    some_of();
    not_each();
    last_of();
    read_once();
    return to;
}
