#!/bin/sh
# SPDX-License-Identifier: MIT
# Check and act in two critical sections of a lock that the kernel has: found, and confirmed. In one
# section: nothing.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > locks.c << 'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>
static __thread int file = -1;
static int object;
static mqd_t queue;
static struct message { long type; char text[4]; } message = {1, "x"};
static int loaded = 60;

static void must(int holds)
{
    if (!holds)
        abort();
}
static void open_file(void)
{
    if (file < 0)
        file = open("kernel.lock", O_RDWR | O_CREAT, 0600);
}
#define END
#ifdef FLOCK
static void enter(void) { open_file(); must(flock(file, LOCK_EX) == 0); }
static void leave(void) { must(flock(file, LOCK_UN) == 0); }
static void begin(void) {}
#elif defined CLOSED
static void enter(void) { open_file(); must(flock(file, LOCK_EX) == 0); }
static void leave(void) { must(close(file) == 0); file = -1; }
static void begin(void) {}
#elif defined OFD
static void control(short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    must(fcntl(file, F_OFD_SETLKW, &lock) == 0);
}
static void enter(void) { open_file(); control(F_WRLCK); }
static void leave(void) { control(F_UNLCK); }
static void begin(void) {}
#elif defined SEMOP
#undef END
#define END semctl(object, 0, IPC_RMID)
static void step(short by) { struct sembuf one = {0, by, 0}; must(semop(object, &one, 1) == 0); }
static void enter(void) { step(-1); }
static void leave(void) { step(1); }
static void begin(void)
{
    must((object = semget(IPC_PRIVATE, 1, 0600)) >= 0);
    must(semctl(object, 0, SETVAL, 1) == 0);
}
#elif defined ZERO /* free while it is zero */
#undef END
#define END semctl(object, 0, IPC_RMID)
static void enter(void)
{
    struct sembuf both[2] = {{0, 0, 0}, {0, 1, SEM_UNDO}};
    must(semop(object, both, 2) == 0);
}
static void leave(void) { struct sembuf one = {0, -1, SEM_UNDO}; must(semop(object, &one, 1) == 0); }
static void begin(void) { must((object = semget(IPC_PRIVATE, 1, 0600)) >= 0); }
#elif defined MESSAGE
#undef END
#define END msgctl(object, IPC_RMID, NULL)
static void enter(void) { must(msgrcv(object, &message, 4, 0, 0) == 4); }
static void leave(void) { must(msgsnd(object, &message, 4, 0) == 0); }
static void begin(void) { must((object = msgget(IPC_PRIVATE, 0600)) >= 0); leave(); }
#elif defined PAIR
#undef END
#define END (close(pair[0]), close(pair[1]))
static int pair[2];
static void enter(void) { char token; must(recv(pair[0], &token, 1, 0) == 1); }
static void leave(void) { must(send(pair[1], "x", 1, 0) == 1); }
static void begin(void) { must(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0); leave(); }
#else
static void enter(void) { char text[16]; must(mq_receive(queue, text, 16, NULL) == 1); }
static void leave(void) { must(mq_send(queue, "x", 1, 0) == 0); }
static void begin(void)
{
    struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 16};
    queue = mq_open("/seriatim-kernel", O_RDWR | O_CREAT, 0600, &few);
    if (queue == (mqd_t)-1)
        exit(77);
    mq_unlink("/seriatim-kernel");
    leave();
}
#endif
static int load(void) { enter(); int seen = loaded; leave(); return seen; }
static void add(int weight) { enter(); loaded += weight; leave(); }
static void *loader(void *unused)
{
#ifdef WRONG
    if (load() + 30 <= 100)
        add(30);
#else
    enter();
    if (loaded + 30 <= 100)
        loaded += 30;
    leave();
#endif
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    begin();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, loader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    END;
    return 0;
}
END_OF_PROGRAM

for kind in FLOCK CLOSED OFD SEMOP ZERO MESSAGE PAIR QUEUE; do
    "$SERIATIM" cc -O1 -g -w -D$kind -o right locks.c -pthread -lrt || fail "$kind should build"
    "$SERIATIM" cc -O1 -g -w -D$kind -DWRONG -o wrong locks.c -pthread -lrt || fail "$kind should build"
    ./right
    [ $? != 77 ] || continue # there are no such queues here
    run run -n 3 -- ./right
    expect_status 0
    run run -- ./wrong
    expect_status 1
    expect_out '^1\. a block in loader\(\) .* is not atomic'
    expect_out '   (Confirmed: it happened|In the recorded run it was interrupted)'
done
finish
