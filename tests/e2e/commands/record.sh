#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim record from outside, with a program that writes records by a script (what
# real programs do is for other tests): what becomes of them in the trace. record_ends.sh has
# what is kept when things go wrong.
. "$(dirname "$0")/../lib.sh"
. "$source_folder/tests/record/producer.sh"

# --- cells and names -------------------------------------------------------

script cells << 'END'
ALLOCATE 0 0x10000 64 0 1
w 0 0x10000 0x1122334455667788 8 2
r 1 0x10004 0x11223344 4 3
w 0 0x10020 1 16 3
CHUNK 0 0 2
r 0 0x10028 2 8 3
FREE 0 0x10000 0 0
ALLOCATE 0 0x10000 64 0 1
RANGE_WRITE 0 0x10000 64 0 3
w 0 0x10000 5 8 2
LOCAL 1 0x7fff0010 4 0 4
rmw 1 0x7fff0010 6 4 3
LOCAL 1 0x7fff0010 4 0 4
w 1 0x7fff0010 7 4 3
r 1 0x404010 5 4 2
say hello
exit 7
END
run record -o cells.srt -- "$producer" cells
expect_status 7
expect_out '^hello$'
expect_err 'wrote cells.srt: 12 events$'
[ "$(wc -l < out)" = 1 ] || fail "more than the program's output"
[ "$(wc -l < err)" = 1 ] || fail "more than a line about the trace"
expect_events cells.srt << 'END'
T0|w(balance of struct account, allocated at bank.c:10 (1st))|bank.c:42|value=1432778632|joined=1
T0|w(+4 of block allocated at bank.c:10 (1st))|bank.c:42|value=287454020
T1|r(+4 of block allocated at bank.c:10 (1st))|bank.c:43|value=287454020
T0|w(+32 of block allocated at bank.c:10 (1st))|bank.c:43|value=1|joined=1
T0|w(+40 of block allocated at bank.c:10 (1st))|bank.c:43|value=2
T0|r(+40 of block allocated at bank.c:10 (1st))|bank.c:43|value=2
T0|w(balance of struct account, allocated at bank.c:10 (2nd))|bank.c:43
T0|w(+8 of block allocated at bank.c:10 (2nd))|bank.c:43|continues=1
T0|w(balance of struct account, allocated at bank.c:10 (2nd))|bank.c:42|value=5
T1|rmw(x of transfer() in T1)|bank.c:43|value=6
T1|w(x of transfer() in T1 (2nd))|bank.c:43|value=7
T1|r(balance of struct account (0x404010))|bank.c:42|value=5
END
# Files are named without their folders, as long as that says which.
script folders << 'END'
text 6 src/vault.c
text 7 old/src/vault.c
site 5 6 20 4 0
site 6 7 20 4 0
site 7 6 20 4 5
ALLOCATE 0 0x10000 8 0 5
ALLOCATE 0 0x20000 8 0 6
ALLOCATE 0 0x30000 8 0 7
w 0 0x10000 1 8 3
w 0 0x20000 2 8 3
w 0 0x30000 3 8 3
END
run record -o folders.srt -- "$producer" folders
expect_status 0
expect_events folders.srt << 'END'
T0|w(+0 of block allocated at vault.c:20 (1st))|bank.c:43|value=1
T0|w(+0 of block allocated at old/src/vault.c:20 (1st))|bank.c:43|value=2
T0|w(+0 of block allocated at vault.c:20 (2nd))|bank.c:43|value=3
END
run record -q --own-status -o again.srt -- "$producer" cells
expect_status 0
expect_no_err
expect_same cells.srt again.srt

script others << 'END'
fork 0 1 0 0 3
acq 0 0x404100 0 0 3
begin 0 4 0 0 3
call 1 2 0 0 3
call 1 3 0 0 0
ret 1 3 0 0 0
ret 1 2 0 0 3
end 0 4 0 0 3
rel 0 0x404100 0 0 3
racq 1 0x404100 0 0 3
rrel 1 0x404100 0 0 3
post 1 0x404200 0 0 0
take 0 0x404200 0 0 0
join 0 1 0 0 3
END
run record -o others.srt -- "$producer" others
expect_status 0
expect_events others.srt << 'END'
T0|fork(T1)|bank.c:43
T0|acq(0x404100)|bank.c:43
T0|begin(main)|bank.c:43
T1|call(transfer)|bank.c:43
T1|call(transfer)|bank.c:43
T1|ret(transfer)|bank.c:43
T1|ret(transfer)|bank.c:43
T0|end(main)|bank.c:43
T0|rel(0x404100)|bank.c:43
T1|racq(0x404100)|bank.c:43
T1|rrel(0x404100)|bank.c:43
T1|post(0x404200)|
T0|take(0x404200)|
T0|join(T1)|bank.c:43
END

# --shared: what only one thread accesses goes, and calls with nothing in them; of an access
# that has both, the shared part stays, and is one step. How many operations are elided is printed
# where they were, a range in pieces being one.
script shared << 'END'
ALLOCATE 0 0x10000 128 0 1
call 0 2 0 0 3
w 0 0x10000 1 8 3
call 0 3 0 0 3
w 0 0x10040 1 8 3
w 0 0x10040 2 8 3
ret 0 3 0 0 3
ret 0 2 0 0 3
call 1 2 0 0 3
call 1 3 0 0 3
r 1 0x10000 1 8 3
ret 1 3 0 0 3
ret 1 2 0 0 3
RANGE_WRITE 0 0x10008 32 0 3
w 0 0x10018 3 16 3
CHUNK 0 0 4
r 1 0x10018 3 8 3
ALLOCATE 0 0x20000 16 0 1
w 0 0x20000 1 8 3
w 0 0x20008 2 8 3
r 1 0x20008 2 8 3
w 0 0x20000 1 8 3
call 0 2 0 0 3
w 0 0x20000 1 16 3
CHUNK 0 0 2
w 0 0x20000 1 8 3
call 0 2 0 0 3
call 0 3 0 0 3
w 0 0x20000 2 8 3
ret 0 3 0 0 3
RANGE_READ 0 0x10040 32 0 3
RANGE_WRITE 0 0x30000 64 0 3
RANGE_WRITE 0 0x30040 64 1 3
RANGE_WRITE 0 0x30080 64 1 3
RANGE_WRITE 0 0x30100 64 0 3
r 1 0x30080 0 8 3
acq 0 0x500 0 0 3
END
run record --shared -o shared.srt -- "$producer" shared
expect_status 0
expect_events shared.srt << 'END'
T0|call(transfer)|bank.c:43
T0|w(+0 of block allocated at bank.c:10 (1st))|bank.c:43|value=1
T0|ret(transfer)|bank.c:43|value=4
T1|call(transfer)|bank.c:43
T1|call(transfer)|bank.c:43
T1|r(+0 of block allocated at bank.c:10 (1st))|bank.c:43|value=1
T1|ret(transfer)|bank.c:43
T1|ret(transfer)|bank.c:43
T0|w(+24 of block allocated at bank.c:10 (1st))|bank.c:43
T0|w(+24 of block allocated at bank.c:10 (1st))|bank.c:43|value=3
T1|r(+24 of block allocated at bank.c:10 (1st))|bank.c:43|value=3
T0|skip||value=1
T0|w(+8 of block allocated at bank.c:10 (2nd))|bank.c:43|value=2
T1|r(+8 of block allocated at bank.c:10 (2nd))|bank.c:43|value=2
T0|call(transfer)|bank.c:43|value=1
T0|w(+8 of block allocated at bank.c:10 (2nd))|bank.c:43|value=2
T0|call(transfer)|bank.c:43|value=1
T0|skip||value=5
T0|w(0x30080)|bank.c:43|continues=1
T1|r(0x30080)|bank.c:43|value=0
T0|skip||value=1
T0|acq(0x500)|bank.c:43
# note: what only one thread accessed, and calls in which nothing else happened, were dropped
# note: 13 operations on memory that threads did not share were elided
END

# What the runtime leaves out before calls and returns. T1 must stay behind 25 operations of T0,
# which has recorded 18: its next ones are known then, but for the last three before its return.
script elided << 'END'
ALLOCATE 0 0x10000 8 0 1
call 0 2 5 0 3
w 0 0x10000 1 8 3
ret 0 2 3 0 3
skip 0 0 2 0 0
call 0 2 4 0 3
AFTER 1 0 25 0 0
r 1 0x10000 1 8 3
call 0 2 5 0 3
ret 0 2 4 0 3
call 0 3 2 0 3
ret 0 3 1 0 3
acq 0 0x500 0 0 3
END
run record -o elided.srt -- "$producer" elided
expect_status 0
expect_events elided.srt << 'END'
T0|call(transfer)|bank.c:43|value=5
T0|w(+0 of block allocated at bank.c:10 (1st))|bank.c:43|value=1
T0|ret(transfer)|bank.c:43|value=3
T0|call(transfer)|bank.c:43|value=6
T0|skip||value=7
T0|r(what T0 did and was not recorded)||continues=1
T1|r(+0 of block allocated at bank.c:10 (1st))|bank.c:43|value=1|late=1
T0|call(transfer)|bank.c:43|continues=1
T0|ret(transfer)|bank.c:43|value=3
T0|call(transfer)|bank.c:43|value=2
T0|ret(transfer)|bank.c:43|value=1
T0|acq(0x500)|bank.c:43
# note: 27 operations on memory that threads did not share were elided
# note: late accesses, which come after such operations of other threads in every interleaving: 1
END
"$SERIATIM" convert -q --to text -o all elided.srt
run record --shared -o elided.srt -- "$producer" elided
"$SERIATIM" convert -q --to text -o text elided.srt
sed -i '/^#/d' all text
sed '/^T0|call.*|value=2|/d; s/^T0|ret.*|value=1|.*/T0|skip||value=5/' all > wanted
expect_same wanted text

script parallel << 'END'
ring 1
next 100
ring 2
next 100
w 1 0x1000 2 4 3 2
w 1 0x1000 4 4 3 4
ring 1
w 0 0x1000 1 4 3 1
w 0 0x1000 3 4 3 3
w 0 0x1000 5 4 3 5
END
run record --mode parallel -o parallel.srt -- "$producer" parallel
events parallel.srt
[ "$(sed 's/.*value=//' events | tr '\n' ' ')" = '1 2 3 4 5 ' ] || fail "not in order of clocks"

# Symbols and code of a module, here of the producer itself as if loaded at 0x100000000.
address() {
    echo $((0x100000000 + 0x$(nm "$producer" | sed -n "s/ [a-zA-Z] $1\$//p")))
}
script module << END
text 7 $producer
MODULE 0 0x100000000 7
SITE_CODE 0 $(($(address main) + 1)) 0 0 9
r 0 $(address raw_names) 1 4 9
r 0 $(($(address raw_names) + 8)) 1 4 9
acq 0 $(address channel) 0 0 9
END
run record -o module.srt -- "$producer" module
"$SERIATIM" convert module.srt --to text -o - > events
grep -Eq '^T0\|r\(raw_names(\[0\]\.name)?\)\|(.*producer.c:[0-9]+|record_producer\+0x[0-9a-f]+)\|.*function=main$' events ||
    fail "no name or place: $(cat events)"
grep -Eq '^T0\|r\(raw_names(\+8|\[0\]\.op)\)' events || fail "no offset: $(cat events)"
grep -Eq '^T0\|acq\(channel\)' events || fail "no lock: $(cat events)"

# --- what the runtime reports ----------------------------------------------

script trouble << 'END'
text 6 no memory
LOST 0 6 30
LOST 0 6 12
STOLEN 1
lost 50
acq 0 0x404100 0 0 3
rel 0 0x404100 0 0 3
acq 0 0x404100 0 0 3
BLOCKED 1 0x404100 0 0 2
BLOCKED 0 0x404200 0xffffffffffffffff 0 3
BLOCKED 2 0x404300 1 0 3
DEADLOCK
hang
END
run record -o trouble.srt -- "$producer" trouble
expect_status 6
expect_err 'T1 waits at bank.c:42 for lock 0x404100, which T0 holds'
expect_err 'T0 waits at bank.c:43 for something$'
expect_err 'T2 waits at bank.c:43 for T1$'
expect_err 'deadlocked and was ended'
run info trouble.srt
expect_out '^note: 42 events could not be recorded: no memory'
expect_out '^note: 8 more events could not be recorded'
expect_out '^note: a thread lost its turn 1 time'
expect_out '^note: deadlock: T1 waits at bank.c:42'

script wrong_value << 'END'
w 0 0x1000 5 4 3
r 1 0x1000 5 4 3
RANGE_WRITE 0 0x1000 4 0 3
r 1 0x1000 6 4 3
r 1 0x1000 7 4 3
END
run record --verify -o wrong.srt -- "$producer" wrong_value
expect_status 0
expect_err '1 reads saw a value .*: T1 read 7 from 0x1000 at bank.c:43, where 6 was expected'

# --- usage -----------------------------------------------------------------

rm -f ./*.srt
run record -o none.srt -- sh -c 'cat; exit 4'
expect_status 3
expect_err 'is not instrumented.*CC=seriatim-cc'
run record -o none.srt -- ./no-such-program
expect_status 127
expect_err 'cannot run ./no-such-program: No such file'
run record -o none.srt -- ./cells
expect_status 126
run record -o no/such/folder.srt -- "$producer" cells
expect_status 3
expect_err 'no/such/folder.srt'
for wrong in '-o - x' '--limit 5x x' '--runtime sed=1 x' '' '--finish a b'; do
    # shellcheck disable=SC2086 # words
    run record $wrong
    expect_status 2
done
run record --runtime help=1
expect_status 0
expect_out 'quantum'
[ -z "$(find . -name '*.srt*')" ] || fail "left behind: $(find . -name '*.srt*')"
finish
