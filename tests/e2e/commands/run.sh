#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run: from a program to the bugs in it.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > wrong.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void set(int value)
{
    pthread_mutex_lock(&lock);
    count = value;
    pthread_mutex_unlock(&lock);
}
static void *work(void *unused)
{
    SERIATIM_ATOMIC_BEGIN("increment");
    set(get() + 1);
    SERIATIM_ATOMIC_END();
    return unused;
}
static void *reset(void *unused)
{
    set(2);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, reset, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return argc > 1 ? argv[1][0] - '0' : 0;
}
END
sed 's/set(get() + 1)/pthread_mutex_lock(\&lock); count++; pthread_mutex_unlock(\&lock)/' wrong.c > correct.c
"$SERIATIM" cc -O1 -pthread wrong.c -o wrong && "$SERIATIM" cc -O1 -pthread correct.c -o correct ||
    fail "the programs should build"

# A bug is reported with both sides of it, though nothing went wrong in the run.
run run -- ./wrong
expect_status 1
expect_out '^2$'
expect_out '^1\. "increment" \(wrong\.c:[0-9]+\) is not atomic\.  \[[0-9a-f]{10}\]$'
expect_out 'T[12]\) read count = [0-9]+ at '
expect_out 'int seen = count;'
expect_out 'count = value;'
expect_out '^violation: 1 place is not atomic$'
[ -s seriatim.out/run-1.srt ] && [ -s seriatim.out/violation-1.schedule ] ||
    fail "expected a trace and a schedule"
grep -o '\[[0-9a-f]*\]$' out > id

# Its id stays when the code around it moves, and several runs find the same one.
sed 's/^static int count;/\n\n\n&/' wrong.c > moved.c
"$SERIATIM" cc -O2 -pthread moved.c -o moved
run run --schedules 4 --seed 9 -o several -- ./moved
expect_status 1
[ "$(grep -c 'is not atomic\.' out)" = 1 ] || fail "expected one bug"
grep -o '\[[0-9a-f]*\]$' out > id2
expect_same id id2
[ -s several/run-4.srt ] || fail "expected four traces"

# The command that it names for a replay says what is atomic, if the user had to say so; without
# markers, all commands agree on what is.
cat > plain.c <<'END'
#include <pthread.h>
#include <stdio.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void twice(void)
{
    if (get() != get())
        puts("changed");
}
static void *look(void *unused)
{
    twice();
    return unused;
}
static void *set(void *unused)
{
    pthread_mutex_lock(&lock);
    count = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, set, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$SERIATIM" cc -O1 -pthread plain.c -o plain || fail "the program should build"
echo twice > names
for options in '' ' --atomic functions' ' --atomic names'; do
    # shellcheck disable=SC2086 # options are words
    run run $options -- ./plain
    expect_status 1
    expect_out "^to replay: seriatim replay seriatim.out/run-[0-9]*.srt$options --schedule "
    replay=$(sed -n 's/^to replay: seriatim //p' out)
    # shellcheck disable=SC2086
    run $replay
    expect_status 1
    expect_out '^shown: '
done

run run --json result.json -- ./correct
expect_status 0
expect_out '^no violation: '
grep -q '"verdict": *"none"' result.json || fail "expected the verdict in JSON"

# A thread that retries a lock has done nothing that others could see; check says so
# by the definition, in which a failed try sees the lock.
cat > scoped.cc << 'END'
#include <mutex>
#include <thread>
static std::mutex a, b;
static long left, right;
static void shift(std::mutex &first, std::mutex &second, long by)
{
    std::scoped_lock guard(first, second);
    left -= by;
    right += by;
}
int main()
{
    std::thread other([] { for (int i = 0; i < 100; i++) shift(b, a, 1); });
    for (int i = 0; i < 100; i++)
        shift(a, b, -1);
    other.join();
    return left + right != 0;
}
END
"$SERIATIM" c++ -g -O1 -std=c++17 scoped.cc -o scoped -pthread || fail "should build"
run run --quantum 13 --atomic functions -- ./scoped
expect_status 0
expect_out 'let others in between, but not to data'
run check --atomic functions seriatim.out/run-1.srt
expect_status 1

# With JSON on standard output nothing else is there.
run run --quiet --json - -- ./wrong 7
expect_status 1
head -c 1 out | grep -q '{' || fail "expected JSON alone"
expect_out '"exit": *7'
expect_err '^2$'
expect_same out seriatim.out/result.json

run run --quiet --program-status -- ./wrong 7
expect_status 7

run run -- /bin/true
expect_status 3
expect_err 'not instrumented'
run run
expect_status 2
expect_err 'missing'
run run -- ./absent
expect_status 127
finish
