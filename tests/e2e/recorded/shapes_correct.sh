#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim explore accuses none of the correct relatives of what shapes.sh tries.
. "$(dirname "$0")/../lib.sh"
. "$here/shapes/try.sh"

for file in "$here"/shapes/correct/*; do
    try "$file"
    expect_status 0
    expect_out '^no violation'
done

echo touch > names
try "$here/shapes/correct/move.c" --atomic names
expect_status 0

echo close_down > names
try "$here/shapes/correct/close.c" --atomic names
expect_status 0

# Who names all that a thread does, or a function of a lock-free algorithm, accuses nobody.
echo worker > names
try "$here/shapes/correct/named_worker.c" --atomic names
expect_status 0

printf 'put\ntake\n' > names
try "$here/shapes/correct/michael_scott.c" --atomic names
expect_status 0

finish
