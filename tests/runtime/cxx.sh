#!/bin/sh
# SPDX-License-Identifier: MIT
# cxx.sh: C++ programs keep working, what they do keeps the rules, and the same seed gives the same
# run.
set -eu
here=$(dirname "$0")
. "$here/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$BIN/runtime_harness" "$scratch"
for program in cxx20 same_seed; do
    clang++ -std=c++20 -O1 -I "$here/../../src" -o "$scratch/runtime_$program" \
        "$here/programs/$program.cc" -pthread -Wl,--no-as-needed "$RUNTIME" \
        "-Wl,-rpath,${RUNTIME%/*}"
done
BIN=$scratch
"$scratch/runtime_cxx20"
for mode in '' -p; do
    run $mode -m 4=40 cxx20
done
for seed in 1 2 3 4 5; do
    run -o "scheduler=random:quantum=2:seed=$seed" cxx20
    run -o "scheduler=pct:quantum=2:length=300:seed=$seed" cxx20
done
nothing_stolen=steal_ms=5000:spin_ms=60000 # however busy the machine is
for scheduler in round-robin random pct; do
    for seed in 1 2 3; do
        options="scheduler=$scheduler:quantum=7:seed=$seed:$nothing_stolen"
        first=$(run -s -o "$options" same_seed)
        same "$options" "$first" "$(run -s -o "$options" same_seed)"
        same "$options" "$first" "$(run -s -o "$options" same_seed)"
    done
done
finish
