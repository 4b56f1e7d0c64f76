#!/bin/sh
# SPDX-License-Identifier: MIT
# cxx.sh: C++ programs keep working, and what they do keeps the rules.
set -eu
here=$(dirname "$0")
. "$here/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$BIN/runtime_harness" "$scratch"
clang++ -std=c++20 -O1 -o "$scratch/runtime_cxx20" "$here/programs/cxx20.cc" -pthread \
    -Wl,--no-as-needed "$RUNTIME" "-Wl,-rpath,${RUNTIME%/*}"
BIN=$scratch
"$scratch/runtime_cxx20"
for mode in '' -p; do
    run $mode -m 4=40 cxx20
done
for seed in 1 2 3 4 5; do
    run -o "scheduler=random:quantum=2:seed=$seed" cxx20
    run -o "scheduler=pct:quantum=2:length=300:seed=$seed" cxx20
done
finish
