/* SPDX-License-Identifier: MIT */
/* A thread for each connection, which polls it. */
#include <poll.h>

#include "server.h"

static void *serve(void *argument)
{
    int connection = *(int *)argument;
    struct pollfd ready = {.fd = connection, .events = POLLIN};
    char request[64];
    ssize_t got;
    while (poll(&ready, 1, -1) > 0 && (got = read(connection, request, sizeof request - 1)) > 0) {
        request[got] = '\0';
        handle(connection, request);
    }
    close(connection);
    return 0;
}

int main(int count, char **arguments)
{
    int listener = open_port(count, arguments);
    int connections[CLIENTS];
    pthread_t threads[CLIENTS];
    struct pollfd ready = {.fd = listener, .events = POLLIN};
    for (int i = 0; i < CLIENTS; i++) {
        if (poll(&ready, 1, -1) != 1)
            return 1;
        connections[i] = accept(listener, 0, 0);
        pthread_create(&threads[i], 0, serve, &connections[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], 0);
    return finish();
}
