#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that synchronise by what they send each other through the kernel. A lock made of a
# stream is a lock, whatever way they wait for it; and a server that polls, with its clients in the
# same program, can be predicted and replayed.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# Each lock is a byte, or a unit, that belongs to the thread that received it.
cat > locks.c <<'END_OF_PROGRAM'
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
enum { PIPE, PAIR, EVENT, POLL, SELECT, EPOLL, LOCKS };
static int ends[LOCKS][2], epoll, counts[LOCKS];
static void must(int holds)
{
    if (!holds)
        abort();
}
static void give(int lock)
{
    uint64_t one = 1;
    must(lock == EVENT ? write(ends[lock][1], &one, 8) == 8 : write(ends[lock][1], "", 1) == 1);
}
/* Has it come? Some wait for ever, some for a while. */
static int look(int lock)
{
    int end = ends[lock][0];
    struct pollfd polled = {.fd = end, .events = POLLIN};
    struct epoll_event event;
    struct timeval soon = {0, 1000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(end, &set);
    switch (lock) {
    case POLL:
        return poll(&polled, 1, 1) > 0;
    case SELECT:
        return select(end + 1, &set, NULL, NULL, &soon) > 0;
    case EPOLL:
        return epoll_wait(epoll, &event, 1, -1) > 0;
    default:
        return 1;
    }
}
static void take(int lock)
{
    char bytes[8];
    size_t size = lock == EVENT ? 8 : 1;
    for (;;) {
        if (!look(lock))
            continue;
        ssize_t got = lock == PAIR ? recv(ends[lock][0], bytes, size, 0)
                                   : read(ends[lock][0], bytes, size);
        if (got == (ssize_t)size)
            return;
    }
}
static void count(int lock)
{
    SERIATIM_ATOMIC_BEGIN("count");
    take(lock);
    int seen = counts[lock];
    counts[lock] = seen + 1;
    give(lock);
    SERIATIM_ATOMIC_END();
}
static void *work(void *unused)
{
    for (int i = 0; i < 3; i++)
        for (int lock = 0; lock < LOCKS; lock++)
            count(lock);
    return unused;
}
static void make(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    for (int lock = 0; lock < LOCKS; lock++) {
        if (lock == PAIR)
            must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[lock]) == 0);
        else if (lock == EVENT)
            ends[lock][0] = ends[lock][1] = eventfd(0, EFD_SEMAPHORE);
        else
            must(pipe(ends[lock]) == 0);
        if (lock >= POLL)
            must(fcntl(ends[lock][0], F_SETFL, O_NONBLOCK) == 0);
        give(lock);
    }
    epoll = epoll_create1(0);
    must(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[EPOLL][0], &event) == 0);
}
int main(void)
{
    pthread_t threads[3];
    make();
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int lock = 0; lock < LOCKS; lock++)
        must(counts[lock] == 9);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" cc -O1 -g -pthread locks.c -o locks || fail 'locks.c should build'

for how in '--mode parallel' '--scheduler random --seed 2 --quantum 7' \
    '--scheduler pct --seed 3 --length 1000' '--seed 1'; do
    # shellcheck disable=SC2086 # options
    run record $how -o locks.srt -- ./locks
    expect_status 0
    run validate locks.srt
    expect_status 0
    run predict --list-candidates locks.srt
    expect_status 0
    expect_out '54 blocks'
    expect_out '^0 candidates'
done

# It is the streams that make the difference.
run convert locks.srt -o locks.std
grep -v '|take(\|post(' locks.std > unordered.std
grep -q 'take(eventfd)' locks.std || fail 'the trace should name what orders it'
run predict --list-candidates unordered.std
expect_out '^Violation 1|^[1-9][0-9]* candidates?'

# Two threads serve a client each. LOCKS: how a request is handled.
cat > server.c <<'END_OF_PROGRAM'
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, listener;
static struct sockaddr_in address = {.sin_family = AF_INET};
static void must(int holds)
{
    if (!holds)
        abort();
}
static void handle(void)
{
    SERIATIM_ATOMIC_BEGIN("handle");
    pthread_mutex_lock(&mutex);
    int seen = total;
#ifdef WRONG
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
#endif
    total = seen + 1;
    pthread_mutex_unlock(&mutex);
    SERIATIM_ATOMIC_END();
}
static void await(int connection, int epoll)
{
    struct pollfd polled = {.fd = connection, .events = POLLIN};
    struct epoll_event event;
    must(epoll < 0 ? poll(&polled, 1, -1) == 1 : epoll_wait(epoll, &event, 1, -1) == 1);
}
static void *serve(void *polls)
{
    char request;
    int connection = accept(listener, NULL, NULL), epoll = polls ? -1 : epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    must(connection >= 0);
    must(polls || epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event) == 0);
    for (;;) {
        await(connection, epoll);
        if (read(connection, &request, 1) != 1)
            break;
        handle();
        must(write(connection, "", 1) == 1);
    }
    close(connection);
    return NULL;
}
static void *request(void *unused)
{
    char answer;
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(connection, (struct sockaddr *)&address, sizeof address) == 0);
    for (int i = 0; i < 2; i++)
        must(write(connection, "", 1) == 1 && read(connection, &answer, 1) == 1);
    close(connection);
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    must(listen(listener, 4) == 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? serve : request, i % 2 ? &total : NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" cc -O1 -g -pthread -DWRONG server.c -o wrong || fail 'server.c should build'
"$SERIATIM" cc -O1 -g -pthread server.c -o correct || fail 'server.c should build'

run run --effort quick -o correct.out -- ./correct
expect_status 0
run run --effort quick -o wrong.out -- ./wrong
expect_status 1
expect_out 'Confirmed: it happened'
replay=$(sed -n 's/^to replay: seriatim replay //p' out)
for _ in 1 2 3 4 5; do
    # shellcheck disable=SC2086 # the words of a command
    run replay --quiet --attempts 1 --grace 0.2 $replay
    expect_status 1
done

# Functions that take such a lock, or a semaphore of one, are looked at as those are that lock a mutex.
cat > deposits.c << 'END_OF_PROGRAM'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
static int ends[2];
static sem_t one;
static long balance;
#ifdef PIPE
static void lock(void) { char byte; while (read(ends[0], &byte, 1) != 1) continue; }
static void unlock(void) { while (write(ends[1], "x", 1) != 1) continue; }
#else
static void lock(void) { sem_wait(&one); }
static void unlock(void) { sem_post(&one); }
#endif
static long get(void) { lock(); long now = balance; unlock(); return now; }
static void set(long now) { lock(); balance = now; unlock(); }
static void deposit(long sum)
{
#ifdef WRONG
    set(get() + sum);
#else
    lock(); balance += sum; unlock();
#endif
}
static void *work(void *unused) { for (int i = 0; i < 3; i++) deposit(10); return unused; }
int main(void)
{
    pthread_t threads[2];
    if (pipe(ends) != 0 || sem_init(&one, 0, 0) != 0) return 1;
    unlock();
    set(get());
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%ld\n", balance);
}
END_OF_PROGRAM
for kind in PIPE SEMAPHORE; do
    "$SERIATIM" cc -O1 -g -pthread -D$kind -DWRONG deposits.c -o wrong || fail 'deposits.c should build'
    "$SERIATIM" cc -O1 -g -pthread -D$kind deposits.c -o correct || fail 'deposits.c should build'
    run run -o wrong.out -- ./wrong
    expect_status 1
    expect_out '^1. deposit\(\) .* is not atomic'
    expect_out 'Confirmed: it happened'
    run run -n 8 -o correct.out -- ./correct
    expect_status 0
done
finish
