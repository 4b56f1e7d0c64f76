#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim explain ID and seriatim replay ID: one finding of an earlier run, once more.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > program.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int total, ready;
static void *add(void *unused)
{
    total += 1;
    return unused;
}
static void *use(void *unused)
{
    assert(ready);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, argc > 1 ? use : add, argv);
    ready = 1;
    pthread_create(&threads[1], NULL, add, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
"$SERIATIM" cc -g -O1 -pthread program.c -o program || fail "the program should build"

run run -o found -- ./program
expect_status 1
id=$(sed -n 's/^1\. .*\[\([0-9a-f]*\)\]$/\1/p' out)
[ -n "$id" ] || fail "expected an id"

run explain -f found "$id"
expect_status 0
expect_out "^1\. an assignment in add\(\) \(program.c:7\) is not atomic  \[$id\] confirmed"
expect_out '^   Confirmed: '
run explain -f found "$(echo "$id" | cut -c 1-5)"
expect_status 0

# The program, too, is that of the run.
run replay -f found "$id"
expect_status 1
expect_out '^shown: block [0-9]+ of T[12] \(program.c:7\) was violated in the real program$'
run replay -f found "$id" -- ./program
expect_status 1

run explain -f found 0000000000
expect_status 3
expect_err "^seriatim: found/result.json: no finding has the id 0000000000; there are: $id$"
run replay -f found 0000000000
expect_status 3
run explain -f nowhere "$id"
expect_status 3
expect_err '^seriatim: nowhere/result.json is missing: run seriatim run first, or name the output folder of an earlier run with --folder$'
run explain
expect_status 2

# A failure has an id, too.
run run -o failed -- ./program early
expect_status 1
id=$(sed -n 's/^[0-9]*\. The program fails .*\[\([0-9a-f]*\)\]$/\1/p' out)
run explain -f failed "$id"
expect_out '\. Signal 6 \(Aborted\) ends the program'
run replay -f failed "$id"
expect_status 1
expect_out '^shown: the recorded run happened again$'
finish
