#!/bin/sh
# SPDX-License-Identifier: MIT
# Input that is wrong in every way we know: exit status 3, and a message that
# names the place.
. "$(dirname "$0")/../lib.sh"

# refused NAME PATTERN: every command refuses the file NAME with such a message.
refused() {
    for command in validate info check "convert -o converted.std"; do
        # shellcheck disable=SC2086 # command and its options
        run $command "$1"
        expect_status 3
        expect_err "$1"
        expect_err "$2"
        [ ! -e converted.std ] || fail "a file was left under the final name"
        ls converted* > /dev/null 2>&1 && fail "a temporary file was left"
    done
    grep -c '' err | grep -qx 1 || fail "expected one line of message"
}

# broken NAME PATTERN, with the lines of the trace as further arguments.
broken() {
    name=$1
    pattern=$2
    shift 2
    printf '%s\n' "$@" > "$name"
    refused "$name" "$pattern"
}

# Lines that are no events.
broken operation.std ':2: .*unknown operation' 'T1|r(x)|1' 'T1|read_it(x)|2'
broken no_operation.std ':2: .*missing' 'T1|r(x)|1' 'T1'
broken no_location.std ':1: .*missing' 'T1|r(x)'
broken no_operand.std ':1: .*missing' 'T1|r()|1'
broken no_thread.std ':1: .*missing' '|r(x)|1'
broken blank.std ':2: .*blank' 'T1|r(x)|1' '' 'T1|r(x)|2'
broken spaces.std ':2: ' 'T1|r(x)|1' '   ' 'T1|r(x)|2'

# A program instead of its trace.
printf '\177ELF\002\001\001' > program
refused program 'is a program, not a trace'

# Rules of well-formed traces.
broken not_held.std 'event 1.*rel.*m' 'T1|rel(m)|1'
broken not_held_any_more.std 'event 3.*m' 'T1|acq(m)|1' 'T1|rel(m)|2' 'T1|rel(m)|3'
broken held_by_other.std 'event 2.*m.*T1.*event 1' 'T1|acq(m)|1' 'T2|acq(m)|2'
broken released_by_other.std 'event 2.*m' 'T1|acq(m)|1' 'T2|rel(m)|2'
broken before_fork.std 'event 2.*T2' 'T2|r(x)|1' 'T1|fork(T2)|2'
broken after_join.std 'event 4.*T2.*event 3' 'T1|fork(T2)|1' 'T2|r(x)|2' 'T1|join(T2)|3' \
    'T2|r(x)|4'
broken end.std 'event 1.*block' 'T1|end|1'
broken end_again.std 'event 3.*block' 'T1|begin|1' 'T1|end|2' 'T1|end|3'

# Files that hold no trace.
: > empty.std
refused empty.std 'empty|no event'
head -c 4096 "$SERIATIM" | tail -c 4000 > garbage
refused garbage 'event [0-9]'
printf 'T1|r(x)|1\nT1|\001\002\377\n' > binary.std
refused binary.std ':2: '

# Compressed files cut short or damaged.
seq 1 20000 | sed 's/.*/T1|w(x&)|&/' > long.std
gzip -k long.std
zstd -q long.std
head -c 20000 long.std.gz > cut.gz
head -c 10000 long.std.zst > cut.zst
refused cut.gz 'the gzip data ends early .* at byte 20000, after event [1-9][0-9]*$'
refused cut.zst 'the zstd data ends early .* at byte 10000, after event [0-9]+$'
sed 's/.*/@  Wr(0,x)  y/' long.std | gzip | head -c 100 > cut.rr.gz
refused cut.rr.gz 'the gzip data ends early .*, after event [1-9][0-9]*$'
run convert long.std -o long.srt
gzip -c long.srt | head -c 2000 > cut.srt.gz
refused cut.srt.gz 'the gzip data ends early .*, after event 0$'

# A line that never ends.
{ printf 'T1|r(x)|1\n'; head -c 2000000 /dev/zero | tr '\0' x; } > line.std
refused line.std ':2: the line is longer than 1048576 bytes, after event 1$'
{ printf '@  Rd(0,x)  y\n'; head -c 2000000 /dev/zero | tr '\0' x; } > line.rr
refused line.rr ':2: the line is longer than 1048576 bytes, after event 1$'
{ head -c 10000 long.std.gz; printf 'XXXXXXXXXXXXXXXX'; tail -c +10017 long.std.gz; } > damaged.gz
refused damaged.gz 'damaged|corrupt|gzip|byte'

# Things that cannot be read.
mkdir a_folder
refused a_folder 'directory'
refused not_there 'No such file'
if [ "$(id -u)" != 0 ]; then
    printf 'T1|r(x)|1\n' > secret.std
    chmod 0 secret.std
    refused secret.std 'Permission denied'
fi
printf 'T1|r(x)|1\n' > good.std
run check --atomic no_such_spec good.std
[ "$status" = 2 ] || [ "$status" = 3 ] || fail "expected exit status 2 or 3"
expect_err 'no_such_spec'

# A trace whose first events are fine is still refused as a whole.
run_with_input not_held_any_more.std validate -
expect_status 3
expect_err 'standard input.*event 3'

# Control characters in names must not reach the terminal.
printf 'T\033[31m1|rel(m)|1\n' > escape.std
run validate escape.std
expect_status 3
grep -q "$(printf '\033')" err && fail "an escape character in a message"
finish
