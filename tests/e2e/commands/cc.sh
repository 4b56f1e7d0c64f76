#!/bin/sh
# SPDX-License-Identifier: MIT
# The compiler front ends: whatever a build system asks of a compiler gives what
# clang gives, and what is linked is instrumented.
. "$(dirname "$0")/../lib.sh"
if [ -z "${SERIATIM_CLANG:-}" ]; then
    echo "skipped: built without LLVM"
    finish
fi
clang=$SERIATIM_CLANG
"$clang" -O1 -shared -fPIC "$source_folder/tests/instrument/fake_runtime.c" -o libfake.so ||
    fail "no fake runtime"
SERIATIM_RUNTIME=$folder/libfake.so
export SERIATIM_RUNTIME

cat > main.c << 'END'
#include <stdio.h>
#include "part.h"
int counter;
int main(void)
{
#ifdef __SERIATIM__
    counter++;
#endif
    printf("%d\n", part(counter));
    return 0;
}
END
cat > part.c << 'END'
#include "part.h"
int part(int n) { return n + VALUE; }
END
echo 'int part(int n);' > part.h
cat > odd.S << 'END'
.globl odd
odd: ret
END
echo '.section .note.GNU-stack,"",@progbits' >> odd.S

# works PROGRAM: it runs, prints 42 and has recorded its accesses.
works() {
    rm -f log
    result=$(FAKE_LOG=log "$@" 2>&1)
    [ "$result" = 42 ] || fail "expected 42, got $result"
    grep -q '^store4 counter in main' log || fail "$1 is not instrumented"
}

# compiles ARGUMENTS...: without a message
compiles() {
    run cc "$@"
    expect_status 0
    expect_no_err
}

compiles -DVALUE=41 main.c part.c -o both
works ./both
compiles -O2 -c -DVALUE=41 part.c
compiles -Werror -Wall -O2 -c -o main_.o main.c
compiles main_.o part.o -o linked
works ./linked
compiles -shared -fPIC -DVALUE=41 part.c -o libpart.so
compiles main.c -L. -lpart "-Wl,-rpath,$folder" -o dynamic
works ./dynamic
compiles -r main_.o part.o -o merged.o
compiles merged.o -o from_merged
works ./from_merged
printf -- '-c -DVALUE=41\n"part.c" -o spaced\\ name.o' > response
compiles @response
compiles main_.o 'spaced name.o' odd.S -o from_response
works ./from_response
compiles -x c - -E < /dev/null
compiles -flto -DVALUE=41 main.c part.c -o lto 2> /dev/null
[ ! -x lto ] || works ./lto

# Several sources, one object each; dependencies; intermediate files.
mkdir several && cd several || exit 1
compiles -c -MD -DVALUE=41 ../main.c ../part.c
[ -s main.o ] && [ -s part.o ] && grep -q part.h main.d || fail "several sources"
compiles -save-temps -g0 -O1 -DVALUE=41 ../part.c ../main.c -o saved
[ -s main.i ] && [ -s main.s ] || fail "-save-temps left nothing"
works ./saved
[ "$(grep -c __seriatim_enter main.s)" = 1 ] || fail "instrumented twice, or not at all"
cd .. || exit 1

# What stops before the linker is clang's to do.
compiles -E main.c -o main.i
grep -q 'counter++' main.i || fail "-E does not define __SERIATIM__"
compiles -MM main.c
expect_out 'main.o: main.c part.h'
compiles -fsyntax-only main.c
compiles -S -emit-llvm -O1 main.c -o main.ll
grep -q 'call void @__seriatim_store4' main.ll || fail "no call in main.ll"
compiles -S main.c -o main.s
grep -q __seriatim_store4 main.s || fail "no call in main.s"
run cc -v
expect_status 0
expect_err '^(Debian )?clang version'
run cc --version
expect_status 0
"$clang" --version > wanted
expect_same wanted out
run cc -dumpmachine
"$clang" -dumpmachine > wanted
expect_same wanted out
run cc -print-prog-name=ld
expect_status 0
compiles -c part.h -o part.h.gch
compiles -x c-header part.h -o part.pch
compiles -c odd.S
echo 'int wrong(void) { return nothing; }' > wrong.c
run cc -c wrong.c
expect_status 1
expect_err "undeclared identifier 'nothing'"
run cc
expect_status 1
expect_err 'no input files'

# Without debug information names of variables are gone, but not of functions.
compiles -g0 -DVALUE=41 main.c part.c -o plain
rm -f log
FAKE_LOG=log ./plain > out
grep -q '^enter0 main' log || fail "no function without debug information"

# By names of their own, from a folder that was moved, and with a linker line that
# names the C library first.
cat > both.cc << 'END'
#include <iostream>
#include <seriatim/annotate.h>
int counter;
int main() { SERIATIM_ATOMIC_SCOPE("all"); counter = 42; std::cout << counter << std::endl; }
END
bin=$(dirname "$SERIATIM")
"$bin/seriatim-c++" -lpthread -lc both.cc -o both_cc 2> err || fail "seriatim-c++"
works ./both_cc
readelf -d both_cc | grep NEEDED | head -n 1 | grep -q libfake || fail "the runtime is not first"
"$bin/seriatim-cc" -DVALUE=41 main.c part.c -o by_name || fail "seriatim-cc"
works ./by_name

# The thread sanitizer's calls, with our runtime in the place of its own.
compiles --tsan-abi -O2 -c main.c -o tsan.o
nm tsan.o > symbols
grep -q __tsan_read4 symbols || fail "the read of counter++ is not told"
grep -q __seriatim symbols && fail "instrumented twice"
run cc --tsan-abi main.c part.c -o tsan '-###'
expect_status 0
grep -q libfake.so err || fail "--tsan-abi does not link our runtime"
grep -q 'libclang_rt.tsan' err && fail "--tsan-abi links the sanitizer's runtime"

# Copies for runs without a recorder, or none.
compiles -O2 -c main.c -o copied.o
nm copied.o | grep -q ' main.unrecorded$' || fail "main has no copy"
compiles --no-copies -O2 -c main.c -o alone.o
nm alone.o | grep -q unrecorded && fail "--no-copies leaves copies"
nm alone.o | grep -q __seriatim_enter || fail "--no-copies does not instrument"

# Functions that are called from hundreds of places, three deep: what a value decides there is looked
# for within bounds.
awk 'BEGIN {
    print "int shared;"
    print "__attribute__((noinline)) int level0(void) { return shared > 3; }"
    for (level = 1; level <= 3; level++) {
        printf "__attribute__((noinline)) int level%d(void) {\n", level
        for (i = 1; i <= 500; i++)
            printf "if (level%d()) return %d;\n", level - 1, i
        print "return 0; }"
    }
    print "int main(void) { return level3(); }"
}' > deep.c
run cc -O1 -g deep.c -o deep
expect_status 0

# What cannot be done is said.
run cc -static -DVALUE=41 main.c part.c -o no
expect_status 3
expect_err 'static program cannot be recorded'
run cc -fsanitize=undefined,thread -c main.c
expect_status 3
expect_err 'thread sanitizer and seriatim cannot work in one program'
compiles -fsanitize=thread -fno-sanitize=thread -c main.c -o sanitized.o
compiles --tsan-abi -fsanitize=thread -c main.c -o sanitized.o
run cc --tsan-abi -fsanitize=thread main.c part.c -o no
expect_status 3
expect_err 'leave out -fsanitize=thread'
SERIATIM_CLANG=/nowhere/clang
export SERIATIM_CLANG
run cc -c main.c
expect_status 3
expect_err '/nowhere/clang cannot be run'
finish
