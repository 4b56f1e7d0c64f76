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

static void ask(struct sockaddr_in address)
{
    char reply[32];
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
        _exit(1);
    for (int i = 0; i < REQUESTS; i++)
        if (write(connection, "10\n", 3) != 3 || read(connection, reply, sizeof reply) <= 0)
            _exit(1);
    _exit(0);
}

/* Listens; starts the clients, or tells them the port in a file. */
__attribute__((unused)) static int open_port(int forks)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0)
        exit(1);
    getsockname(listener, (struct sockaddr *)&address, &size);
    for (int i = 0; forks && i < CLIENTS; i++)
        if (fork() == 0)
            ask(address);
    FILE *file = forks ? 0 : fopen("port.new", "w");
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
