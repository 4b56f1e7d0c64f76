/* OpenMP: parallel loops, reductions, tasks, critical sections, locks, nested teams.
   flags: -fopenmp
   unseen: results that the C library writes */
#include <omp.h>
#include <stdio.h>
static long tree(int depth)
{
    long left = 0, right = 0;
    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

int main(void)
{
    long sum = 0, counted = 0, ordered = 0, leaves = 0, nested = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(4) schedule(dynamic, 7) reduction(+ : sum)
    for (int i = 0; i < 1000; i++) {
        sum += i;
#pragma omp atomic
        nested++;
    }
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        counted++;
#pragma omp barrier
        omp_set_lock(&lock), counted += 10, omp_unset_lock(&lock);
#pragma omp for ordered
        for (int i = 0; i < 8; i++)
#pragma omp ordered
            ordered = ordered * 10 + i;
#pragma omp single
        leaves = tree(5);
    }
    printf("%ld %ld %ld %ld %ld\n", sum, counted, ordered, leaves, nested);
}
