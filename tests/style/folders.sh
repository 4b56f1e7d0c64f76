#!/bin/sh
# SPDX-License-Identifier: MIT
# folders.sh: can one find one's way in src/? No folder has more than about 25 files of its own,
# and docs/ARCHITECTURE.md has a row for each that has no README.md to describe it. Then a folder
# that is too full and one that is not described are planted, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
most=27

check() {
    (cd "$1" && find . -mindepth 1 -type d | sed 's|^\./||' | sort) | while IFS= read -r folder; do
        count=$(find "$1/$folder" -maxdepth 1 -type f | wc -l)
        [ "$count" -le $most ] || echo "src/$folder has $count files: divide it into parts"
        [ -e "$1/$folder/README.md" ] || grep -q "^| \`$folder/\` |" "$root/docs/ARCHITECTURE.md" ||
            echo "src/$folder has no row in docs/ARCHITECTURE.md, and no README.md"
    done
}

found=$(check "$root/src")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/base" "$scratch/nowhere" "$scratch/described"
: > "$scratch/described/README.md"
for number in $(seq $((most + 1))); do
    : > "$scratch/base/$number.c"
done
[ "$(check "$scratch" | wc -l)" = 2 ] || {
    echo "two planted mistakes should be found, and no other:"
    check "$scratch"
    exit 1
}
