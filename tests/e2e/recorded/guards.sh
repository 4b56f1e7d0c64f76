#!/bin/sh
# SPDX-License-Identifier: MIT
# The model guards: what a program does with a value that it has read, as far as one read decides
# it. The examples of the paper on symbolic prediction (Wang, Limaye, Ganai and Gupta, 2010), each
# from a serial run. LEVELS chooses other levels of optimisation than -O2.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# program BODY: threads that call first and second; BODY defines these, and block, which is atomic
program() {
    cat << END
#include <pthread.h>
#include <stdatomic.h>
int x, flag, data[4];
$1
static void *one(void *unused) { first(); return unused; }
static void *two(void *unused) { second(); return unused; }
int main(void)
{
    pthread_t a, b;
    flag = 0;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
}


# one DATA GUARDS BODY: exit statuses by the models data and guards
one() {
    program "$3" > one.c
    for level in ${LEVELS:--O2}; do
        run cc $level -pthread one.c -o one
        expect_status 0
        run record --quantum 1000000 -o one.srt -- ./one
        expect_status 0
        echo block > atomic
        run predict --model data --atomic ./atomic one.srt
        expect_status "$1"
        for engine in auto states dpor smt; do
            run predict --model guards --engine $engine --atomic ./atomic one.srt
            expect_status "$2"
        done
        run predict --atomic ./atomic one.srt
        expect_status "$2"
    done
}

noinline='__attribute__((noinline))'
increment="$noinline void block(void) { int a = x; x = a + 1; } void first(void) { block(); }"

# Figure 1(a): before the block has stored, b is 0.
one 0 0 "$increment void second(void) { int b = x; if (b > 0) x = 5; }"
one 0 1 "$increment void second(void) { int b = x; if (b >= 0) x = 5; }"
expect_out 'every branch that depends on them'
expect_json_model() {
    run predict --json result.json --atomic ./atomic one.srt
    grep -q '"model": *"guards"' result.json || fail "the violation does not name its model"
}
expect_json_model

# Figure 1(b): with signal and wait, and without.
one 0 0 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
$noinline void block(void) { x = 1; data[0] = x + 1; }
void first(void) { block(); pthread_mutex_lock(&m); flag = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }
void second(void) { pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); x = 3; }"
one 1 1 "$noinline void block(void) { x = 1; data[0] = x + 1; }
void first(void) { block(); } void second(void) { x = 3; }"

# Figure 6: the violation makes a branch go another way, after it has happened.
one 1 1 "$noinline int block(void) { x = 0; return x + 1; }
void first(void) { if (block() == 1) x = 2; } void second(void) { x = 3; data[1] = x; }"

# A flag that is used as a mutex; and one that lets the other in at once.
one 0 0 "$noinline void block(void) { int a = x; x = a + 1; }
void first(void) { block(); atomic_store((_Atomic int *)&flag, 1); }
void second(void) { if (atomic_load((_Atomic int *)&flag) == 1) x = 5; }"
one 0 1 "$noinline void block(void) { int a = x; x = a + 1; }
void first(void) { block(); atomic_store((_Atomic int *)&flag, 1); }
void second(void) { if (atomic_load((_Atomic int *)&flag) != 2) x = 5; }"

# Check-then-act, with a lock around each access, and a parameter that decides.
withdraw="$noinline void block(int n) { if (has(n)) take(n); }
void first(void) { block(10); } void second(void) { block(20); }"
locked='pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int has(int n) { pthread_mutex_lock(&m); int is = x >= n; pthread_mutex_unlock(&m); return is; }
void take(int n) { pthread_mutex_lock(&m); x = x - n; pthread_mutex_unlock(&m); }'
one 0 1 "$locked $withdraw __attribute__((constructor)) void start(void) { x = 100; }"
one 0 0 "$locked $withdraw __attribute__((constructor)) void start(void) { x = 15; }"

# A certain violation is shown by the program itself.
program "$increment void second(void) { int b = x; if (b >= 0) x = 5; }" > one.c
run cc -O1 -g -pthread one.c -o one
expect_status 0
run run --effort quick --atomic ./atomic -- ./one
expect_status 1
expect_out 'Confirmed'
# A local that is written several times; unsigned numbers that do not fit.
one 0 1 "$increment void second(void) { int s = 1; s += x; s++; if (s > 0) x = s; }"
one 0 0 "$increment void second(void) { int s = 1; s += x; s++; if (s == 3) x = s; }"
one 0 1 "$increment void second(void) { int b = x; if (b > 9) b = 9; x = b + 3; }"
one 0 0 "$increment void second(void) { int b = x; if (b > 0) b = 9; else b = 5; x = b; }"

# Through another variable: the values along the way are shown, and each triple has its schedule.
one 0 1 "$increment void second(void) { int b = x; flag = b * 2; int c = flag; if (c >= 0) x = 7; }"
expect_out 'event [0-9]+ of T2, r\(x\): 0, recorded 1'
expect_out 'event [0-9]+ of T2, w\(flag\): 0, recorded 2'
expect_out '^  Values along the path:$'
expect_out '^  event [0-9]+ of T2, w\(x\): 7$'
run predict --json result.json --atomic ./atomic one.srt
grep -q '"value": 0, "recorded": 2' result.json || fail "the values are not in JSON"
grep -q '"path_values": .*"value": 7, "recorded": 7' result.json || fail "the values along the path are not in JSON"
rm -rf schedules
run predict --criterion triple --schedules schedules --atomic ./atomic one.srt
expect_status 1
for schedule in schedules/*; do
    run replay --strict --atomic ./atomic --schedule "$schedule" one.srt -- ./one
    expect_out '^shown'
done
one 0 0 "$increment void second(void) { int b = x; flag = b * 2; int c = flag; if (c == 2) x = 7; }"

# A limit in memory that nobody else uses: the guard over both still decides.
one 0 0 "$increment int limit = 1; void second(void) { int b = x; if (b >= limit) x = b + 3; }"
one 0 1 "$increment int limit = 0; void second(void) { int b = x; if (b >= limit) x = b + 3; }"

# Two parameters in one guard; a branch behind the release of the lock; a lock made of a compare-exchange.
one 0 1 "$increment $noinline void between(int low, int high) { int b = x; if (b >= low && b <= high) x = 5; }
void second(void) { between(0, 10); }"
one 0 0 "$increment $noinline void between(int low, int high) { int b = x; if (b >= low && b <= high) x = 5; }
void second(void) { between(1, 10); }"
one 0 1 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void add(int *to, int n) { pthread_mutex_lock(&m); *to += n; pthread_mutex_unlock(&m); }
$noinline void block(void) { add(&data[0], -5); add(&data[1], 5); } void first(void) { block(); }
void second(void) { pthread_mutex_lock(&m); int sum = data[0] + data[1]; pthread_mutex_unlock(&m); if (sum == 0) x = 1; }"
one 0 1 "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, *m = &lock;
void add(int *to, int n) { pthread_mutex_lock(m); *to += n; pthread_mutex_unlock(m); }
$noinline void block(void) { add(&data[0], -5); add(&data[1], 5); } void first(void) { block(); }
void second(void) { pthread_mutex_lock(m); int sum = data[0] + data[1]; pthread_mutex_unlock(m); if (sum == 0) x = 1; }"
spin='void lock(void) { int no = 0; while (!__atomic_compare_exchange_n(&flag, &no, 1, 0, 5, 5)) no = 0; }
void unlock(void) { __atomic_store_n(&flag, 0, 5); } void count(void) { lock(); data[0]++; unlock(); }'
one 1 1 "$spin $noinline void block(void) { int a = x; x = a + 1; } void first(void) { block(); count(); }
void second(void) { count(); x = 7; }"
one 0 0 "$spin $noinline void block(void) { int a = x; x = a + 1; } void first(void) { lock(); block(); unlock(); }
void second(void) { lock(); x = 7; unlock(); }"
# The same if the recorder does not see that it is a lock: what the compare-exchange decides is known.
one 0 1 "int zero; $(echo "$spin" | sed 's/no = 0/no = zero/g') $noinline void block(void) { int a = x; x = a + 1; }
void first(void) { block(); count(); } void second(void) { count(); x = 7; }"

# Numbers that are known before the read: counters of loops, but not those of another round.
one 0 1 "$increment void second(void) { for (int i = 0; i < 3; i++) { int b = x; if (b < 5 + i) data[i] = 1; } x = 9; }"
one 0 1 "$increment void second(void) { for (int i = 1; i < 3; i++) { int b = x; if (b >= i * 3) break; x = b + i; } }"
one 0 0 "$increment void second(void) { for (int i = 0; i < 3; i++) { int b = x; if (b > i) data[i] = 1; } x = 9; }"
one 0 0 "$increment void second(void) { int last = 3; for (int i = 0; i < 3; i++) { if (last >= i) data[i] = 1; last = x; } x = 9; }"

# A write before the branch happens whatever was read, and one behind it does not.
one 0 1 "$increment void second(void) { int b = x; x = 7; if (b == 1) data[0] = 1; }"
one 0 0 "$increment void second(void) { int b = x; data[0] = b; if (b == 1) x = 7; }"

# So does a release behind a loop that adds up, or behind a branch that joins again; not what the loop's next round decides.
adding='pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void add(int *to, int n) { pthread_mutex_lock(&m); *to += n; pthread_mutex_unlock(&m); }'
one 0 1 "$adding $noinline void block(void) { add(&data[0], -5); add(&data[1], 5); } void first(void) { block(); }
void second(void) { int sum = 0; pthread_mutex_lock(&m); for (int i = 0; i < 4; i++) sum += data[i]; pthread_mutex_unlock(&m);
    if (sum == 0) x = 1; }"
one 0 1 "$adding int mode; $noinline void block(void) { add(&data[0], -5); add(&data[1], 5); } void first(void) { block(); }
void second(void) { pthread_mutex_lock(&m); int sum = data[0] + data[1]; if (mode) data[3] = 1; else data[2] = 1;
    pthread_mutex_unlock(&m); if (sum == 0) x = 1; }"
one 0 0 "$increment void second(void) { int last = 1; for (int i = 0; i < 2; i++) { if (last == 1) data[i] = 1; else return; last = x; }
    if (last == 1) x = 7; }"
one 0 0 "$increment void second(void) { int sum = 0; for (int i = 0; i < 3; i++) { if (sum >= i) data[i] = 1; else return; sum += x; } x = 7; }"

# What is only printed decides nothing, unless somebody asks how long it was.
one 0 1 "#include <stdio.h>
$increment void second(void) { printf(\"%d\\n\", x); x = 5; }"
one 0 0 "#include <stdio.h>
$increment void second(void) { if (printf(\"%d\\n\", x) > 1) x = 5; }"

# Small functions that are not inlined: values go through them into stores.
apart="$noinline int get(void) { return x; } $noinline void set(int n) { x = n; }"
one 0 1 "$apart $increment void second(void) { int b = get(); if (b >= 0) set(b + 2); }"
one 0 0 "$apart $increment void second(void) { int b = get(); if (b >= 1) set(b + 2); }"

# Copies of structures, member by member.
pair='#include <string.h>
struct { int a, b; } kept, copy;'
one 0 1 "$pair $noinline void block(void) { int a = kept.a; kept.a = a + 1; } void first(void) { block(); }
void second(void) { memcpy(&copy, &kept, sizeof copy); if (copy.a < 2) kept.a = 7; }"
one 0 0 "$pair $noinline void block(void) { int a = kept.a; kept.a = a + 1; } void first(void) { block(); }
void second(void) { memcpy(&copy, &kept, sizeof copy); if (copy.a == 1) kept.a = 7; }"

# Functions of the library that call nothing back.
one 0 1 "#include <stdlib.h>
$increment void second(void) { int b = abs(x - 4); if (b > 2) x = b; }"

# A copy, with nothing computed.
one 0 1 "$increment void second(void) { flag = x; int b = flag; if (b < 2) x = 7; }"
one 0 0 "$increment void second(void) { flag = x; int b = flag; if (b == 1) x = 7; }"

# Guarded independence: writes of what was there anyway, and two writes of the same value.
triples() {
    program "$2" > one.c
    run cc -O1 -pthread one.c -o one
    run record --quantum 1000000 -o one.srt -- ./one
    run predict --criterion triple --atomic ./atomic one.srt
    expect_status "$1"
    run predict --atomic ./atomic one.srt
    expect_status 1
}
triples 0 "$increment void second(void) { x = 0; }"
triples 1 "$increment void second(void) { x = 2; }"
triples 0 "$increment void second(void) { x = 1; }"
triples 0 "$increment void second(void) { int b = x; x = b + 1; }"
triples 1 "$increment void second(void) { int b = x; x = b + 2; }"

# What an atomic update has read, and what it writes.
updating="$noinline void block(void) { int a = x; x = a + 1; }
void first(void) { block(); __atomic_fetch_add(&flag, 1, __ATOMIC_SEQ_CST); }"
one 0 0 "$updating void second(void) { if (__atomic_fetch_add(&flag, 1, __ATOMIC_SEQ_CST) == 1) x = 5; }"
one 0 1 "$updating void second(void) { if (__atomic_fetch_add(&flag, 1, __ATOMIC_SEQ_CST) >= 0) x = 5; }"

# What a variable held before its first write, which no read shows.
one 0 1 "$noinline void block(void) { int a = x; x = a + 1; } int limit = 7; void first(void) { block(); limit = 2; }
    void second(void) { if (limit >= 1) x = 5; }"
one 0 0 "$noinline void block(void) { int a = x; x = a + 1; } int limit; void first(void) { block(); limit = 2; }
    void second(void) { if (limit >= 1) x = 5; }"
one 0 1 "$noinline void block(void) { int a = x; x = a + 1; } atomic_int limit = 3; void first(void) { block(); limit += 4; }
    void second(void) { if (limit >= 1) x = 5; }"

# Numbers with a point.
halved="double rate = 1.5; $noinline void block(void) { double a = rate; rate = a * 0.5 + 1.0; } void first(void) { block(); }"
one 0 1 "$halved void second(void) { float b = rate; if (b > 1.0f) rate = -rate; }"
one 0 0 "$halved void second(void) { int b = (int)(rate * 4); if (b == 7) rate = b; }"

# Sums over the rounds of a loop: what comes out of them decides, and is stored.
summed="int add(void) { int sum = 0; for (int i = 0; i < 4; i++) sum += data[i]; return sum; }
$noinline void block(void) { int a = add(); data[1] = a + 1; } void first(void) { block(); }"
one 0 0 "$summed void second(void) { if (add() > 0) data[1] = 5; }"
one 0 1 "$summed void second(void) { if (add() >= 0) data[1] = 5; }"
one 0 1 "$summed void second(void) { int many = 0; for (int i = 0; i < 4; i++) if (data[i] >= 0) many++;
    if (many > 3) data[1] = many; }"
one 0 0 "$summed void second(void) { for (int i = 0, sum = 0; i < 4; i++) { sum = sum * 3 + data[i]; if (sum == 1) data[1] = 5; } }"

# How many reads are followed, and why not the others.
one 0 0 "$increment void *volatile place; void second(void) { int b = x; if (b > 0) { place = (void *)(long)data[x & 1]; x = 5; } }"
run predict --model guards --json result.json --atomic ./atomic one.srt
tr -d ' \n' < result.json | grep -q '"reads":{"shared":[1-9][0-9]*,"guarded":[1-9]' || fail "the reads that are followed are not counted"

# Cases that lead to one place are one guard.
one 0 1 "$increment void second(void) { switch (x) { case 0: case 1: x = 5; } }"

finish
