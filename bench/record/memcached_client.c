/* SPDX-License-Identifier: MIT */
/*
 * memcached_client PORT CONNECTIONS ROUNDS: talks to a memcached on this machine.
 *
 * Every connection is a thread with keys of its own: it sets one, gets it and
 * compares the answer, increments a number that all connections share, and now and
 * then deletes a key. At the end the number must be what all increments make.
 * Exit status 0 if every answer was right. Waits some seconds for the server to listen.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 64, VALUES = 50 };

static int port, rounds;

static int dial(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A recorded server takes its time to start. */
static FILE *open_connection(void)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    for (int tries = 0; tries < 400; tries++) {
        int fd = dial();
        if (fd >= 0)
            return fdopen(fd, "r+");
        nanosleep(&pause, NULL);
    }
    fprintf(stderr, "memcached_client: nobody listens on port %d\n", port);
    exit(1);
}

static void ask(FILE *server, const char *question)
{
    fseek(server, 0, SEEK_CUR); /* between reading and writing */
    fputs(question, server);
    fflush(server);
}

static void expect(FILE *server, const char *answer)
{
    char line[512];
    if (!fgets(line, sizeof line, server) || strcmp(line, answer) != 0) {
        fprintf(stderr, "memcached_client: not %.40s but %.40s\n", answer, line);
        exit(1);
    }
}

static void set_and_get(FILE *server, long who, int round)
{
    char question[256], value[64], line[128];
    int size = snprintf(value, sizeof value, "value %d of %ld", round, who);
    snprintf(question, sizeof question, "set key%ld.%d 0 0 %d\r\n%s\r\n", who, round % VALUES, size,
             value);
    ask(server, question);
    expect(server, "STORED\r\n");
    snprintf(question, sizeof question, "get key%ld.%d\r\n", who, round % VALUES);
    ask(server, question);
    snprintf(line, sizeof line, "VALUE key%ld.%d 0 %d\r\n", who, round % VALUES, size);
    expect(server, line);
    snprintf(line, sizeof line, "%s\r\n", value);
    expect(server, line);
    expect(server, "END\r\n");
}

static void delete_one(FILE *server, long who, int round)
{
    char question[64];
    snprintf(question, sizeof question, "delete key%ld.%d\r\n", who, round % VALUES);
    ask(server, question);
    expect(server, "DELETED\r\n");
}

static void *converse(void *argument)
{
    long who = (long)argument;
    FILE *server = open_connection();
    char line[64];
    for (int round = 0; round < rounds; round++) {
        set_and_get(server, who, round);
        ask(server, "incr total 1\r\n");
        if (!fgets(line, sizeof line, server) || atol(line) == 0)
            expect(server, "a number");
        if (round % 10 == 9)
            delete_one(server, who, round);
    }
    fclose(server);
    return NULL;
}

static void start_total(void)
{
    FILE *server = open_connection();
    ask(server, "set total 0 0 1\r\n0\r\n");
    expect(server, "STORED\r\n");
    fclose(server);
}

static void check_total(long sum)
{
    FILE *server = open_connection();
    char line[64];
    snprintf(line, sizeof line, "%ld\r\n", sum);
    ask(server, "incr total 0\r\n");
    expect(server, line);
    fclose(server);
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_CONNECTIONS];
    long connections = argc == 4 ? atol(argv[2]) : 0;
    if (connections < 1 || connections > MOST_CONNECTIONS) {
        fprintf(stderr, "usage: memcached_client PORT CONNECTIONS ROUNDS\n");
        return 2;
    }
    port = atoi(argv[1]);
    rounds = atoi(argv[3]);
    start_total();
    for (long i = 0; i < connections; i++)
        pthread_create(&threads[i], NULL, converse, (void *)i);
    for (long i = 0; i < connections; i++)
        pthread_join(threads[i], NULL);
    check_total(connections * rounds);
    return 0;
}
