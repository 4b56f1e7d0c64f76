#!/bin/sh
# SPDX-License-Identifier: MIT
# A replay elides what the recorded run has elided, while it follows its schedule and after that:
# else a replay of a large program takes far longer than its recording.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > work.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdlib.h>
static int balance;
static int compute(int *cells, int rounds)
{
    for (int i = 0; i < rounds; i++)
        cells[i % 64] += cells[(i + 1) % 64] + i;
    return cells[0];
}
static void *deposit(void *amount)
{
    int *cells = calloc(64, sizeof *cells);
    compute(cells, 100000);
    SERIATIM_ATOMIC_BEGIN("deposit");
    balance += *(int *)amount;
    SERIATIM_ATOMIC_END();
    compute(cells, 100000);
    free(cells);
    return NULL;
}
int main(void)
{
    int amounts[2] = {1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, deposit, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$SERIATIM" cc -O1 -g -pthread work.c -o work || fail "work.c should build"
run run --effort quick --runtime exact=1000 -- ./work
expect_status 1
expect_out 'it happened, and the program ended with status 0 as before'
expect_err 'operations on memory that threads did not share were elided'
run info --json - seriatim.out/replay-1.srt
events=$(sed -n 's/.*"events": *\([0-9]*\).*/\1/p' out | head -n 1)
[ "$events" -lt 20000 ] || fail "expected few events of a replay, not $events"
finish
