#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run finds the bugs that no prediction from one run can be certain of: it replays
# candidates and lets the program judge, here without other schedules. candidates/{wrong,correct}/*: a wrong program names its
# block, and a correct one is the same without the mistake.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# build FILE: ./program
build() {
    case $1 in
    *.cc) front_end='c++ -std=c++20' ;;
    *) front_end=cc ;;
    esac
    # shellcheck disable=SC2086 # words
    "$SERIATIM" $front_end -O1 -g -pthread "$1" -o program || fail "$1 should build"
}

for file in "$here"/candidates/wrong/*; do
    block=$(sed -n 's/.*block: \([a-z_]*\).*/\1/p' "$file")
    build "$file"
    run run --effort quick -o wrong -- ./program
    expect_status 1
    expect_out "^1\. $block\(.*\) .* is not atomic"
    expect_out 'Confirmed: it happened'
    grep -q '"status": "confirmed"' wrong/result.json || fail "expected it to be confirmed"
done

for file in "$here"/candidates/correct/*; do
    build "$file"
    run run --effort quick -o correct -- ./program
    expect_status 0
    expect_out '^no violation'
    grep -q '"shown": 0' correct/result.json || fail "expected no candidate to be shown"
done

# Other schedules make them poll even more.
for name in spin_lock.c compare_exchange.cc; do
    build "$here/candidates/correct/$name"
    run run --schedules 20 --quantum 3 -o polls -- ./program
    expect_status 0
done

# A function that is named as atomic, and takes such a lock in it.
echo work > names
for name in spin_looks.c wait_lock.cc; do
    build "$here/candidates/correct/$name"
    run run --effort quick --atomic names -o named -- ./program
    expect_status 0
done

# What came of candidates is counted, and they can be left out. By data the lost update is certain.
build "$here/candidates/correct/flag_as_mutex.c"
run run --effort quick -o counted -- ./program
expect_out '^1 candidate was replayed: 0 confirmed, 1 refuted, 0 untested$'
build "$here/candidates/wrong/lost_update.c"
run run --effort quick --model avp --candidates 0 -o none -- ./program
expect_status 0
run run --effort quick --model avp --no-replay -o none -- ./program
expect_status 0

# A confirmed candidate can be replayed; the schedule, in which one read changes, is not certain.
run run --effort quick --model avp -o again -- ./program
expect_out '^1 candidate was replayed: 1 confirmed, 0 refuted, 0 untested$'
grep -q '"model": "candidate"' again/result.json || fail "expected the model to be named"
replay=$(sed -n 's/^to replay: seriatim //p' out)
# shellcheck disable=SC2086 # the words of a command
run $replay
expect_status 1
expect_out '^shown: '

# A deadlock that a probe leads to: the second thread takes the other lock if it comes early.
cat > deadlock.c <<'END'
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int is_ready(void)
{
    pthread_mutex_lock(&lock);
    int now = ready;
    pthread_mutex_unlock(&lock);
    return now;
}
static void get_ready(void)
{
    pthread_mutex_lock(&first);
    if (!is_ready()) {
        pthread_mutex_lock(&lock);
        ready = 1;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
}
static void *prepare(void *unused)
{
    get_ready();
    return unused;
}
static void *use(void *unused)
{
    pthread_mutex_lock(&second);
    if (!is_ready()) {
        pthread_mutex_lock(&first);
        pthread_mutex_unlock(&first);
    }
    pthread_mutex_unlock(&second);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, prepare, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
build deadlock.c
run run --effort quick -o deadlock -- ./program
expect_status 1
expect_out 'The program deadlocks'
expect_out 'To see it again: seriatim replay .*/deadlock-1.schedule -- '
finish
