#!/bin/sh
# SPDX-License-Identifier: MIT
# A watched program is attached, detached and left running by commands: what is wrong is found once it is attached, and
# what threads order among themselves while nobody looks is known then.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }
cat > service.c << 'END'
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "seriatim/annotate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t given, returned;
static long shared, ordered; /* by a lock, wrongly; by semaphores */

static void pass_on(long number)
{
    SERIATIM_ATOMIC_BEGIN("pass on");
    ordered = number;
    ordered++;
    SERIATIM_ATOMIC_END();
}

static void *work(void *second)
{
    for (long i = 0;; i++) {
        if (second)
            sem_wait(&given);
        pass_on(i);
        sem_post(second ? &returned : &given);
        if (!second)
            sem_wait(&returned);
        pthread_mutex_lock(&lock);
        shared = i;
        pthread_mutex_unlock(&lock);
        SERIATIM_ATOMIC_BEGIN("pair");
        pthread_mutex_lock(&lock);
        long before = shared;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        shared = before + 1;
        pthread_mutex_unlock(&lock);
        SERIATIM_ATOMIC_END();
        usleep(100);
    }
}

int main(void)
{
    pthread_t threads[2];
    char byte;
    sem_init(&given, 0, 0);
    sem_init(&returned, 0, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    return read(0, &byte, 1) != 1 || read(0, &byte, 1) != 1;
}
END
"$SERIATIM" cc -g -O1 -I"$source_folder/include" -o service service.c -lpthread 2> err || fail "cannot build"
mkfifo input

run watch --tell status -o nobody
expect_status 3
expect_err 'no seriatim watch writes to nobody'
run watch --tell attach -- ./service
expect_status 2
expect_err 'tell takes no program'

# Names of sockets are short, those of folders need not be.
long=$(printf '%0150d' 0)
mkdir "$long"

# Clients that say nothing: they keep neither the program waiting nor, for long, those that do.
cat > silent.py << 'END'
import os, socket, sys
folder = os.open(sys.argv[1], os.O_PATH)
clients = [socket.socket(socket.AF_UNIX) for _ in range(4)]
for client in clients:
    client.connect(f"/proc/self/fd/{folder}/control")
clients[0].sendall(b"sta")
print("connected", flush=True)
sys.stdin.read()
END

# The watcher of a folder answers so. Its answer is in out.
answers() {
    run watch --tell "$1" -o watched
    grep -Eq "$2" out
}

answers_in_long() {
    run watch --tell status -o "$long/watched"
    grep -q '^detached: 0 events' out
}

for mode in serial parallel; do
    "$SERIATIM" watch --mode $mode --detached --every 0.05 --window 64 -o watched -- ./service < input > found 2> complaints &
    watcher=$!
    exec 3> input
    wait_for 'the socket' test -S watched/control
    wait_for 'an answer' answers status '^detached: 0 events in 0 segments, 0 violations$'
    run watch -o watched -- ./service
    expect_status 3
    expect_err 'another seriatim watch writes to watched'
    mkfifo quiet
    python3 silent.py watched < quiet > connected &
    silent=$!
    exec 4> quiet
    wait_for 'the silent clients' grep -q connected connected
    answers status '^detached' || fail "silent clients keep it from answering"
    exec 4>&-
    wait $silent
    rm quiet
    for _ in 1 2 3; do
        answers attach '^(attach|catch)ing' || fail "it should be attaching"
        wait_for 'everything to be recorded' answers status '^attached:'
        answers detach '^detached' || fail "it should be detached"
    done
    answers attach '' || fail "no answer"
    wait_for 'a violation' answers status '^attached: .*, 1 violations$'
    answers leave '^left process [0-9]+ running$' || fail "the program should be left"
    program=$(sed -n 's/^left process \(.*\) running$/\1/p' out)
    status=0
    wait $watcher || status=$?
    shown="seriatim watch --mode $mode, left"
    expect_status 1
    grep -Eq '^Violation 1: block .* \(pair, service\.c' found || fail "the pair should be reported"
    ! grep -q 'pass on' found || fail "what semaphores order was accused"
    [ ! -s complaints ] || fail "it complained: $(cat complaints)"
    kill -0 "$program" || fail "the program is gone"
    printf 'xx' >&3
    exec 3>&-
    is_gone() { ! kill -0 "$program" 2> /dev/null; }
    wait_for 'the end of the program' is_gone
    [ ! -e watched/control ] || fail "the socket is still there"
done

# A watcher that is killed: the program goes on, and the folder can be used again.
"$SERIATIM" watch --mode parallel --every 0.05 -o "$long/watched" -- ./service < input > found 2> complaints &
watcher=$!
exec 3> input
told() {
    run watch --tell status -o "$long/watched"
    [ "$status" -eq 0 ] && grep -q ' in [1-9][0-9]* segments' out
}
wait_for 'a segment' told
program=$(cat "/proc/$watcher/task/$watcher/children")
program=${program%% *}
kill -9 $watcher
wait $watcher 2> /dev/null || :
run watch --tell status -o "$long/watched"
expect_status 3
kill -0 "$program" || fail "the program is gone with its watcher"
printf 'xx' >&3
exec 3>&-
wait_for 'the end of the program' is_gone
"$SERIATIM" watch --detached -o "$long/watched" -- ./service < input > found 2> complaints &
watcher=$!
exec 3> input
wait_for 'an answer of the next one' answers_in_long
printf 'xx' >&3
exec 3>&-
status=0
wait $watcher || status=$?
shown="seriatim watch --detached, to the end"
expect_status 4
grep -q 'undecided: nothing was looked at' found || fail "it should say that nothing was looked at"
finish
