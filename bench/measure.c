/* SPDX-License-Identifier: MIT */
/*
 * measure [--figures FILE] RUNS COMMAND...: runs a command several times and prints
 * one line,
 *
 *     CPU-SECONDS WALL-SECONDS PEAK-KILOBYTES EXIT-STATUS
 *
 * the medians of the times (CPU: user and system together) and the largest
 * memory (of the command or of a process it waited for). The command's output is
 * thrown away, its messages are not; with --figures the line goes into FILE, and the
 * output where it would go without measure. A command killed by a signal counts as
 * status 128 plus the signal.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 99 };

typedef struct sample {
    double cpu, wall;
    long kilobytes;
    int status;
} sample;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static _Noreturn void execute(char **command, bool quiet)
{
    int sink = quiet ? open("/dev/null", O_WRONLY) : -1;
    if (sink >= 0)
        dup2(sink, STDOUT_FILENO);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

static sample run_once(char **command, bool quiet)
{
    double start = seconds_now();
    pid_t child = fork();
    if (child == 0)
        execute(command, quiet);
    int status = 0;
    struct rusage usage = {0};
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        exit(5);
    }
    return (sample){
        .cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
        .wall = seconds_now() - start,
        .kilobytes = usage.ru_maxrss,
        .status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
    };
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

static void print(FILE *to, char **command, int runs)
{
    double cpu[MOST_RUNS], wall[MOST_RUNS];
    long kilobytes = 0;
    int status = 0;
    for (int i = 0; i < runs; i++) {
        sample taken = run_once(command, to == stdout);
        cpu[i] = taken.cpu;
        wall[i] = taken.wall;
        if (taken.kilobytes > kilobytes)
            kilobytes = taken.kilobytes;
        if (taken.status != 0)
            status = taken.status;
    }
    fprintf(to, "%.3f %.3f %ld %d\n", median(cpu, runs), median(wall, runs), kilobytes, status);
}

int main(int argc, char **argv)
{
    bool to_file = argc > 2 && strcmp(argv[1], "--figures") == 0;
    char **rest = argv + (to_file ? 3 : 1);
    int runs = argc > (to_file ? 4 : 2) ? atoi(rest[0]) : 0;
    if (runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: measure [--figures FILE] RUNS COMMAND...\n");
        return 2;
    }
    FILE *figures = to_file ? fopen(argv[2], "we") : stdout;
    if (!figures) {
        perror(argv[2]);
        return 5;
    }
    print(figures, rest + 1, runs);
    return fclose(figures) == 0 ? 0 : 5;
}
