#!/bin/sh
# SPDX-License-Identifier: MIT
# The model data: a recording alone shows that an update can be lost, if what is read is only
# stored. What a program does with the value is found by the compiler: in a function that others
# may call, in another object, or in none that it sees.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# program BODY: two threads that each call deposit, which BODY defines
program() {
    cat << END
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int balance;
_Atomic int atom;
char text[16] = "text";
$1
static void *work(void *unused)
{
    deposit(10);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    printf("%d %d\n", balance, atom);
}
END
}

get='int get(void) { pthread_mutex_lock(&mutex); int v = balance; pthread_mutex_unlock(&mutex); return v; }'
set='void set(int v) { pthread_mutex_lock(&mutex); balance = v; pthread_mutex_unlock(&mutex); }'

# expect_verdict NAME STATUS: in the model data; avp finds nothing
expect_verdict() {
    run record -o "$1.srt" -- "./$1"
    expect_status 0
    echo deposit > atomic
    run predict --model avp --atomic ./atomic "$1.srt"
    expect_status 0
    run predict --model data --atomic ./atomic "$1.srt"
    expect_status "$2"
}

# one STATUS BODY [LEVELS]: for each level of optimisation, of which $LEVELS may name others
one() {
    program "$2" > one.c
    for level in ${3:-${LEVELS:--O2}}; do
        run cc $level -pthread one.c -o one
        expect_status 0
        expect_verdict one "$1"
    done
}

one 1 "$get $set void deposit(int n) { set(get() + n); }" '-O0 -O1 -O2'
expect_out 'its thread goes on'
one 1 'void deposit(int n) { atomic_store(&atom, atomic_load(&atom) + n); }'
# Others may print what it returns.
one 1 "static $get $set void deposit(int n) { set(get() + n); } void show(void) { printf(\"%d\", get()); }" -O0
# Who frees memory runs no code that nobody sees.
one 1 "$get $set void deposit(int n) { free((void *volatile){malloc(8)}); set(get() + n); }" -O1
# Its value decides where the thread goes, what it accesses, or what others print.
one 0 "$get $set void deposit(int n) { int v = get(); if (v < 1000) set(v + n); }"
one 0 "$get $set void deposit(int n) { int v = get(); text[v % 4 + 4] = 1; set(v + n); }"
one 0 "$get $set void deposit(int n) { int v = get(); printf(\"%d\\n\", v); set(v + n); }"
one 0 'void deposit(int n) { int v = atom; atomic_compare_exchange_strong(&atom, &v, v + n); }'
# It comes back from a variable of the thread's own, which others can reach.
one 0 "$get $set void keep(int *p, int v) { *p = v; }
void deposit(int n) { int mine; keep(&mine, get()); if (mine < 1000) set(mine + n); }"
# Code that is not instrumented may read what was stored, and its thread do something else then;
# but not if it is known what it reads.
one 0 "$get $set void deposit(int n) { int v = get(); n += mblen(text, 1) - 1; set(v + n); }"
one 1 "$get $set void deposit(int n) { int v = get(); printf(\"%s\\n\", text); set(v + n); }"

# C++: the state of a thread is freed at its end, by a function of the program.
cat > both.cc << 'END'
#include <atomic>
#include <mutex>
#include <thread>
static std::mutex mutex;
static std::atomic<int> atom;
static int balance;
#ifndef GUARD
#define GUARD std::lock_guard<std::mutex>
#endif
static int get() { GUARD guard(mutex); return balance; }
static void set(int v) { GUARD guard(mutex); balance = v; }
__attribute__((noinline)) void deposit(int n)
{
#ifdef ATOMIC
    atom.store(atom.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
#elif defined OPERATORS
    atom = atom + n;
#else
    set(get() + n);
#endif
}
int main()
{
    std::thread one(deposit, 1), other(deposit, 2);
    one.join();
    other.join();
    return atom + balance == 0;
}
END
for options in '-O0 -DATOMIC' '-O2 -DATOMIC' '-O0 -DOPERATORS' -O0 -O1 -O2 '-O0 -DGUARD=std::unique_lock<std::mutex>' \
    '-O0 -DGUARD=std::scoped_lock<std::mutex>'; do
    run c++ $options -std=c++17 -pthread both.cc -o both
    expect_status 0
    expect_verdict both 1
done

# The linker keeps one body of an inline function: the one of an object that stores only constants by
# it does not say that these are all.
cat > keep.h << 'END'
inline void keep(int *place, int value) { *place = value; }
END
cat > constants.cc << 'END'
#include "keep.h"
void reset(int *place) { keep(place, 0); }
END
cat > reads.cc << 'END'
#include "keep.h"
#include <mutex>
#include <thread>
void reset(int *);
static std::mutex mutex;
static int balance;
static int get() { std::lock_guard<std::mutex> guard(mutex); return balance; }
static void set(int v) { std::lock_guard<std::mutex> guard(mutex); balance = v; }
void deposit(int n)
{
    int mine;
    reset(&mine);
    keep(&mine, get());
    if (mine < 1000)
        set(mine + n);
}
int main()
{
    std::thread one(deposit, 1), other(deposit, 2);
    one.join();
    other.join();
}
END
for objects in 'constants.cc reads.cc' 'reads.cc constants.cc'; do
    run c++ -O0 -pthread $objects -o kept
    expect_status 0
    expect_verdict kept 0
done

# The same in two objects: both instrumented, and one that is not.
program 'int get(void); void set(int); void touch(void);
void deposit(int n) { int v = get(); set(v + n); touch(); atom = balance; }' > main.c
{
    echo '#include <pthread.h>'
    echo 'extern pthread_mutex_t mutex; extern int balance;'
    echo "$get $set"
} > store.c
echo 'int touched; void touch(void) { touched++; touched++; }' > touch.c
"$SERIATIM" cc -O1 -c -pthread main.c store.c touch.c || fail "compiles"
"$SERIATIM" cc -pthread main.o store.o touch.o -o seen || fail "links"
run record -o seen.srt -- ./seen
run convert --to text seen.srt
grep -q 'flow=leaves' out && fail "instrumented code of another object is taken for code outside"
"${SERIATIM_CLANG:-clang}" -O1 -c touch.c
"$SERIATIM" cc -pthread main.o store.o touch.o -o unseen || fail "links"
run record -o unseen.srt -- ./unseen
run convert --to text unseen.srt
expect_out 'T1\|skip\|\|flow=leaves'
expect_out 'T1\|skip\|\|flow=returns'

# Flows survive every conversion.
run convert --to text one.srt
cp out one.std
expect_out 'flow=data'
run convert --to native one.std -o again.srt
run convert --to text again.srt
expect_same out one.std
finish
