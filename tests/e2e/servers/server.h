/* SPDX-License-Identifier: MIT */
/*
 * server.h - what the servers of these tests share: a port, two clients that ask two or
 * three times each to add 10 to a counter, and the update, which is not atomic unless CAREFUL is
 * defined.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef ITEMS
enum { CLIENTS = 2, REQUESTS = 3 };
#else
enum { CLIENTS = 2, REQUESTS = 2 };
#endif

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((unused)) static void handle(int connection, const char *request)
{
    char reply[32];
    pthread_mutex_lock(&lock);
    int sum = counter + atoi(request);
#ifndef CAREFUL
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    counter = sum;
    pthread_mutex_unlock(&lock);
    int length = snprintf(reply, sizeof reply, "%d\n", sum);
    if (send(connection, reply, (size_t)length, MSG_NOSIGNAL) != length)
        perror("send");
}

static void *ask(void *argument)
{
    const struct sockaddr_in *address = argument;
    char reply[32];
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (const struct sockaddr *)address, sizeof *address) != 0)
        _exit(1);
    for (int i = 0; i < REQUESTS; i++)
        if (write(connection, "10\n", 3) != 3 || read(connection, reply, sizeof reply) <= 0)
            _exit(1);
    close(connection);
    return 0;
}

static void start_client(struct sockaddr_in *address, int forks)
{
    pthread_t client;
    if (!forks) {
        pthread_create(&client, 0, ask, address);
        pthread_detach(client);
    } else if (fork() == 0) {
        ask(address);
        _exit(0);
    }
}

/* Listens; starts the clients (fork, threads), or tells them the port in a file. */
__attribute__((unused)) static int open_port(int count, char **arguments)
{
    static struct sockaddr_in address = {.sin_family = AF_INET};
    int starts = count > 1, forks = starts && strcmp(arguments[1], "fork") == 0;
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0)
        exit(1);
    getsockname(listener, (struct sockaddr *)&address, &size);
    for (int i = 0; starts && i < CLIENTS; i++)
        start_client(&address, forks);
    FILE *file = starts ? 0 : fopen("port.new", "w");
    if (file) {
        fprintf(file, "%d\n", ntohs(address.sin_port));
        fclose(file);
        rename("port.new", "port");
    }
    return listener;
}

__attribute__((unused)) static int finish(void)
{
    while (wait(0) > 0)
        continue;
    printf("%d\n", counter);
    return 0;
}
