#!/bin/sh
# SPDX-License-Identifier: MIT
# tsan.sh: objects of gcc and clang with -fsanitize=thread, linked with our runtime instead
# of theirs: in serial mode every read has the value of its last recorded write.
set -eu
here=$(dirname "$0")
. "$here/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$BIN/runtime_harness" "$scratch"
BIN=$scratch

# build COMPILER FLAGS...
build() {
    compiler=$1
    shift
    "$compiler" -fsanitize=thread "$@" -O1 -c -o "$scratch/hammer.o" "$here/programs/tsan_hammer.cc"
    "$compiler" -o "$scratch/runtime_tsan_hammer" "$scratch/hammer.o" -pthread \
        -Wl,--no-as-needed "$RUNTIME" "-Wl,-rpath,${RUNTIME%/*}"
}

try_all() {
    "$scratch/runtime_tsan_hammer" 2000
    for scheduler in round-robin random pct; do
        for quantum in 1 5 300; do
            # 1, 2, 3: reads, writes, rmws
            run -m 1=6000 -m 2=6000 -m 3=3000 \
                -o "scheduler=$scheduler:quantum=$quantum:seed=$quantum" tsan_hammer 1000
        done
    done
}

build clang++ -mllvm -tsan-instrument-read-before-write=1
try_all
if command -v g++ > /dev/null; then
    build g++
    try_all
fi
finish
