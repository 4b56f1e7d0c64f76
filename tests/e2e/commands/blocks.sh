#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run: which parts of a program without annotations are blocks, and what they are called.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > program.c <<'EOF'
#include <pthread.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int level, ready, items, taken, sum;

static void *background(void *unused)
{
    ready = level + 1;
    return unused;
}
static void initialise(void) /* what runs once may let others work for it */
{
    pthread_t thread;
    level = 3;
    ready = 0;
    pthread_create(&thread, NULL, background, NULL);
    pthread_join(thread, NULL);
    level = ready;
}
static void *use_once(void *unused)
{
    pthread_once(&once, initialise);
    return unused;
}
static void take(void) /* lets others in where it waits */
{
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&filled, &mutex);
    items--;
    taken++;
    pthread_mutex_unlock(&mutex);
}
static void put(void)
{
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
}
static void *take_or_put(void *takes)
{
    for (int i = 0; i < 3; i++)
        takes ? take() : put();
    return NULL;
}
static void my_lock(void)
{
    pthread_mutex_lock(&mutex);
}
static void *wrapped(void *other)
{
    if (other)
        return sum = 7, NULL;
    my_lock();
    sum = sum + 1;
    level = sum;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *loop(void *unused)
{
    for (int i = 0; i < 3; i++) {
        int old = sum;
        sum = old + 1;
    }
    return unused;
}
static void run_two(void *(*work)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &mutex);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    run_two(strcmp(what, "once") == 0      ? use_once
            : strcmp(what, "waits") == 0   ? take_or_put
            : strcmp(what, "wrapped") == 0 ? wrapped
                                           : loop);
    return 0;
}
EOF
"$SERIATIM" cc -g -O1 -pthread program.c -o program || fail "the program should build"

run run --effort quick -- ./program once
expect_status 0
expect_out '^no violation: '

for atomic in auto functions named; do
    echo take > named
    run run --effort quick --atomic $atomic -- ./program waits
    expect_status 0
    expect_out '^no violation: '
done

run run --effort quick --atomic locks -- ./program wrapped
expect_status 1
expect_out '^1\. a block in wrapped\(\) \(program.c:[0-9]+\) is not atomic'

run run --effort quick -- ./program loop
expect_status 1
expect_out '^1\. a round of the loop in loop\(\) \(program.c:[0-9]+\) is not atomic'
grep -q '"atomic": "rounds"' seriatim.out/result.json || fail "expected a round in result.json"

# A file of functions: what was looked at, and lines that match nothing.
printf 'take\nputt\n-my_lock\n' > names
run run --effort quick --atomic names -- ./program waits
expect_status 0
expect_out '^  looked at: [0-9]+ function calls \(take\); [0-9]+ with a conflict with another thread$'
expect_out "^No function of the recorded run matches 'putt' of names; did you mean 'put'\?$"
tr -d ' \n' < seriatim.out/result.json | grep -q '"unmatched":\["putt"\]' ||
    fail "expected the line in result.json"

printf 'tke\nnothing_like_it\n' > names
run run --effort quick --atomic names -- ./program waits
expect_status 3
expect_err "^seriatim: names: no function of the recorded run matches 'tke', nor any other line; did you mean 'take'\?$"
grep -q 'no violation' out && fail "nothing was looked at"

# A program that ends before its threads did anything: their functions are called in later runs.
cat > leaves.c <<'EOF'
#include <pthread.h>
static int sum;
static void *add(void *unused)
{
    int old = sum;
    sum = old + 1;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, add, NULL);
    pthread_create(&threads[1], NULL, add, NULL);
    return 0;
}
EOF
"$SERIATIM" cc -g -O1 -pthread leaves.c -o leaves || fail "the program should build"
echo add > names
run run --atomic names -- ./leaves
expect_status 1
expect_out '^1\. add\(\) \(leaves.c:[0-9]+\) is not atomic'
echo adds > names
run run --effort quick --atomic names -- ./leaves
expect_status 3
expect_err "^seriatim: names: no function of the recorded runs? matches 'adds'"

# Overloads are told apart by their places, in the pass for the verdict and in that for explanations.
cat > overloads.std << 'EOF'
T1|call(add)|src/sum.cc:4
T1|r(x)|src/sum.cc:5
T2|w(x)|src/sum.cc:9
T1|w(x)|src/sum.cc:6
T1|ret(add)|src/sum.cc:4
EOF
for place in 4 8; do
    echo "add@sum.cc:$place" > names
    run check --atomic names overloads.std
    expect_status $((place == 4))
done
echo 'add@*/sum.cc:4' > names
run predict --atomic names overloads.std
expect_status 1
finish
