#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies of functions for runs without a recorder: what they do to several objects and to shared
# libraries, and nothing to traces. What one object can show is in tests/instrument.
. "$(dirname "$0")/../lib.sh"
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 0
}

# An inline function in two objects, which one of them throws through; compared by address.
cat > both.h << 'END'
#include <stdexcept>
extern int counter;
typedef int function(int);
template <typename T> int at_most(T limit)
{
    static int calls;
    counter++;
    if (++calls > limit)
        throw std::runtime_error("too often");
    return calls;
}
function *address();
int deep(int);
END
cat > one.cc << 'END'
#include "both.h"
int counter;
function *address() { return at_most<int>; }
int deep(int limit) noexcept(false) { return limit ? deep(limit - 1) + at_most(3) : 0; }
END
cat > two.cc << 'END'
#include "both.h"
#include <cstdio>
struct Closer { ~Closer() { std::printf("closed %d\n", counter); } };
int main()
{
    try {
        Closer closer;
        std::printf("%d\n", address() == at_most<int>);
        deep(9);
    } catch (const std::exception &problem) {
        std::printf("%s\n", problem.what());
    }
    return 0;
}
END
printf '1\nclosed 4\ntoo often\n' > wanted

# A function of a library that the program replaces, once in reach of the optimiser, once not.
cat > library.c << 'END'
int calls;
__attribute__((noinline)) int hook(void) { return ++calls; }
int library(void) { return hook(); }
END
cat > program.c << 'END'
#include <stdio.h>
int hook(void) { return 40; }
int library(void);
int main(void) { printf("%d\n", library()); return 0; }
END

# events FILE: the trace without values, which may be addresses of code
events() {
    sed -e 's/|value=[0-9]*//' -e '/build of the program: /d' "$1"
}

for level in -O0 -O2; do
    for options in '' --no-copies; do
        # shellcheck disable=SC2086 # no word or one
        {
            "$SERIATIM" c++ $options $level one.cc two.cc -o program || fail "c++ $options $level"
            "$SERIATIM" cc $options $level -shared -fPIC library.c -o liblibrary.so || fail "library"
            "$SERIATIM" cc $options $level program.c -L. -llibrary -Wl,-rpath,"$PWD" -o replaces ||
                fail "cc $options $level"
        }
        ./program > out
        cmp wanted out || fail "$level $options: without a recorder"
        [ "$(./replaces)" = 40 ] || fail "$level $options: the library calls its own function"
        run record -q -o "trace$options.srt" -- ./program
        expect_status 0
        run convert "trace$options.srt" -o "trace$options.std"
        expect_status 0
        [ "$("$SERIATIM" record -q -o replaces.srt -- ./replaces)" = 40 ] ||
            fail "$level $options: recorded, the library calls its own function"
    done
    events trace.std > with
    events trace--no-copies.std > without
    cmp with without || fail "$level: copies change the trace"
done
finish
