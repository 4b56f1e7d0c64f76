/* SPDX-License-Identifier: MIT */
/*
 * harness [options] program [arguments]: runs the program under the test recorder
 * and says what is wrong. Exit status 0: as expected.
 *
 *   -p          parallel mode
 *   -w          take records slowly (serial mode)
 *   -o TEXT     SERIATIM_OPTIONS
 *   -s          print the run, to compare two
 *   -d          the program must deadlock
 *   -k N        the program must be ended by signal N
 *   -x N        the program must exit with N
 *   -n OP=N     there must be exactly N records of the operation
 *   -m OP=N     there must be at least N
 *   -l          events may have been lost
 *   -u          the rules are not checked: some threads leave no trace
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { MOST_COUNTS = 16 };

typedef struct expectation {
    unsigned op;
    size_t count;
    bool at_least;
} expectation;

static struct {
    harness_way way;
    bool print, deadlock, may_lose, unchecked;
    int signal, status;
    expectation counts[MOST_COUNTS];
    size_t count_count;
} wanted = {.way = {.options = "", .seconds = 60}};

static void expect(const char *text, bool at_least)
{
    expectation *entry = &wanted.counts[wanted.count_count++];
    if (wanted.count_count == MOST_COUNTS || sscanf(text, "%u=%zu", &entry->op, &entry->count) != 2)
        abort();
    entry->at_least = at_least;
}

static void read_options(int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "+pwo:sdk:x:n:m:lu")) != -1;)
        switch (c) {
        case 'p':
            wanted.way.parallel = true;
            break;
        case 'w':
            wanted.way.slowly = true;
            break;
        case 'o':
            wanted.way.options = optarg;
            break;
        case 's':
            wanted.print = true;
            break;
        case 'd':
            wanted.deadlock = true;
            break;
        case 'k':
            wanted.signal = atoi(optarg);
            break;
        case 'x':
            wanted.status = atoi(optarg);
            break;
        case 'n':
        case 'm':
            expect(optarg, c == 'm');
            break;
        case 'l':
            wanted.may_lose = true;
            break;
        case 'u':
            wanted.unchecked = true;
            break;
        default:
            exit(2);
        }
}

static bool check_counts(const harness_run *run)
{
    bool right = true;
    for (size_t k = 0; k < wanted.count_count; k++) {
        const expectation *entry = &wanted.counts[k];
        size_t count = 0;
        for (size_t i = 0; i < run->count; i++)
            count += run->records[i].op == entry->op;
        if (entry->at_least ? count >= entry->count : count == entry->count)
            continue;
        fprintf(stderr, "harness: %zu records of operation %u, not %zu\n", count, entry->op,
                entry->count);
        right = false;
    }
    return right;
}

static bool check_end(const harness_run *run)
{
    int signal = wanted.deadlock ? SIGKILL : wanted.signal;
    if (run->deadlock != wanted.deadlock) {
        fprintf(stderr, "harness: %s\n", run->deadlock ? "deadlock" : "no deadlock");
        return false;
    }
    if (signal ? !WIFSIGNALED(run->status) || WTERMSIG(run->status) != signal
               : !WIFEXITED(run->status) || WEXITSTATUS(run->status) != wanted.status) {
        fprintf(stderr, "harness: the program ended with status %#x\n", (unsigned)run->status);
        return false;
    }
    if (!signal && !run->ended) {
        fprintf(stderr, "harness: the program's end was not recorded\n");
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    harness_run run;
    read_options(argc, argv);
    harness_execute(&run, argv + optind, &wanted.way);
    if (wanted.print)
        harness_print(&run);
    bool right = check_end(&run);
    right = check_counts(&run) && right;
    right = (wanted.unchecked || harness_check(&run) == 0) && right;
    if (run.lost && !wanted.may_lose) {
        fprintf(stderr, "harness: %llu events lost\n", (unsigned long long)run.lost);
        right = false;
    }
    harness_free(&run);
    return right ? 0 : 1;
}
