#!/bin/sh
# SPDX-License-Identifier: MIT
# A prediction on the ranks of an MPI job is what one process gives, also after two ranks were killed
# and the job was started again, which does only what is missing; blocks that take too long are divided
# into parts. Then schedules of explore.
. "$(dirname "$0")/../lib.sh"
mpi=$BUILD/seriatim-mpi
[ -x "$mpi" ] && command -v mpirun > /dev/null || { echo "skipped: built without MPI"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# ranks N ARGUMENTS...: out, err and status as by `run`.
ranks() {
    number=$1
    shift
    shown="mpirun -n $number seriatim-mpi $*"
    status=0
    mpirun -n "$number" "$mpi" "$@" > out 2> err < /dev/null || status=$?
}

without_costs() {
    sed -E 's/"(seconds|explored|constraints)": [0-9.]+/"\1": -/g' "$1"
}

# same_as_one FOLDER TRACE OPTIONS...: the whole that is in the folder, and a prediction by one process.
same_as_one() {
    output=$1 trace=$2
    shift 2
    "$SERIATIM" predict -j 1 "$@" --json one.json "$trace" > /dev/null
    without_costs one.json > one.plain
    without_costs "$(echo "$output/${trace##*/}"-*/whole.json)" > whole.plain
    expect_same one.plain whole.plain
}

# Ten lost updates; thirty rounds in which each thread holds two locks one after the other, two-phase.
for i in 0 1 2 3 4 5 6 7 8 9; do
    printf 'T1|begin(b%s)|a:1\nT1|r(x%s)|a:2\nT1|w(x%s)|a:3\nT1|end(b%s)|a:4\nT2|w(x%s)|b:1\n' $i $i $i $i $i
done > ten.std
awk 'BEGIN {
    for (i = 0; i < 30; i++)
        for (t = 1; t <= 4; t++) {
            a = "a" (i * t) % 7; b = "b" (i + t) % 5
            if (t == 1) printf "T1|begin(m)|1\nT1|acq(K)|1\nT1|w(%s)|1\nT1|acq(L)|1\nT1|rel(K)|1\nT1|w(%s)|1\nT1|rel(L)|1\nT1|end(m)|1\n", a, b
            else printf "T%d|acq(K)|2\nT%d|r(%s)|2\nT%d|rel(K)|2\nT%d|acq(L)|2\nT%d|w(%s)|2\nT%d|rel(L)|2\n", t, t, a, t, t, t, b, t
        }
}' > phases.std

# A fleet of traces.
ranks 3 predict --model avp --simulate 8 -o fleet ten.std phases.std "$source_folder/examples/traces/bank.std"
expect_status 1
expect_err '3 simulated ranks: .* efficiency (1\.00|0\.[0-9]+);'
expect_err '6 simulated ranks: .* efficiency'
expect_out '^violation: 10 of 10 blocks can be violated$'
expect_err '3 ranks: .* efficiency'
for trace in ten.std phases.std "$source_folder/examples/traces/bank.std"; do
    same_as_one fleet "$trace" --model avp
done

# Again: nothing is left to do. Then some of it.
touch -d '2001-01-01' fleet/*/*.json
rm "$(echo fleet/ten.std-*/shard-2-of-2.json)"
ranks 2 predict --model avp -o fleet ten.std phases.std
expect_status 1
[ "$(find fleet -name 'shard-*.json' -newermt 2002-01-01 | wc -l)" = 1 ] || fail "only what is missing is to be done"
same_as_one fleet ten.std --model avp

# Every block that is searched takes too long, and is divided.
ranks 3 predict --model avp --no-static --slice 0.000001 --parts 4 -o parts phases.std ten.std
expect_status 1
[ -n "$(find parts -name 'part-*-of-4.json')" ] || fail "no block was divided into parts"
"$SERIATIM" predict -j 1 --model avp --no-static --json one.json phases.std > /dev/null
for file in one.json parts/phases.std-*/whole.json; do
    grep -o '"verdict": "[a-z]*"' "$file" | sort | uniq -c > "${file##*/}.verdicts"
done
expect_same one.json.verdicts whole.json.verdicts
run merge parts/phases.std-*/shard-*.json
expect_status 4

# Two of four ranks are killed. On a busy machine the job may end before that: then a longer one.
for rounds in 300 600 1200; do
    awk -v rounds=$rounds 'BEGIN { for (i = 0; i < rounds; i++) for (t = 0; t < 6; t++) {
        printf "T%d|begin(m)|1\nT%d|r(v%d)|1\nT%d|w(v%d)|1\nT%d|end(m)|1\n", t, t, (i * 7 + t) % 50, t, (i + t * 3) % 50, t } }' > busy.std
    rm -rf killed
    shown="two ranks killed"
    mpirun -n 4 "$mpi" predict --model avp -o killed busy.std > out 2> err < /dev/null &
    job=$!
    has_some() {
        [ "$(find killed -name 'shard-*.json' 2> /dev/null | wc -l)" -ge 3 ] || is_gone $job
    }
    wait_for 'some of the work to be done' has_some
    for rank in $(pgrep -P $job | sed -n '2,3p'); do
        kill -9 "$rank" 2> /dev/null
    done
    status=0
    wait $job || status=$?
    [ "$status" = 1 ] || break
done
[ "$status" != 1 ] || fail "the job should have been killed before its end"
[ -z "$(find killed -name whole.json)" ] || fail "there is a result although ranks were killed"
early=$(find killed -name 'shard-*.json' | wc -l)
touch -d '2001-01-01' killed/*/*.json
ranks 3 predict --model avp -o killed busy.std
expect_status 1
[ "$(find killed -name 'shard-*.json' ! -newermt 2002-01-01 | wc -l)" = "$early" ] || fail "what was done was done again"
same_as_one killed busy.std --model avp

# What does not go.
ranks 2 predict -o fleet missing.std
expect_status 3
expect_err 'missing.std'
ranks 1 predict --window 8 -o fleet ten.std
expect_status 2
ranks 1 nothing
expect_status 2
ranks 1 --help
expect_status 0

# Schedules, where programs can be built.
if [ -f "$BUILD/seriatim-instrument.so" ]; then
    cat > lost.c << 'END'
#include <pthread.h>
static int count;
static void *add(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++)
        count++;
    return 0;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    return 0;
}
END
    "$SERIATIM" cc -g -O0 -o lost lost.c -lpthread 2> err || fail "cannot build"
    ranks 2 explore --schedules 4 --chunk 2 -o schedules -- ./lost
    expect_status 1
    [ -d schedules/schedules-1-2 ] && [ -d schedules/schedules-3-4 ] || fail "a job has no folder"
    rm -rf schedules/shard-2-of-2.json
    touch -d '2001-01-01' schedules/schedules-1-2/result.json
    ranks 2 explore --schedules 4 --chunk 2 -o schedules -- ./lost
    expect_status 1
    [ -z "$(find schedules/schedules-1-2/result.json -newermt 2002-01-01)" ] || fail "a job was done again"
fi
finish
