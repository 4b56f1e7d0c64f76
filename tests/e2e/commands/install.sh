#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make install` puts in place: a program, a library that others can build
# against with pkg-config, manual pages, and no name of ours that could clash.
. "$(dirname "$0")/../lib.sh"
if [ "${INSTRUMENTED:-OFF}" = ON ]; then
    echo "skipped: the library of this build works only in programs built like it"
    finish
fi

prefix=$folder/stage/usr
DESTDIR=$folder/stage cmake --install "$BUILD" --prefix /usr > install.log 2>&1 ||
    fail "cmake --install: $(tail -n 3 install.log)"
lib=$(dirname "$(find "$prefix" -name libseriatim.a)")

for file in "$prefix/bin/seriatim" "$prefix/include/seriatim/seriatim.h" "$lib/libseriatim.so" \
    "$lib/pkgconfig/seriatim.pc" "$prefix/share/man/man1/seriatim.1"; do
    [ -s "$file" ] || fail "$file was not installed"
done
for command in $("$prefix/bin/seriatim" --commands); do
    [ -s "$prefix/share/man/man1/seriatim-$command.1" ] || fail "no manual page of $command"
done

# Names: the shared library shows the interface and nothing else.
nm -D --defined-only "$lib/libseriatim.so" | awk '{ print $3 }' | sort > shown
grep -v '^seriatim_' shown && fail "names beside the interface"
sed -n 's/^SERIATIM_API .*[ *]\(seriatim_[a-z_]*\)(.*/\1/p' "$prefix/include/seriatim/seriatim.h" |
    sort > promised
expect_same promised shown
nm -g --defined-only "$lib/libseriatim.a" | awk 'NF == 3 { print $3 }' |
    grep -Ev '^(ser_|seriatim_)' && fail "names without our prefix in the static library"

cat > user.c << 'END'
#include <seriatim/seriatim.h>
int main(void)
{
    seriatim_monitor *monitor = seriatim_monitor_create(0, 0);
    seriatim_monitor_event(monitor, 1, SERIATIM_BEGIN, SERIATIM_NO_OBJECT);
    seriatim_monitor_event(monitor, 1, SERIATIM_READ, 5);
    seriatim_monitor_event(monitor, 2, SERIATIM_WRITE, 5);
    int result = seriatim_monitor_event(monitor, 1, SERIATIM_WRITE, 5);
    seriatim_monitor_destroy(monitor);
    return result == SERIATIM_VIOLATION ? 0 : 1;
}
END
PKG_CONFIG_PATH=$lib/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs seriatim) || fail "pkg-config does not know seriatim"
# shellcheck disable=SC2086 # flags are words
cc -std=c11 -Wall -Werror -pedantic user.c $flags -o user || fail "a program cannot be built"
LD_LIBRARY_PATH=$lib ./user || fail "the program with the shared library fails"
libs=$(pkg-config --static --libs-only-l seriatim | sed 's/-lseriatim//')
# shellcheck disable=SC2086
cc -std=c11 user.c "-I$prefix/include" "$lib/libseriatim.a" $libs -o user_static ||
    fail "a program cannot be built with the static library"
./user_static || fail "the program with the static library fails"

# The header is C++ as well.
if command -v c++ > /dev/null; then
    c++ -x c++ -Wall -Werror -fsyntax-only "-I$prefix/include" user.c || fail "not valid as C++"
fi
finish
