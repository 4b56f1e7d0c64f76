#!/bin/sh
# SPDX-License-Identifier: MIT
# paths.sh: do the files exist that the documents name? Links must lead to a file; a path in
# backquotes (`runtime/core/thread.h`, `tests/style/paths.sh`), and in the pages for developers also
# a mere name (`thread.h`), must be the end of the path of some file, unless " (new" follows; and a
# name of ours (`ser_enter`) must occur in the sources. Comments of the sources, too, name only files
# that exist, where they name a folder of src/ with them. Then a document with four mistakes and a
# comment with one are planted, to show that the check can fail.
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

folders=$(cd "$root/src" && find . -mindepth 1 -maxdepth 1 -type d | sed 's|^\./||' | tr '\n' '|')
# check_comments FOLDER: lines of code that include a file are the compiler's to check.
check_comments() {
    grep -rnE --include='*.[ch]' --include='*.cpp' "(^|[^A-Za-z0-9_/.])(${folders%|})/[a-z0-9_/]+\.(c|h|def)\b" "$1" |
        grep -v '#include' | sed -E "s#^([^:]*):.*[^A-Za-z0-9_/.]((${folders%|})/[a-z0-9_/]+\.(c|h|def))\b.*#\2 \1#" |
        sort -u | while read -r path file; do
        grep -qxF "$path" "$scratch/ends" || echo "${file#"$root"/}: there is no $path"
    done
}

found=$(for document in "$root"/*.md "$root"/docs/*.md "$root"/docs/algorithms/*.md "$root"/examples/*.md; do
    check "$document" || :
done
check_comments "$root/src")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi

mkdir "$scratch/algorithms"
printf '%s\n' '[a link](nowhere.md)' "\`src/no/such.c\`" "\`no_such_name.h\`" "\`ser_$(echo no)_such\`" "\`style/paths.sh\`" > "$scratch/algorithms/planted.md"
printf '%s\n' '/* As in trace/no_such.h. */' '/* As in trace/event.h. */' > "$scratch/algorithms/planted.h"
found=$(check "$scratch/algorithms/planted.md"; check_comments "$scratch/algorithms")
[ "$(echo "$found" | wc -l)" = 5 ] || {
    echo "five planted mistakes should be found, and no other:"
    echo "$found"
    exit 1
}
