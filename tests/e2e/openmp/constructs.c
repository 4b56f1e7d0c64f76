/* Every construct of OpenMP that orders threads, once or more; prints what it computes. */
#include <omp.h>
#include <stdio.h>

enum { SIZE = 48, FEW = 8 };

static int numbers[SIZE], mine;
#pragma omp threadprivate(mine)

static int fibonacci(int n)
{
    int before = 0, last = 0;
    if (n < 2)
        return n;
#pragma omp task shared(before) firstprivate(n)
    before = fibonacci(n - 2);
#pragma omp task shared(last) firstprivate(n)
    last = fibonacci(n - 1);
#pragma omp taskwait
    return before + last;
}

static void divide_loops(void)
{
    int sum = 0, largest = 0, count = 0;
    omp_lock_t lock;
    omp_nest_lock_t nested;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(3) reduction(+ : sum) reduction(max : largest)
    {
#pragma omp for schedule(static, 2)
        for (int i = 0; i < SIZE / 3; i++)
            sum += numbers[i] = i;
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = SIZE / 3; i < SIZE * 2 / 3; i++)
            sum += numbers[i] = i;
#pragma omp for schedule(guided)
        for (int i = SIZE * 2 / 3; i < SIZE; i++)
            largest = numbers[i] = i;
#pragma omp single
        count += 100;
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        count++;
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
#pragma omp barrier
        while (!omp_test_lock(&lock))
            continue;
        count += 10;
        omp_unset_lock(&lock);
#pragma omp sections
        {
#pragma omp section
            numbers[0] = 1000;
#pragma omp section
            numbers[1] = 2000;
        }
        mine = omp_get_thread_num();
    }
    printf("loops %d %d %d %d\n", sum, largest, count, numbers[0] + numbers[1]);
}

static void keep_order(void)
{
    int order[FEW], next = 0;
#pragma omp parallel for ordered schedule(dynamic) num_threads(3)
    for (int i = 0; i < FEW; i++) {
        int value = i * i;
#pragma omp ordered
        order[next++] = value;
    }
    for (int i = 0; i < FEW; i++)
        printf(" %d", order[i]);
    puts("");
}

static void use_tasks(void)
{
    int result = 0, chain = 0, loop[FEW] = {0}, sum = 0, group = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        result = fibonacci(6);
#pragma omp single
        {
#pragma omp task depend(out : chain)
            chain = 1;
#pragma omp task depend(inout : chain)
            chain *= 10;
        }
#pragma omp single
#pragma omp taskloop grainsize(2)
        for (int i = 0; i < FEW; i++)
            loop[i] = i;
#pragma omp taskgroup
        {
#pragma omp task
#pragma omp atomic
            group++;
        }
    }
    for (int i = 0; i < FEW; i++)
        sum += loop[i];
    printf("tasks %d %d %d %d\n", result, chain, sum, group);
}

static void nest_teams(void)
{
    int inner = 0, given = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
    inner++;
#pragma omp parallel if (0)
    {
#pragma omp barrier
        inner += 10;
    }
#pragma omp parallel num_threads(2)
    {
        int copied;
#pragma omp single copyprivate(copied)
        copied = 42;
#pragma omp atomic
        given += copied;
    }
    printf("teams %d %d\n", inner, given);
}

int main(void)
{
    divide_loops();
    keep_order();
    use_tasks();
    nest_teams();
    return 0;
}
