#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run: what goes wrong under other schedules than that of the first run, whether a block is
# violated or not, and what is right under all of them.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > program.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static int total, here, there;
static atomic_int hits, misses, stop;

static void *take_both(void *reversed)
{
    pthread_mutex_lock(reversed ? &second : &first);
    pthread_mutex_lock(reversed ? &first : &second);
    here++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return NULL;
}
static void *use_table(void *unused)
{
    assert(table);
    return unused;
}
static void *add(void *unused)
{
    total += 1;
    return unused;
}
static void *fold(void *number)
{
    pthread_mutex_lock(&first);
    total = total * 3 + (number == &here) + 2 * (number == &there);
    pthread_mutex_unlock(&first);
    return NULL;
}
static void *count(void *unused)
{
    atomic_fetch_add(&hits, 1);
    atomic_fetch_add(&misses, 1);
    return unused;
}
static void *poll_stop(void *unused)
{
    while (!atomic_load(&stop))
        ;
    return unused;
}
static void *disjoint(void *other)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&first);
        other ? here++ : there++;
        pthread_mutex_unlock(&first);
    }
    return NULL;
}
static int *peek(void)
{
    pthread_mutex_lock(&first);
    int *now = table;
    pthread_mutex_unlock(&first);
    return now;
}
static void *drop(void *unused)
{
    pthread_mutex_lock(&first);
    int *mine = table;
    table = NULL;
    pthread_mutex_unlock(&first);
    free(mine);
    return unused;
}
static void *drop_carelessly(void *unused)
{
    int *seen = peek();
    if (seen) {
        free(seen);
        pthread_mutex_lock(&first);
        table = NULL;
        pthread_mutex_unlock(&first);
    }
    return unused;
}
static void *read_first(void *memory)
{
    total = *(int *)memory;
    return NULL;
}
static void fork_and_join(void *(*work)(void *), void *argument, void *other)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, argument);
    pthread_create(&threads[1], NULL, work, other);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (strcmp(what, "deadlock") == 0) {
        fork_and_join(take_both, NULL, &first);
    } else if (strcmp(what, "early") == 0) {
        pthread_create(&thread, NULL, use_table, NULL);
        table = calloc(4, sizeof *table);
        pthread_join(thread, NULL);
    } else if (strcmp(what, "status") == 0) {
        fork_and_join(add, NULL, NULL);
        return total == 2 ? 0 : 3;
    } else if (strcmp(what, "statuses") == 0) {
        pthread_create(&thread, NULL, fold, NULL);
        fork_and_join(fold, &here, &there);
        pthread_join(thread, NULL);
        return total;
    } else if (strcmp(what, "counters") == 0) {
        fork_and_join(count, NULL, NULL);
    } else if (strcmp(what, "flag") == 0) {
        pthread_create(&thread, NULL, poll_stop, NULL);
        atomic_store(&stop, 1);
        pthread_join(thread, NULL);
    } else if (strcmp(what, "disjoint") == 0) {
        fork_and_join(disjoint, NULL, &first);
    } else if (strcmp(what, "wrong") == 0) {
        fork_and_join(disjoint, NULL, &first);
        return 3;
    } else if (strcmp(what, "unjoined") == 0) {
        table = calloc(4, sizeof *table);
        pthread_create(&thread, NULL, use_table, NULL);
        table = NULL;
    } else if (strcmp(what, "freed") == 0) {
        table = calloc(4, sizeof *table);
        pthread_create(&thread, NULL, read_first, table);
        free(table);
        pthread_join(thread, NULL);
    } else if (strcmp(what, "twice") == 0) {
        table = calloc(4, sizeof *table);
        fork_and_join(drop_carelessly, NULL, NULL);
    } else if (strcmp(what, "once") == 0) {
        table = calloc(4, sizeof *table);
        fork_and_join(drop, NULL, NULL);
    } else if (strcmp(what, "alone") == 0) {
        add(NULL);
    } else {
        abort();
    }
    return 0;
}
END
"$SERIATIM" cc -g -O1 -pthread program.c -o program || fail "the program should build"

# replayed: the command that the report names shows it again.
replayed() {
    again=$(sed -n 's/^   To see it again: seriatim //p' out | head -n 1)
    # shellcheck disable=SC2086 # the words of a command
    run ${again:-replay nothing}
    expect_status 1
    expect_out '^shown: the recorded run happened again$'
}

run run -- ./program deadlock
expect_status 1
expect_out '^1\. The program deadlocks: all its threads wait forever'
expect_out '^   What to change: take these locks in the same order everywhere'
expect_out '^failure: the program can deadlock$'
replayed
expect_out '^The program deadlocked'

run run -- ./program early
expect_status 1
expect_out '\. The program fails under another schedule: signal 6 '
expect_out '^     The last line that it prints: ".*Assertion .table. failed\."$'
expect_out '^     Its last recorded step: T1 in use_table\(\) at program.c:'
expect_out '^     First difference from the first run: .* written by T0 at program.c:[0-9]+\.$'
expect_out '^   What to change: T0 has to write table \(program.c:[0-9]+\) before T1 reads it'
grep -q '"switches": 1,' seriatim.out/result.json || fail "expected one context switch"
grep -q '"repeats": true' seriatim.out/result.json || fail "expected runs that are equal"
! command -v python3 > said || python3 - <<'END' || fail "expected a verdict and what settled it for the same number of blocks of each run"
import json
for trace in json.load(open("seriatim.out/result.json"))["traces"]:
    decided = trace["static"] + trace["none"] + trace["violation"]
    assert sum(trace["settled"].values()) == decided, trace
END
grep -q '"kind": "signal", "status": "observed", "exit": null, "signal": 6' seriatim.out/result.json ||
    fail "expected the failure in result.json"
replayed
expect_out '^The program was ended by signal 6'

# The first thread ends the program before the other one has a turn.
run run -- ./program unjoined
expect_status 1
expect_out '\. The program fails under another schedule: signal 6 '
replayed
expect_out '^The program was ended by signal 6'

run run -- ./program freed
expect_status 1
expect_out '^1\. The program uses memory that was freed\.  \['
expect_out '^     the memory is .*, allocated at program.c:[0-9]+'
expect_out '^     T0 frees it at program.c:[0-9]+ in main\(\)$'
expect_out '^     T1 reads it at program.c:[0-9]+ in read_first\(\)$'
grep -q '"kind": "use after free"' seriatim.out/result.json || fail "expected it in result.json"
replayed
expect_out '^The program used memory that was freed'

run run -- ./program status
expect_status 1
expect_out '^1\. an assignment in add\(\) \(program.c:[0-9]+\) is not atomic'
expect_out '   Confirmed: it happened, and the program ended with status 3 instead of 0'

expect_out '^   It leads to a failure\. The program ends with status 3 instead of 0 under another schedule\.  \['
cause=$(sed -n 's/^1\. .*\[\(.*\)\]$/\1/p' out)
grep -q "\"cause\": \"$cause\"" seriatim.out/result.json || fail "expected the cause in result.json"
grep -q '^2\. ' out && fail "a violation and what follows from it are one entry"
run report seriatim.out -o -
expect_out "A consequence of finding $cause "

# All cells of the memory, in all runs, and the signal that follows: one bug.
run run -- ./program twice
expect_status 1
expect_out '^1\. .* is not atomic'
expect_out '^   It leads to a failure\. The program fails under another schedule: signal 6 '
[ "$(grep -c 'frees memory twice' out)" -le 1 ] || fail "memory is freed as a whole"
grep -q '^2\. ' out && fail "a violation and what follows from it are one entry"

# What it returns depends on the order of three threads: one entry, not one for each status.
run run -n 24 -- ./program statuses
expect_status 1
expect_out '^1\. The program ends with status [0-9]+ instead of [0-9]+ under another schedule\.  \['
expect_out '^     Other runs end with status [0-9]+, [0-9]+'
grep -q '^2\. ' out && fail "expected one entry"
grep -q '"otherStatuses": ' seriatim.out/result.json || fail "expected the statuses in result.json"

run run --effort quick -- ./program itself
expect_status 1
expect_out '^1\. The program fails without our help: signal 6 '
expect_out '^failure: the program fails without our help$'

run run --effort quick -- ./program wrong
expect_status 0
expect_out '^the program ended with status 3 without our help; '

run run -- ./program alone
expect_status 4
expect_out '^undecided: only one thread ran'
grep -q '^no violation' out && fail "nothing could be violated"

# A main that returns nothing has no status, which no run can differ in.
cat > nothing.c <<'END'
#include <stdio.h>
void main(void)
{
    printf("no status\n");
}
END
"$SERIATIM" cc -g -w nothing.c -o nothing || fail "the program should build"
run record -- ./nothing
expect_status 0

for right in counters flag disjoint once; do
    run run -- ./program $right
    expect_status 0
    expect_out '^no violation: '
done
finish
