#!/bin/sh
# SPDX-License-Identifier: MIT
# What the C library and libstdc++ share between threads, unseen in the program's own code: streams,
# hidden variables, strings that are printed, what is scanned, shared pointers, containers.
# library/*: functions wrong_* and correct_*; a line "flags:" is for the compiler.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

printf '%s\n' 'wrong_*' 'correct_*' > names
for file in "$here"/library/*; do
    case $file in
    *.cc) front_end='c++ -std=c++20' ;;
    *) front_end=cc ;;
    esac
    flags=$(sed -n '1,5s|^// flags: *||p' "$file")
    # shellcheck disable=SC2086 # flags are words
    "$SERIATIM" $front_end -O1 $flags -pthread "$file" -o program || fail "$file should build"
    for name in $(sed -n 's/^static void \(wrong_[a-z]*\)(.*/\1/p' "$file"); do
        run run --effort quick --atomic names -o "$name" -- ./program "$name"
        expect_status 1
        expect_out "^1\. $name\(.*\) .* is not atomic"
        expect_out 'Confirmed: it happened'
    done
    for name in $(sed -n 's/^static void \(correct_[a-z]*\)(.*/\1/p' "$file"); do
        run run --effort quick --atomic names -o "$name" -- ./program "$name"
        expect_status 0
        expect_out '^no violation'
    done
done
finish
