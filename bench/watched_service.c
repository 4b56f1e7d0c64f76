/* SPDX-License-Identifier: MIT */
/*
 * A service for `seriatim watch` (bench/watch): a bank on a socket of the loopback interface, with
 * one thread per connection, and one that forgets the latest deposit every 20 ms.
 *
 *     watched_service PORT
 *
 * Requests are lines: "d N A" deposits A on account N, "t N M A" transfers, "s" asks for the sum,
 * "q" ends the service. Everything is under locks and atomic, except for the four requests "1" to
 * "4", each a wrong operation of another kind in a function of its own. Not built with the rest: it
 * needs seriatim cc.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "seriatim/annotate.h"

enum { ACCOUNTS = 64 };

static pthread_mutex_t bank_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static long balance[ACCOUNTS], latest; /* amount of the latest deposit */
static int latest_account;
static char last_line[64];

static void deposit(int account, long amount)
{
    SERIATIM_ATOMIC_BEGIN("deposit");
    pthread_mutex_lock(&bank_lock);
    balance[account] += amount;
    latest = amount;
    latest_account = account;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
}

static void transfer(int from, int to, long amount)
{
    SERIATIM_ATOMIC_BEGIN("transfer");
    pthread_mutex_lock(&bank_lock);
    balance[from] -= amount;
    balance[to] += amount;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
}

static long sum(void)
{
    long result = 0;
    SERIATIM_ATOMIC_BEGIN("sum");
    pthread_mutex_lock(&bank_lock);
    for (int i = 0; i < ACCOUNTS; i++)
        result += balance[i];
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
    return result;
}

static void note(const char *line)
{
    pthread_mutex_lock(&log_lock);
    strncpy(last_line, line, sizeof last_line - 1);
    pthread_mutex_unlock(&log_lock);
}

/* --- wrong: what is atomic takes the lock twice ----------------------------------------------- */

static long locked_latest(void)
{
    pthread_mutex_lock(&bank_lock);
    long result = latest;
    pthread_mutex_unlock(&bank_lock);
    return result;
}

static long read_twice(void)
{
    SERIATIM_ATOMIC_BEGIN("read_twice");
    long before = locked_latest();
    long difference = locked_latest() - before;
    SERIATIM_ATOMIC_END();
    return difference;
}

static long read_pair(void)
{
    SERIATIM_ATOMIC_BEGIN("read_pair");
    long amount = locked_latest();
    pthread_mutex_lock(&bank_lock);
    int account = latest_account;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
    return amount + account;
}

static long write_pair(void)
{
    SERIATIM_ATOMIC_BEGIN("write_pair");
    pthread_mutex_lock(&bank_lock);
    latest = 0;
    pthread_mutex_unlock(&bank_lock);
    pthread_mutex_lock(&bank_lock);
    latest_account = 0;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
    return 0;
}

static long unlocked(void)
{
    SERIATIM_ATOMIC_BEGIN("unlocked");
    long amount = latest;
    int account = latest_account;
    SERIATIM_ATOMIC_END();
    return amount + account;
}

/* --- every 20 ms ------------------------------------------------------------------------------ */

static void *forget_latest(void *unused)
{
    for (;;) {
        usleep(20000);
        pthread_mutex_lock(&bank_lock);
        latest = 0;
        latest_account = -1;
        pthread_mutex_unlock(&bank_lock);
    }
    return unused;
}

/* --- connections --------------------------------------------------------------------------------
 */

static long handle(const char *line)
{
    int from, to;
    long amount;
    note(line);
    if (sscanf(line, "d %d %ld", &to, &amount) == 2)
        deposit(to % ACCOUNTS, amount);
    else if (sscanf(line, "t %d %d %ld", &from, &to, &amount) == 3)
        transfer(from % ACCOUNTS, to % ACCOUNTS, amount);
    else if (line[0] == 's')
        return sum();
    else if (line[0] == 'q')
        kill(getpid(), SIGTERM);
    static long (*const wrong[])(void) = {read_twice, read_pair, write_pair, unlocked};
    return line[0] >= '1' && line[0] <= '4' ? wrong[line[0] - '1']() : 0;
}

static void *serve(void *argument)
{
    int connection = (int)(long)argument;
    char text[4096];
    size_t used = 0;
    ssize_t got;
    while ((got = read(connection, text + used, sizeof text - 1 - used)) > 0) {
        used += (size_t)got;
        text[used] = '\0';
        char *line = text, *end;
        while ((end = strchr(line, '\n'))) {
            char answer[32];
            *end = '\0';
            int length = snprintf(answer, sizeof answer, "%ld\n", handle(line));
            if (write(connection, answer, (size_t)length) != length)
                break;
            line = end + 1;
        }
        used -= (size_t)(line - text);
        memmove(text, line, used);
    }
    close(connection);
    return NULL;
}

int main(int argc, char **argv)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 7000)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 16) != 0) {
        perror("watched_service");
        return 1;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, forget_latest, NULL);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)connection) == 0)
            pthread_detach(thread);
    }
}
