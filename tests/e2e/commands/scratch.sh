#!/bin/sh
# SPDX-License-Identifier: MIT
# What runs of a program find when they start, and what stays on disk: --scratch, --reset, standard
# input from a pipe, the build of a replayed program, --redact, --disk.
. "$(dirname "$0")/../lib.sh"

cat > files.c << 'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int total, amount = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void) { pthread_mutex_lock(&lock); int now = total; pthread_mutex_unlock(&lock); return now; }
static void set(int to) { pthread_mutex_lock(&lock); total = to; pthread_mutex_unlock(&lock); }
static void update(void) { set(get() + amount); }
static void *work(void *unused) { update(); return unused; }
int main(void)
{
    pthread_t one, other;
    int data;
    FILE *file = fopen("data", "r");
    if (!file || fscanf(file, "%d", &data) != 1 || scanf("%d", &amount) != 1)
        return 9;
    fclose(file);
    if (access("made", F_OK) == 0)
        return 7;
    fclose(fopen("made", "w"));
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    printf("%d %d\n", data + DATA, total);
    return 0;
}
END
"$SERIATIM" cc -g -DDATA=0 -o files files.c -pthread || exit 1
mkdir folder
echo 5 > folder/data
printf '7\nmore\n' > typed

# run_piped ARGUMENTS...: as run, with standard input from a pipe.
run_piped() {
    shown="cat typed | seriatim $*"
    status=0
    cat typed | "$SERIATIM" "$@" > out 2> err || status=$?
}

# Each run finds the folder as it was, and the same input.
run_piped run --effort quick -o res --scratch folder -- ./files
expect_status 1
expect_out '^5 14$'
expect_out 'prints "5 7" instead of "5 14"'
[ "$(ls folder)" = data ] || fail "the folder itself was used"
cmp -s typed res/run.input || fail "standard input was not kept"
[ -f res/run-1.scratch/made ] || fail "the folder of the run in which something was found is gone"
[ ! -e res/run.scratch ] || fail "the copy of the last run is left"
grep -Eq '"(exit)": [79]' res/result.json && fail "a run found files of another, or no input"

# A replay finds both, too; a program that was built differently is said to be.
id=$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' res/result.json | head -1)
run replay -f res --scratch folder "$id"
expect_status 1
expect_out '^5 7$'
grep -q 'different build' out && fail "the same build is said to be another"
"$SERIATIM" cc -g -DDATA=1 -o files files.c -pthread || exit 1
run replay -f res --scratch folder --json - "$id"
expect_status 1
expect_out '"otherBuild": true'
run replay -f res --scratch folder "$id"
expect_out 'different build'

# The working folder may be the one that the output is in; what others left there is theirs.
cd folder || exit 1
cp ../typed ../files .
echo kept > input
run_piped run -n 2 --scratch . -- ./files
expect_status 1
expect_out '^6 14$'
[ ! -e made ] || fail "the folder itself was used"
cd .. || exit 1

# A command restores what runs change. If it fails there are no more runs.
cp folder/data .
run_piped run -n 3 -o res --reset 'rm -f made; echo again' -- ./files
expect_status 1
[ "$(grep -c again err)" -ge 2 ] || fail "expected the command before the second and third run"
grep -Eq '"(exit)": 7' res/result.json && fail "a run found the file of another"
rm -f made
run_piped run -n 3 -o res --reset 'exit 3' -- ./files
expect_status 3
expect_err "reset exit 3: it ended with status 3"
rm -f made
run run --scratch nowhere -- ./files
expect_status 3
expect_err 'nowhere: No such file'

# Nothing of what the program works on stays.
run_piped run --effort quick -o res --scratch folder --redact -- ./files
expect_status 1
[ ! -e res/run.input ] && [ ! -e res/run-1.out ] || fail "input or output was left"
grep -q 'prints' res/result.json && fail "output was left in result.json"
for trace in res/*.srt; do
    "$SERIATIM" convert --to text "$trace" -o - | grep -E '[|][rw]+\(' | grep -q value= && fail "$trace has values"
    "$SERIATIM" info "$trace" | grep -q 'left out' || fail "$trace does not say that values were left out"
done
"$SERIATIM" record -q -o whole.srt -- ./files < typed > /dev/null
rm -f made
"$SERIATIM" convert --to text whole.srt -o - | grep -E '[|]w\(' | grep -q value= || fail "values are missing without --redact"
"$SERIATIM" convert -q --redact --to text whole.srt -o - | grep -E '[|][rw]+\(' | grep -q value= && fail "convert --redact left values"
"$SERIATIM" record -q --redact -o whole.srt -- ./files < typed > /dev/null
"$SERIATIM" convert --to text whole.srt -o - | grep -E '[|][rw]+\(' | grep -q value= && fail "record --redact left values"

# Above the limit the oldest traces go first.
cat > much.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static long numbers[4096];
static void *work(void *unused)
{
    for (int i = 0; i < 60000; i++)
        __atomic_store_n(&numbers[random() % 4096], random() * random(), __ATOMIC_RELAXED);
    return unused;
}
int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    work(0);
    pthread_join(one, 0);
}
END
"$SERIATIM" cc -g -o much much.c -pthread || exit 1
run run -n 4 -o res --disk 3 --no-replay --atomic locks -- ./much
[ -f res/run-1.srt ] && [ -f res/run-4.srt ] || fail "the first or the last run was removed"
[ ! -f res/run-2.srt ] || fail "the oldest run is still there"
run run -n 4 -o res --disk 1 --no-replay --atomic locks -- ./much
expect_status 4
expect_out 'reached its limit'
finish
