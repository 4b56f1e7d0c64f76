#!/bin/sh
# SPDX-License-Identifier: MIT
# names.sh: does each name that begins with ser_ stand for one thing? A type, or a function that
# other files may call, is defined in one file of src/; one that two parts need gets the name of its
# part. (Names without ser_ are of one file, and may come again in another.) Then a type and a
# function are defined twice, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

# check FOLDER: "name file file ...". Definitions begin in the first column, as clang-format has
# them. C++ may complete a type that C has declared: it has other definitions of types.
check() {
    (cd "$1" && find . -name '*.[ch]' -o -name '*.cpp' | sort | xargs awk '
        function note(name) {
            if (!((name, FILENAME) in seen)) {
                seen[name, FILENAME] = 1
                files[name] = files[name] " " substr(FILENAME, 3)
                count[name]++
            }
        }
        FNR == 1 { in_typedef = 0; called = "" }
        /^(struct|union|enum) ser_[a-z0-9_]+ \{/ && FILENAME !~ /cpp$/ { note($2) }

        /^typedef/ { in_typedef = !/^typedef (struct|union|enum) [a-z0-9_]+ [a-z0-9_]+;/ }
        in_typedef && (/^typedef.*;/ || /^[^ ].*;/) {
            in_typedef = 0
            name = $0
            if (!sub(/^.*\(\*/, "", name)) {
                sub(/(\[.*)?;.*/, "", name)
                sub(/^.*[^a-z0-9_]/, "", name)
            }
            sub(/[^a-z0-9_].*/, "", name)
            if (name ~ /^ser_/)
                note(name)
        }

        /^[a-zA-Z].*[ *]ser_[a-z0-9_]+\(/ && !/^(typedef|extern)/ && (!/^static/ || FILENAME ~ /h$/) {
            match($0, /ser_[a-z0-9_]+\(/)
            called = substr($0, RSTART, RLENGTH - 1)
        }
        /;/ { called = "" }
        /^\{/ && called != "" { note(called); called = "" }
        END { for (name in count) if (count[name] > 1) print name files[name] }
    ' | sort)
}

found=$(check "$root/src")
if [ -n "$found" ]; then
    echo "$found"
    echo "these names stand for two things: give one of them the name of its part"
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/one.h" << 'END'
typedef struct ser_thing {
    int of_one;
} ser_thing;
typedef struct ser_opaque ser_opaque;
typedef int (*ser_callback)(int);
END
cat > "$scratch/one.c" << 'END'
struct ser_opaque {
    int of_one;
};
int ser_do(int what,
           int how)
{
    return 0;
}
static int ser_quietly(void)
{
}
END
sed 's/callback/other_callback/; s/opaque/closed/' "$scratch/one.h" > "$scratch/other.h"
sed 's/opaque/closed/' "$scratch/one.c" > "$scratch/other.c"
found=$(check "$scratch" | cut -d ' ' -f 1 | tr '\n' ' ')
[ "$found" = "ser_do ser_thing " ] || { echo "ser_do and ser_thing should be found, not: $found"; exit 1; }
