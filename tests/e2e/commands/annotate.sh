#!/bin/sh
# SPDX-License-Identifier: MIT
# annotate.h in every dialect, with and without seriatim, without a warning; and a
# program that was built without us runs as if it was not there.
. "$(dirname "$0")/../lib.sh"

cat > blocks.c << 'END'
#include <seriatim/annotate.h>
#include <stdio.h>
static int counter;
SERIATIM_ATOMIC_FUNCTION static void whole(void) { counter += 1; }
SERIATIM_IGNORE_FUNCTION static void hidden(void) { counter += 2; }
static void scoped(void)
{
    SERIATIM_ATOMIC_SCOPE("outer");
    SERIATIM_ATOMIC_SCOPE("inner");
    int more = 4;
    counter += more;
}
int main(void)
{
    SERIATIM_ATOMIC_BEGIN("block");
    whole();
    SERIATIM_ATOMIC_END();
    SERIATIM_IGNORE_BEGIN();
    hidden();
    SERIATIM_IGNORE_END();
    scoped();
    printf("%d\n", counter);
    return 0;
}
END
cp blocks.c blocks.cc

# prints_7 COMPILER...: the program compiles silently, links alone and prints 7
prints_7() {
    shown="$*"
    "$@" -Wall -Wextra -Wpedantic -Werror "-I$source_folder/include" -o blocks 2> err ||
        fail "does not compile"
    [ "$(./blocks)" = 7 ] || fail "does not print 7"
}

for disabled in -USERIATIM_DISABLE -DSERIATIM_DISABLE; do
    for dialect in c89 c99 c11 c17; do
        prints_7 gcc "-std=$dialect" $disabled blocks.c
    done
    for dialect in c++98 c++11 c++17 c++20; do
        prints_7 g++ "-std=$dialect" $disabled blocks.cc
    done
    if [ -n "${SERIATIM_CLANG:-}" ]; then
        prints_7 "$SERIATIM_CLANG" -std=c89 $disabled blocks.c
        prints_7 "$SERIATIM_CLANG" -std=c2x -O2 $disabled blocks.c
        prints_7 "$SERIATIM_CLANG++" -std=c++98 $disabled blocks.cc
        prints_7 "$SERIATIM_CLANG++" -std=c++20 -O2 $disabled blocks.cc
    fi
done
nm blocks | grep -q __seriatim && fail "SERIATIM_DISABLE leaves something behind"
finish
