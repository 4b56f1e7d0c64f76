#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation shows what the program says: every command in it is run, and
# what it prints compared with what stands below it. A line "..." there stands
# for any lines.
. "$(dirname "$0")/../lib.sh"
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 0
}

mkdir bin
ln -s "$SERIATIM" bin/seriatim
PATH=$folder/bin:$PATH
cp -R "$source_folder/examples" .

# split FILE: its commands, with their here-documents, as 1.command, 2.command, ...,
# and what they should print as 1.wanted, 2.wanted, ...
split() {
    awk '
    /^    \$ / {
        n++; shown = 1; blanks = 0; document = / << /
        print substr($0, 7) > (n ".command")
        printf "" > (n ".wanted")
        next
    }
    shown && document {
        print substr($0, 5) > (n ".command")
        if ($0 == "    END") document = 0
        next
    }
    shown && /^$/ { blanks++; next }
    shown && /^    / {
        for (; blanks > 0; blanks--) print "" > (n ".wanted")
        print substr($0, 5) > (n ".wanted")
        next
    }
    { shown = 0 }' "$1"
}

# same_but_dots WANTED SAID: are they the same, if "..." in WANTED is any lines?
same_but_dots() {
    awk '
    NR == FNR { wanted[++n] = $0; next }
    { said[++m] = $0 }
    END {
        j = 1
        for (i = 1; i <= n; i++) {
            if (wanted[i] == "...") { skip = 1; continue }
            while (skip && j <= m && said[j] != wanted[i]) j++
            if (j > m || said[j] != wanted[i]) exit 1
            j++; skip = 0
        }
        exit !(skip || j > m)
    }' "$1" "$2"
}

# without_counts FILE: how many runs there is time for depends on the machine.
without_counts() {
    sed -E 's/ *$//; s/^==[0-9]+==/==N==/; s/ \(suppressed: .*\)$//; s/^[0-9]+ runs in all, with [0-9]+ /N runs in all, with N /
        /^[0-9]+ further runs? (was|were) cut short by /d
        s/happens to [0-9]+ more blocks?/happens to N more blocks/' "$1"
}

# is_runnable COMMAND: is its program there? Pages that compare tools name some that few have.
is_runnable() {
    word=$(sed -n '1s/ .*//p' "$1")
    command -v "${word:-sh}" > /dev/null || {
        echo "not run, for want of $word: $(head -n 1 "$1")"
        return 1
    }
}

count=0
for page in "$source_folder"/README.md "$source_folder"/docs/*.md; do
    split "$page"
    for number in $(ls | sed -n 's/\.command$//p' | sort -n); do
        shown="$(basename "$page"): $(head -n 1 "$number.command")"
        is_runnable "$number.command" || continue
        sh "$number.command" > out 2>&1
        without_counts out > said
        without_counts "$number.wanted" > wanted
        same_but_dots wanted said || expect_same wanted said
        count=$((count + 1))
    done
    rm -f ./*.command ./*.wanted wanted
done
[ "$count" -gt 10 ] || fail "expected more commands than $count in the documentation"
finish
