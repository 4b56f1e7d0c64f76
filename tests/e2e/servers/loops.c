/* SPDX-License-Identifier: MIT */
/*
 * Two loops, each a thread with an epoll that it waits for with a time-out. Another thread accepts
 * connections and puts them into the epolls itself.
 */
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "server.h"

static struct loop {
    pthread_t thread;
    int epoll, wake, open;
} loops[2];

static void watch(struct loop *by, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    epoll_ctl(by->epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static void serve(struct loop *me, int connection)
{
    char request[64];
    ssize_t got = read(connection, request, sizeof request - 1);
    if (got > 0) {
        request[got] = '\0';
        handle(connection, request);
        return;
    }
    close(connection);
    __atomic_fetch_sub(&me->open, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *argument)
{
    struct loop *me = argument;
    struct epoll_event events[4];
    for (int ends = 0; !ends || __atomic_load_n(&me->open, __ATOMIC_SEQ_CST);) {
        int count = epoll_wait(me->epoll, events, 4, 50);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != me->wake) {
                serve(me, events[i].data.fd);
                continue;
            }
            ends = 1;
            epoll_ctl(me->epoll, EPOLL_CTL_DEL, me->wake, 0);
        }
    }
    return 0;
}

int main(int count, char **arguments)
{
    int listener = open_port(count, arguments);
    for (int i = 0; i < 2; i++) {
        loops[i].epoll = epoll_create1(0);
        loops[i].wake = eventfd(0, 0);
        watch(&loops[i], loops[i].wake);
        pthread_create(&loops[i].thread, 0, work, &loops[i]);
    }
    for (int i = 0; i < CLIENTS; i++) {
        int connection = accept(listener, 0, 0);
        __atomic_fetch_add(&loops[i % 2].open, 1, __ATOMIC_SEQ_CST);
        watch(&loops[i % 2], connection);
    }
    for (int i = 0; i < 2; i++)
        eventfd_write(loops[i].wake, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(loops[i].thread, 0);
    return finish();
}
