/* Data goes from thread to thread by pipe, socket pair, eventfd, epoll, select and a file. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
static int pipes[2], sockets[2], event, payload;

static void *consume(void *unused)
{
    struct epoll_event wanted = {.events = EPOLLIN}, got;
    struct pollfd end = {sockets[1], POLLIN, 0};
    int poller = epoll_create1(0), number = 0, sum = 0;
    uint64_t count = 0;
    epoll_ctl(poller, EPOLL_CTL_ADD, event, &wanted);
    for (int i = 0; i < 30; i++) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(pipes[0], &set);
        select(pipes[0] + 1, &set, NULL, NULL, NULL);
        (void)!read(pipes[0], &number, sizeof number), sum += number + payload;
        poll(&end, 1, -1), recv(sockets[1], &number, sizeof number, 0), sum += number + payload;
        epoll_wait(poller, &got, 1, -1), (void)!read(event, &count, sizeof count),
            sum += (int)count + payload;
        send(sockets[1], &sum, sizeof sum, 0);
    }
    close(poller);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int answer = 0;
    event = eventfd(0, 0);
    if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 1;
    pthread_create(&thread, NULL, consume, NULL);
    for (int i = 1; i <= 30; i++) {
        uint64_t count = (uint64_t)i;
        payload = i;
        (void)!write(pipes[1], &i, sizeof i), send(sockets[0], &i, sizeof i, 0),
            (void)!write(event, &count, sizeof count);
        recv(sockets[0], &answer, sizeof answer, 0);
    }
    pthread_join(thread, NULL);
    printf("%d\n", answer);
}
