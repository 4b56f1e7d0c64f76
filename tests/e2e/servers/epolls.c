/* SPDX-License-Identifier: MIT */
/*
 * The shape of memcached: one thread accepts connections and hands them over to workers by a queue
 * and a pipe; each worker has an epoll for its pipe and its connections.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>

#ifdef ITEMS
#include "items.h"
#define handle handle_item
#else
#include "server.h"
#endif

static struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    int pipe[2], epoll, queue[CLIENTS], queued, begun;
} workers[2];

static void watch(struct worker *me, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    epoll_ctl(me->epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/* False: the connection has ended. */
static int serve(int connection)
{
    char request[64];
    ssize_t got;
    while ((got = recv(connection, request, sizeof request - 1, MSG_DONTWAIT)) > 0) {
        request[got] = '\0';
        handle(connection, request);
    }
    if (got < 0 && errno == EAGAIN)
        return 1;
    close(connection);
    return 0;
}

static int begin(struct worker *me)
{
    char sign = 'q';
    if (read(me->pipe[0], &sign, 1) != 1 || sign == 'q')
        return 0;
    pthread_mutex_lock(&me->lock);
    int connection = me->queue[me->begun++];
    pthread_mutex_unlock(&me->lock);
    watch(me, connection);
    return 1;
}

static void *work(void *argument)
{
    struct worker *me = argument;
    struct epoll_event events[4];
    for (int expects = 1, open = 0; expects || open;) {
        int count = epoll_wait(me->epoll, events, 4, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != me->pipe[0])
                open -= !serve(events[i].data.fd);
            else if (begin(me))
                open++;
            else
                expects = 0;
        }
    }
    return 0;
}

static void hand_over(struct worker *to, int connection)
{
    pthread_mutex_lock(&to->lock);
    to->queue[to->queued++] = connection;
    pthread_mutex_unlock(&to->lock);
    if (write(to->pipe[1], "c", 1) != 1)
        exit(1);
}

int main(int count, char **arguments)
{
    int listener = open_port(count, arguments);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&workers[i].lock, 0);
        workers[i].epoll = epoll_create1(0);
        if (pipe(workers[i].pipe) != 0)
            return 1;
        watch(&workers[i], workers[i].pipe[0]);
        pthread_create(&workers[i].thread, 0, work, &workers[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        hand_over(&workers[i % 2], accept(listener, 0, 0));
    for (int i = 0; i < 2; i++)
        if (write(workers[i].pipe[1], "q", 1) != 1)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, 0);
    return finish();
}
