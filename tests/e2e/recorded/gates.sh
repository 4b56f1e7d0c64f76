#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks made of what the system gives besides bytes: pipes behind a FILE, signals that are awaited,
# locks of files, copies of an eventfd, sockets with a name. Nothing is reported of what they
# protect, and what has no lock is confirmed.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > gates.c <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static char kind;
static int balance, different, ends[2];
static FILE *in, *out;
static sigset_t signals;
static __thread int held = -1;
static void must(int holds)
{
    if (!holds)
        abort();
}
static void connect_named(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "gates.socket"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(name.sun_path);
    must(bind(listener, (struct sockaddr *)&name, sizeof name) == 0 && listen(listener, 1) == 0);
    ends[1] = socket(AF_UNIX, SOCK_STREAM, 0);
    must(connect(ends[1], (struct sockaddr *)&name, sizeof name) == 0);
    ends[0] = accept(listener, NULL, NULL);
}
static void control(int type)
{
    struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET};
    must(fcntl(held, F_OFD_SETLKW, &lock) == 0);
}
static void unlock(void)
{
    switch (kind) {
    case 's': /* stdio */
        must(fprintf(out, "go\n") == 3 && fflush(out) == 0);
        break;
    case 'd': /* copy of an eventfd */
        must(eventfd_write(ends[1], 1) == 0);
        break;
    case 'w':
    case 'f':
        must(kill(getpid(), SIGUSR1) == 0);
        break;
    case 'l': /* flock, released by close */
        must(held < 0 || close(held) == 0);
        break;
    case 'c':
        if (held >= 0)
            control(F_UNLCK);
        break;
    case 'n':
        must(write(ends[1], "x", 1) == 1);
    }
}
static void lock(void)
{
    char line[8];
    struct signalfd_siginfo info;
    eventfd_t units;
    int number;
    switch (kind) {
    case 's':
        must(fgets(line, sizeof line, in) != NULL);
        break;
    case 'd':
        must(eventfd_read(ends[0], &units) == 0);
        break;
    case 'w': /* sigwait */
        must(sigwait(&signals, &number) == 0);
        break;
    case 'f': /* signalfd */
        must(read(ends[0], &info, sizeof info) == sizeof info);
        break;
    case 'l':
        held = open("gates.lock", O_RDWR | O_CREAT, 0600);
        must(flock(held, LOCK_EX) == 0);
        break;
    case 'c': /* fcntl */
        if (held < 0)
            held = open("gates.lock", O_RDWR | O_CREAT, 0600);
        control(F_WRLCK);
        break;
    case 'n': /* named socket */
        must(read(ends[0], line, 1) == 1);
    }
}
static void set_up(void)
{
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (kind == 'd') {
        ends[0] = eventfd(0, 0);
        ends[1] = dup(ends[0]);
    } else if (kind == 'f') {
        ends[0] = signalfd(-1, &signals, 0);
    } else if (kind == 'n') {
        connect_named();
    } else {
        must(pipe(ends) == 0);
        in = fdopen(ends[0], "r");
        out = fdopen(ends[1], "w");
    }
    unlock();
}
static void look(void)
{
    lock();
    int one = balance, other = balance;
    different += one != other;
    unlock();
}
static void deposit(void)
{
    lock();
    int before = balance;
    balance = before + 1;
    unlock();
}
static void *work(void *looks)
{
    for (int i = 0; i < 3; i++) {
        deposit();
        if (looks)
            look();
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    (void)argc;
    kind = *argv[1];
    set_up();
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &balance);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" cc -O1 -g -pthread gates.c -o gates || fail "gates.c should build"
for kind in stdio duplicate wait-for-signal file-of-signals lock-of-file control-of-file named; do
    run run --effort quick -- ./gates $kind
    expect_status 0
    expect_out '^no violation: '
done
run run --effort quick -- ./gates unlocked
expect_status 1
expect_out '^1\. (look|deposit)\(\) .* is not atomic'
expect_out '   Confirmed: it happened'
finish
