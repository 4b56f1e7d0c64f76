#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the fuzzers with clang and lets each run for some seconds, starting
# from the corpus (a copy: the repository stays as it is).
#
#   tests/fuzz/run.sh [BUILD_DIR [SECONDS]]
#
# Exit status 1 if one crashed; its input is then in BUILD_DIR, to be added to
# the corpus with the fix.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${1:-$root/build-fuzz}"
build=$(cd "${1:-$root/build-fuzz}" && pwd)
seconds=${2:-5}
compiler=${CC_FUZZ:-clang}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sources=$(find "$root/src/base" "$root/src/trace" "$root/src/record" "$root/src/java/classfile" -name '*.c')
flags='-g -O1 -D_GNU_SOURCE -fno-sanitize-recover=undefined'

# What all fuzzers link is compiled once.
rm -rf "$build/objects"
mkdir -p "$build/objects"
echo "$sources" | xargs -P "$(nproc)" -I @ sh -c '
    object=$(echo "${1#"$2"/}" | tr / _)
    # shellcheck disable=SC2086 # words
    "$4" $5 -std=c11 -DSER_VERSION="\"fuzz\"" -DSER_TO_LIBDIR="\"../lib\"" \
        -fsanitize=fuzzer-no-link,address,undefined -I "$2/src" -I "$2/include" -c "$1" \
        -o "$3/objects/$object.o"' sh @ "$root" "$build" "$compiler" "$flags"

# fuzz NAME: builds that fuzzer, and lets it run.
fuzz() {
    # shellcheck disable=SC2086 # words
    "$compiler" $flags -std=c11 -DSER_VERSION='"fuzz"' -fsanitize=fuzzer,address,undefined \
        -I "$root/src" -I "$root/include" -o "$build/fuzz_$1" \
        "$here/fuzz_$1.c" "$build"/objects/*.o -lz -lzstd -ldw -lxxhash -lstdc++ -lm || return
    cp -r "$here/corpus/$1" "$scratch/$1"
    "$build/fuzz_$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="$build/crash-$1-" "$scratch/$1" \
        >"$build/fuzz_$1.log" 2>&1
}

# fuzz_together NAME...: at the same time. Says what each did.
fuzz_together() {
    for name; do
        rm -f "$build/fuzz_$name.log"
        (fuzz "$name" && : > "$scratch/$name.passed") &
    done
    wait
    for name; do
        echo "fuzz_$name: $seconds seconds"
        grep -E '^(Done|stat::number_of_executed_units)' "$build/fuzz_$name.log" || true
        [ ! -e "$scratch/$name.passed" ] || continue
        tail -n 40 "$build/fuzz_$name.log" || true
        failed=1
    done
}

failed=0
fuzz_together text native
fuzz_together roadrunner spool
fuzz_together json class
exit $failed
