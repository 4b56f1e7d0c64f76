#!/bin/sh
# SPDX-License-Identifier: MIT
# A class file that is cut off anywhere, or is no class file, is refused; a whole one is not. Methods
# that would grow beyond 64 KB stay as they are and are named.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
class=$(dirname "$0")/../fuzz/corpus/class/everything

[ "$("$FILTER" "$class" "$scratch/out")" = rewritten ]
[ "$(wc -c < "$scratch/out")" -gt "$(wc -c < "$class")" ]

size=$(wc -c < "$class")
for length in 0 3 9 10 500 $((size / 2)) $((size - 1)); do
    head -c "$length" "$class" > "$scratch/cut"
    if "$FILTER" "$scratch/cut" "$scratch/no" > "$scratch/said"; then
        echo "a class of $length bytes out of $size was not refused: $(cat "$scratch/said")"
        exit 1
    fi
done
# Its last constant needs two numbers, of which the second is beyond the end.
if "$FILTER" "$(dirname "$class")/last_constant_too_long" "$scratch/no" > "$scratch/said"; then
    echo "a class whose last constant is too long was not refused: $(cat "$scratch/said")"
    exit 1
fi
[ ! -e "$scratch/no" ]
