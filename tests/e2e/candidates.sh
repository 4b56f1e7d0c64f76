#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run finds the bugs that no prediction from one run can be certain of: it replays
# candidates and lets the program judge. candidates/{wrong,correct}/*: a wrong program names its
# block, and a correct one is the same without the mistake.
. "$(dirname "$0")/lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# build FILE: ./program
build() {
    case $1 in
    *.cc) front_end=c++ ;;
    *) front_end=cc ;;
    esac
    "$SERIATIM" $front_end -O1 -g -pthread "$1" -o program || fail "$1 should build"
}

# The tree of std::map is changed by code of libstdc++ that is not seen yet.
for file in "$here"/candidates/wrong/*; do
    case $file in
    */map.cc) continue ;;
    esac
    block=$(sed -n 's/.*block: \([a-z_]*\).*/\1/p' "$file")
    build "$file"
    run run -o wrong -- ./program
    expect_status 1
    expect_out "^1\. $block\(.*\) .* is not atomic"
    expect_out 'Confirmed: it happened'
    grep -q '"status": "confirmed"' wrong/result.json || fail "expected it to be confirmed"
done

for file in "$here"/candidates/correct/*; do
    build "$file"
    run run -o correct -- ./program
    expect_status 0
    expect_out '^no violation'
done
finish
