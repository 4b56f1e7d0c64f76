#!/bin/sh
# SPDX-License-Identifier: MIT
# paths.sh: do the files exist that the documents name? Links must lead to a file; a path in
# backquotes (`runtime/core/thread.h`, `tests/style/paths.sh`), and in the pages for developers also
# a mere name (`thread.h`), must be the end of the path of some file, unless " (new" follows; and a
# name of ours (`ser_enter`) must occur in the sources. Then a document with four mistakes is
# planted, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

kinds='c|h|cc|cpp|def|sh|awk|js|py|java|cmake|md'
# What a user would write, patterns, and headers of others.
invented='bank.c|.*NAME.*|.*FOLDER.*|X\.sh|.*/X\.sh|z3\.h'

# Every end of every file's path: a/b/c.h, b/c.h, c.h
find "$root" \( -name .git -o -path "$root/build" \) -prune -o -type f -print | sed "s|^$root/||" |
    awk '{ print; while (sub("^[^/]*/", "")) print }' | sort -u > "$scratch/ends"

grep -rohE '\bser_[a-z0-9_]+' "$root/src" "$root/tests" "$root/cmake" | sort -u > "$scratch/names"

# check FILE: prints what it names and does not exist.
check() {
    grep -oE '\]\([^)# ]+\.[a-z]+[)#]' "$1" | sed 's/^](//; s/.$//' | sort -u | while IFS= read -r link; do
        case "$link" in *://*) continue ;; esac
        [ -e "$(dirname "$1")/$link" ] || echo "${1#"$root"/}: there is no $link"
    done
    pattern="[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+\.($kinds)"
    case "$1" in */ARCHITECTURE.md | */CONTRIBUTING.md | */algorithms/*) pattern="[A-Za-z0-9_./-]+\.($kinds)" ;; esac
    sed 's/`[^`]*` (new/(new/g' "$1" | grep -oE "\`$pattern\`" | tr -d '`' | sort -u |
        grep -vxE "$invented" | grep -vxFf "$scratch/ends" | sed "s|^|${1#"$root"/}: there is no |" || :
    grep -oE '`ser_[a-z0-9_]*[a-z0-9]`' "$1" | tr -d '`' | sort -u | grep -vxFf "$scratch/names" |
        sed "s|^|${1#"$root"/}: the sources have no |"
}

found=$(for document in "$root"/*.md "$root"/docs/*.md "$root"/docs/algorithms/*.md "$root"/examples/*.md; do
    check "$document" || :
done)
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi

mkdir "$scratch/algorithms"
printf '%s\n' '[a link](nowhere.md)' "\`src/no/such.c\`" "\`no_such_name.h\`" "\`ser_$(echo no)_such\`" "\`style/paths.sh\`" > "$scratch/algorithms/planted.md"
[ "$(check "$scratch/algorithms/planted.md" | wc -l)" = 4 ] || {
    echo "four planted mistakes should be found, and no other:"
    check "$scratch/algorithms/planted.md"
    exit 1
}
