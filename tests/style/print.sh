#!/bin/sh
# SPDX-License-Identifier: MIT
# print.sh: does all text for people go through ser_print (base/output/print.h)?
#
# What printf, puts and their kin write is not escaped, so that a name in a file could command
# the terminal or forge a line. They are left to the files listed here. A constant text may go
# through fputs. Then a bad line is planted, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

# file: why it may
exempt='
base/output/print.c: it is the printer
base/memory.c: there is no memory to print with; prints a number
base/status.c: an internal error must not cause another; prints constants of ours
bugs/gather.c: makes a key that nobody sees
cli/help.c: prints constants of ours
cli/man.c: prints constants of ours
cli/wrap.c: prints constants of ours
report/dossier/lead.c: makes sentences, which are escaped when they are printed
report/dossier/advice.c: the same
report/dossier/advice_words.c: the same
report/dossier/meaning.c: the same
runtime/posix/streams/stdio.c: interposes them for the program
'

check() {
    (cd "$1/src" && grep -rnE --include='*.c' --include='*.h' --include='*.cpp' \
        '(^|[^_[:alnum:]])(v?f?printf|v?dprintf|puts|perror|psignal|putw?c?har)\(|fputs\([^"]' . || true) |
        sed 's|^\./||' | grep -v 'format(printf' | while IFS= read -r line; do
        file=${line%%:*}
        echo "$exempt" | grep -q "^$file: " || echo "$line"
    done
}

found=$(check "$root")
if [ -n "$found" ]; then
    echo "use ser_print (base/output/print.h), which escapes names from outside:"
    echo "$found"
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/report"
printf '    fprintf(file, "%%s", name);\n    fputs(name, file);\n    puts(name);\n' \
    > "$scratch/src/report/bad.c"
printf '    ser_print(file, "%%s", name);\n    fputs(", ", file);\n    snprintf(text, 9, "x");\n' \
    > "$scratch/src/report/good.c"
[ "$(check "$scratch" | wc -l)" = 3 ] || {
    echo "three planted lines should be found, and no other:"
    check "$scratch"
    exit 1
}
