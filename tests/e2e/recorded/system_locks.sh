#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks made of objects of the system: queues and semaphores of the kernel, datagrams, timers, names of
# files, a child process that passes a token on. Nothing is predicted of what they protect.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > locks.c << 'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
static char kind;
static int object, ends[2];
static mqd_t queue;
static struct sockaddr_in address = {.sin_family = AF_INET};
static struct message { long type; char text[4]; } message = {1, "x"};
static long one, other;

static void must(int holds)
{
    if (!holds)
        abort();
}
static void lock(void)
{
    char bytes[4096];
    struct sembuf take = {0, -1, 0};
    switch (kind) {
    case 'q': must(mq_receive(queue, bytes, 16, 0) == 1); break;
    case 'v': must(semop(object, &take, 1) == 0); break;
    case 'm': must(msgrcv(object, &message, 4, 0, 0) == 4); break;
    case 'u': must(recvfrom(object, bytes, 1, 0, 0, 0) == 1); break;
    case 't': must(read(object, bytes, 8) == 8); break;
    case 'i': must(read(object, bytes, sizeof bytes) > 0); break;
    case 'c': must(read(ends[0], bytes, 1) == 1); break;
    case 'f': while ((object = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0) usleep(200); close(object); break;
    case 'd': while (mkdir("lock", 0700) != 0) usleep(200); break;
    case 'r': while (rename("free", "lock") != 0) usleep(200); break;
    }
}
static void pass_on_by_child(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(write(ends[1], "x", 1) != 1);
    must(waitpid(child, 0, 0) == child);
}
static void unlock(void)
{
    struct sembuf give = {0, 1, 0};
    struct itimerspec soon = {.it_value = {0, 500000}};
    switch (kind) {
    case 'q': must(mq_send(queue, "x", 1, 0) == 0); break;
    case 'v': must(semop(object, &give, 1) == 0); break;
    case 'm': must(msgsnd(object, &message, 4, 0) == 0); break;
    case 'u': must(sendto(object, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1); break;
    case 't': must(timerfd_settime(object, 0, &soon, 0) == 0); break;
    case 'i': unlink("watched/file"); close(open("watched/file", O_CREAT | O_WRONLY, 0600)); break;
    case 'c': pass_on_by_child(); break;
    case 'f': must(unlink("lock") == 0); break;
    case 'd': must(rmdir("lock") == 0); break;
    case 'r': must(rename("lock", "free") == 0); break;
    }
}
static void begin(void)
{
    socklen_t size = sizeof address;
    struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 16};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    switch (kind) {
    case 'q':
        queue = mq_open("/seriatim-test", O_RDWR | O_CREAT, 0600, &few);
        if (queue == (mqd_t)-1)
            exit(77);
        mq_unlink("/seriatim-test");
        break;
    case 'v': must((object = semget(IPC_PRIVATE, 1, 0600)) >= 0); break;
    case 'm': must((object = msgget(IPC_PRIVATE, 0600)) >= 0); break;
    case 'u':
        object = socket(AF_INET, SOCK_DGRAM, 0);
        must(bind(object, (struct sockaddr *)&address, size) == 0);
        must(getsockname(object, (struct sockaddr *)&address, &size) == 0);
        break;
    case 't': object = timerfd_create(CLOCK_MONOTONIC, 0); break;
    case 'i':
        mkdir("watched", 0700);
        object = inotify_init();
        must(inotify_add_watch(object, "watched", IN_CREATE) >= 0);
        break;
    case 'c': must(pipe(ends) == 0 && write(ends[1], "x", 1) == 1); return;
    case 'f':
    case 'd': return;
    case 'r': close(open("lock", O_CREAT | O_WRONLY, 0600)); break;
    }
    unlock();
}
static void end(void)
{
    if (kind == 'v')
        semctl(object, 0, IPC_RMID);
    if (kind == 'm')
        msgctl(object, IPC_RMID, 0);
}
static void set_both(long to) { one = to; other = to; }
static void update(long to) { lock(); set_both(to); unlock(); }
static void *work(void *argument)
{
    for (long i = 0; i < 2; i++)
        update(i + 10 * (intptr_t)argument);
    return argument;
}
int main(int count, char **arguments)
{
    pthread_t threads[2];
    kind = count > 1 ? arguments[1][0] : '-';
    begin();
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    end();
    return one != other;
}
END_OF_PROGRAM
"$SERIATIM" cc -g -w -o locks locks.c -pthread || exit 1

for kind in q v m u t i c f d r; do
    rm -rf lock free watched
    ./locks $kind
    [ $? != 77 ] || continue # there are no such queues here
    rm -rf lock free watched
    run run -n 1 --candidates 0 --reset 'rm -rf lock free watched' -- ./locks $kind
    expect_status 0
    run predict --atomic functions --model avp seriatim.out/run-1.srt
    expect_status 0
done

# Without a lock the same is certain, and happens.
run run -n 1 -- ./locks -
expect_status 1
expect_out 'Confirmed'
finish
