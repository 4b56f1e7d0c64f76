#!/bin/sh
# SPDX-License-Identifier: MIT
# A prediction in shards: merged, they are what one process gives, whatever their number; a shard that
# is missing is named, one that is there twice changes nothing, and parts of different work are refused.
. "$(dirname "$0")/../lib.sh"

# What the search took differs from process to process.
without_costs() {
    sed -E 's/"(seconds|explored|constraints)": [0-9.]+/"\1": -/g' "$1"
}

# shards TRACE N OPTIONS...: all N into part-K.json.
shards() {
    trace=$1 number=$2
    shift 2
    rm -f part-*.json
    for k in $(seq "$number"); do
        run predict -j 1 "$@" --shard "$k/$number" --json "part-$k.json" "$trace"
    done
}

# same_as_one TRACE OPTIONS...
same_as_one() {
    name=$1
    shift
    run predict -j 1 "$@" --json one.json "$name"
    expected=$status
    without_costs one.json > one.plain
    for n in 1 2 3 7; do
        shards "$name" "$n" "$@"
        run merge --json whole.json part-*.json
        expect_status "$expected"
        without_costs whole.json > whole.plain
        expect_same one.plain whole.plain
    done
}

traces=$source_folder/examples/traces
same_as_one "$traces/bank.std"
same_as_one "$traces/bank.std" --atomic locks --criterion serializability
same_as_one "$source_folder/tests/golden/guards-ticket.std" --atomic functions --model guards
for name in deposits long-path candidate-lost-update every-operation; do
    same_as_one "$source_folder/tests/golden/$name.std"
done

# Violations in each shard, so that every part counts: ten copies of a lost update.
i=0
while [ $i -lt 10 ]; do
    printf 'T1|begin(b%s)|a:1\nT1|r(x%s)|a:2\nT1|w(x%s)|a:3\nT1|end(b%s)|a:4\nT2|w(x%s)|b:1\n' $i $i $i $i $i
    i=$((i + 1))
done > ten.std
same_as_one ten.std
run merge part-*.json
expect_status 1
expect_out '^block 1 of thread T1 \(b0, a:1\) is not atomic$'
expect_out '^violation: 10 of 10 blocks can be violated$'

# A shard is missing, and one is there twice.
shards ten.std 3
cp part-1.json again.json
rm part-2.json
run merge --json whole.json part-1.json part-3.json again.json
expect_status 1
expect_out '^Missing: shard 2/3$'
expect_out '^violation: 7 of 7 blocks can be violated, 1 of 3 shards missing$'
grep -q '"partial": true' whole.json || fail "a result without a shard is partial"
tr -d '\n ' < whole.json | grep -q '"missing":\[2\]' || fail "the result should name the shard"
run predict --shard 2/3 --json part-2.json ten.std
run merge --json whole.json part-*.json again.json
expect_status 1
without_costs whole.json > whole.plain
run predict -j 1 --json one.json ten.std
without_costs one.json > one.plain
expect_same one.plain whole.plain

# Without a violation it is undecided.
sed 's/T2|w(x/T2|w(y/' ten.std > none.std
shards none.std 2
run merge part-2.json
expect_status 4
expect_out '^undecided: no violation found, 1 of 2 shards missing$'
run merge part-1.json part-2.json
expect_status 0

# The script of the documentation, as an array would start it; a second start does what is missing.
awk '/^    #!\/bin\/sh/ { on = 1 } on && /^$/ { exit } on { print substr($0, 5) }' "$source_folder/docs/scale.md" > predict.sbatch
mkdir bin
ln -s "$SERIATIM" bin/seriatim
array() {
    for task in 1 2 3; do
        PATH=$folder/bin:$PATH SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 sh predict.sbatch ten.std ||
            fail "the script ended with status $?"
    done
}
rm -f part-*.json
array
rm part-2.json
touch -d '2001-01-01' part-1.json part-3.json
array
run merge --json whole.json part-*.json
expect_status 1
without_costs whole.json > whole.plain
expect_same one.plain whole.plain
[ "$(find . -name 'part-[13].json' -newermt 2002-01-01 | wc -l)" = 0 ] || fail "parts that are there were made again"
shards none.std 2

# What does not belong together.
run predict --shard 1/2 --json other.json ten.std
run merge other.json part-2.json
expect_status 3
expect_err 'part-2.json: a part of another prediction'
run predict --shard 1/3 --json other.json none.std
run merge part-1.json other.json
expect_status 3
expect_err 'one of 3 shards, and the files before it of 2'
run predict --model avp --shard 2/2 --json other.json none.std
run merge part-1.json other.json
expect_status 3
run merge one.json
expect_status 3
expect_err 'not made with --shard'
for wrong in 0/3 4/3 3 a/b 1/2/3 -1/3 1/; do
    run predict --shard "$wrong" ten.std
    expect_status 2
    expect_err 'a shard is K/N'
done
run predict --shard 1/2 --list-candidates ten.std
expect_status 2
run merge -o folder part-1.json
expect_status 2
finish
