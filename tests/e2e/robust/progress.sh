#!/bin/sh
# SPDX-License-Identifier: MIT
# The progress line: on a terminal only, gone before the result, not with --quiet.
. "$(dirname "$0")/../lib.sh"
command -v script > /dev/null || finish # it gives us a terminal

seq 1 10000 | sed 's/.*/T1|w(x)|/' > some.std

# on_terminal OPTIONS: validates a slow pipe, which ends once progress is shown, or after some
# seconds without; what a terminal shows goes to out.
on_terminal() {
    shown="seriatim validate $1 - on a terminal"
    cat > job << END
{
    for time in \$(seq ${2:-600}); do
        cat some.std
        ! grep -aq 'events/s' out || break
        sleep 0.1
    done
} | $SERIATIM validate $1 -
END
    status=0
    script -qefc 'sh job' /dev/null > out 2> err < /dev/null || status=$?
    tr '\r' '\n' < out > lines
    mv lines out
}

on_terminal ''
expect_status 0
expect_out 'validate standard input +[0-9.]+ M events +[0-9]+ k events/s'
expect_out "^$(printf '\033')\\[Kstandard input is well-formed: [0-9]+ events"
on_terminal --quiet 12
expect_status 0
expect_out '^standard input is well-formed: [0-9]+ events'
grep -q 'events/s' out && fail "progress with --quiet"

# Percentages: a file that takes longer than half a second, by stopping the program. It may be
# at its end before it is stopped for the first time; then again.
yes 'T1|w(x)|' | head -n 2000000 | zstd -q > long.zst
cat > job << END
$SERIATIM validate long.zst & process=\$!
for time in 1 2 3; do
    sleep 0.02; kill -STOP \$process; sleep 0.6; kill -CONT \$process
done 2> /dev/null
wait \$process
END
shown='seriatim validate long.zst on a terminal, stopped for a while'
for attempt in $(seq 20); do
    status=0
    script -qec 'sh job' /dev/null > out 2> err < /dev/null || status=$?
    ! grep -aq 'events/s' out || break
done
expect_status 0
expect_out 'validate long.zst +[0-9]+% +[0-9.]+ [kM] events/s +[0-9]+:[0-9][0-9] left'
expect_out 'long.zst is well-formed: 2000000 events'

# Predictions count blocks: here the solver takes its time, and fails.
for i in 1 2 3 4; do
    printf 'T1|%s|\n' begin "r(x$i)" "r(x$i)" end
    printf 'T2|w(x%s)|\n' $i
done > blocks.std
cat > job << END
$SERIATIM predict --engine smt --solver-command 'sleep 0.3' --jobs 1 blocks.std
END
shown='seriatim predict blocks.std on a terminal'
status=0
script -qec 'sh job' /dev/null > out 2> err < /dev/null || status=$?
expect_status 4
expect_out 'predict blocks.std +[1-3] of 4 blocks, 0 violations +0:0[0-9] left'
expect_out 'undecided: 4 of 4 blocks'
finish
