#!/bin/sh
# SPDX-License-Identifier: MIT
# folders.sh: can one find one's way in src/ and tests/? No folder of src/ has more than about 25
# files of its own, and docs/ARCHITECTURE.md has a row for each that has no README.md to describe it.
# No file of code is longer than about 400 lines. Then a folder that is too full, one that is not
# described and a file that is too long are planted, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
most=27
longest=410

check() {
    (cd "$1" && find . -mindepth 1 -type d | sed 's|^\./||' | sort) | while IFS= read -r folder; do
        count=$(find "$1/$folder" -maxdepth 1 -type f | wc -l)
        [ "$count" -le $most ] || echo "src/$folder has $count files: divide it into parts"
        [ -e "$1/$folder/README.md" ] || grep -q "^| \`$folder/\` |" "$root/docs/ARCHITECTURE.md" ||
            echo "src/$folder has no row in docs/ARCHITECTURE.md, and no README.md"
    done
}

# check_files FOLDER...
check_files() {
    find "$@" \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cc' -o -name '*.java' -o -name '*.sh' \) -exec wc -l {} + |
        awk -v most=$longest '$2 != "total" && $1 > most { print $2 " has " $1 " lines: divide it" }'
}

found=$(check "$root/src" && cd "$root" && check_files src include tests bench examples tools)
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
yes '' | head -n $((longest + 1)) > "$scratch/base/1.c"
[ "$(check "$scratch" | wc -l) $(check_files "$scratch" | wc -l)" = "2 1" ] || {
    echo "three planted mistakes should be found, and no other:"
    check "$scratch"
    check_files "$scratch"
    exit 1
}
