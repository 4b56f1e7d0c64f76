/* pairs WHAT wrong|correct: small programs, with a mistake or without. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { JOBS = 6 };

static omp_lock_t lock;
static int balance, best, head, squares[JOBS], taken[JOBS];

static int get(void)
{
    omp_set_lock(&lock);
    int value = balance;
    omp_unset_lock(&lock);
    return value;
}

static void set(int value)
{
    omp_set_lock(&lock);
    balance = value;
    omp_unset_lock(&lock);
}

static void deposit(int amount, bool wrong)
{
    if (wrong) {
        set(get() + amount);
        return;
    }
    omp_set_lock(&lock);
    balance += amount;
    omp_unset_lock(&lock);
}

static void run_tasks(bool wrong)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 1; i < 4; i++) {
#pragma omp task firstprivate(i)
        deposit(i, wrong);
    }
    printf("%d\n", balance);
}

static bool has_job(void)
{
    bool any;
#pragma omp critical(queue)
    any = head < JOBS;
    return any;
}

static int take_job(bool look)
{
    int job = -1;
#pragma omp critical(queue)
    if (!look || head < JOBS)
        job = head++;
    return job;
}

static void share_queue(bool wrong)
{
#pragma omp parallel num_threads(3)
    for (;;) {
        if (wrong && !has_job())
            break;
        int job = take_job(!wrong);
        if (job < 0)
            break;
        taken[job % JOBS]++;
    }
    printf("%d\n", head);
}

static void offer(int value, bool wrong)
{
    if (wrong) {
        int known;
#pragma omp critical(best)
        known = best;
        if (value <= known)
            return;
    }
#pragma omp critical(best)
    if (wrong || value > best)
        best = value;
}

static void find_best(bool wrong)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < JOBS; i++)
        offer(i * 5 % 7, wrong);
    printf("%d\n", best);
}

/* The second loop needs what the first has computed: all wait in between. */
static void use_squares(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < JOBS; i++)
            squares[i] = i * i;
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < JOBS; i++)
            sum += squares[JOBS - 1 - i];
    }
    printf("%d\n", sum);
}

/* What is added is another variable of the same line each time. */
static void add_up(bool wrong)
{
    int sum = 0;
    for (int i = 0; i < JOBS; i++)
        squares[i] = i * i;
    if (wrong) {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < JOBS; i++)
            sum += squares[i];
    } else {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
        for (int i = 0; i < JOBS; i++)
            sum += squares[i];
    }
    printf("%d\n", sum);
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    bool wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    omp_init_lock(&lock);
    if (strcmp(what, "tasks") == 0)
        run_tasks(wrong);
    else if (strcmp(what, "queue") == 0)
        share_queue(wrong);
    else if (strcmp(what, "best") == 0)
        find_best(wrong);
    else if (strcmp(what, "sum") == 0)
        add_up(wrong);
    else
        use_squares();
    return 0;
}
