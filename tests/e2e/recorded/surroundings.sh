#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program finds when it starts - its environment, open descriptors - is as without us; and that
# and where its memory is, stacks, heaps and mappings, is the same in every recorded run and replay.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# It walks its environment, as setproctitle does, and appends what it found to the file found.
cat > walk.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
extern char **environ;
static int left = 50, right = 50, measured;
static FILE *addresses;
static void tell_addresses(const char *who)
{
    void *map = mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (addresses)
        fprintf(addresses, "%s: stack %p heap %p %p map %p\n", who, (void *)&map, malloc(10),
                malloc(1 << 20), map);
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(int *from)
{
    pthread_mutex_lock(&lock);
    int seen = *from;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void *sum(void *unused)
{
    SERIATIM_ATOMIC_BEGIN("sum");
    int all = get(&left);
    all += get(&right);
    SERIATIM_ATOMIC_END();
    measured += all;
    return unused;
}
static void *move(void *unused)
{
    pthread_mutex_lock(&lock);
    left -= 10;
    right += 10;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *look(void *unused)
{
    tell_addresses("thread");
    return unused;
}
static void measure(FILE *found, char **argv)
{
    const char *end = argv[0];
    for (char **each = argv; *each; each++)
        if (*each == end)
            end += strlen(end) + 1;
    for (char **each = environ; *each; each++) {
        for (char *at = *each; *at; at++)
            measured++;
        if (*each == end)
            end += strlen(end) + 1;
        fprintf(found, "%s\n", *each);
    }
    fprintf(found, "%d bytes, %ld in one piece\n", measured, (long)(end - argv[0]));
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    int first = open("/dev/null", O_RDONLY), open_ones = 0;
    FILE *found = fopen("found", "a");
    measure(found, argv);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int file = 0; file < 1024 && (rlim_t)file < limit.rlim_cur; file++)
        open_ones += file > 2 && fcntl(file, F_GETFD) >= 0 ? 1000 + file : 0;
    fprintf(found, "first %d, open %d, started as %s\n", first, open_ones,
            (const char *)getauxval(AT_EXECFN));
    fclose(found);
    addresses = argc > 1 ? fopen("found", "a") : NULL;
    tell_addresses("main");
    if (addresses)
        setvbuf(addresses, NULL, _IOLBF, 0);
    putenv("A_NEW_ONE=1");
    clearenv();
    for (int i = 0; i < 2; i++) { /* alone: how threads are scheduled makes a difference */
        pthread_create(&threads[0], NULL, look, NULL);
        pthread_join(threads[0], NULL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, i ? move : sum, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$SERIATIM" cc -O1 -pthread walk.c -o walk || fail "the program should build"

# Environment and descriptors are those of a plain run, also where few descriptors are allowed.
for limit in 1000 60 18; do
    rm -f found
    (ulimit -n $limit && ./walk)
    mv found plain
    for mode in serial parallel; do
        status=0
        shown="record --mode $mode, with $limit descriptors"
        (ulimit -n $limit && exec "$SERIATIM" record --mode $mode -o t.srt -- ./walk) > out 2> err ||
            status=$?
        expect_status 0
        expect_same plain found
        rm -f found
        run validate t.srt
        expect_status 0
    done
done

# A descriptor that is in our way, and is the program's, stays where it is.
cat > beside.c <<'END'
#include <unistd.h>
int main(int argc, char **argv)
{
    return argc < 2 || dup2(2, 200) < 0 ? 99 : execv(argv[1], argv + 1);
}
END
cc beside.c -o beside || fail "the launcher should build"
rm -f found
./beside ./walk
mv found plain
./beside "$SERIATIM" record -o t.srt -- ./walk > out 2> err || fail "should record beside a busy descriptor"
expect_same plain found
rm -f found

# All runs and replays of one command find the same, and the schedule is followed to its end.
run run -n 3 -o runs -- ./walk all
expect_status 1
expect_out 'Confirmed'
[ "$(grep -c '^main' found)" -gt 3 ] || fail "expected several runs"
lines=$(($(wc -l < found) / $(grep -c '^main' found)))
[ "$(sort found | uniq -c | awk '{ print $1 }' | sort -u | wc -l)" = 1 ] || fail "expected the same in every run"
[ "$(sort -u found | wc -l)" = "$lines" ] || fail "expected the same lines in every run"
head -n "$lines" found > recorded
rm -f found
run replay runs/run-1.srt --schedule runs/violation-1.schedule -o again.srt -- ./walk all
expect_status 1
expect_same recorded found
rm -f found
run explore -n 3 -- ./walk all
head -n "$lines" found > explored
expect_same recorded explored
[ "$(sort -u found | wc -l)" = "$lines" ] || fail "expected the same in every run of explore"
finish
