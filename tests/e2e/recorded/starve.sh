#!/bin/sh
# SPDX-License-Identifier: MIT
# Nobody starves (docs/runtime.md): a thread gets what others take and give back in a loop, in a
# bounded number of turns, whatever the loop, the scheduler and the length of turns are
# (random/starve.c). STARVE_PHASES and STARVE_BODIES choose how many loops, STARVE_QUANTA the
# lengths for each kind, STARVE_BUDGET the seconds that a run may take; many of them:
#     STARVE_PHASES=50 STARVE_BODIES=20 STARVE_QUANTA='1 2 3 5 10 100 4000' STARVE_BUDGET=900 \
#         SERIATIM=build/seriatim BUILD=build sh tests/e2e/recorded/starve.sh
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

"$SERIATIM" cc -O1 -pthread "$here/random/starve.c" -o starve || fail "the program should build"
phases=${STARVE_PHASES:-4}
bodies=${STARVE_BODIES:-2}
most_turns=$((phases * bodies * 1000))

# look_at KIND OPTIONS...: it ends. Turns are counted where they do not depend on time.
look_at() {
    kind=$1
    shift
    rm -f run.srt
    run record -q -o run.srt --budget "${STARVE_BUDGET:-60}" --runtime turns=1 "$@" -- ./starve "$kind" "$phases" "$bodies"
    expect_status 0
    expect_out done
    case $kind in
    *sleep* | timed | queue | ping-pong | heap) return ;;
    esac
    case $* in
    *parallel*) return ;;
    esac
    run info run.srt
    ! grep -q '^note: recording stopped .* the limit of ' out || return # it ended, but its turns were not counted
    turns=$(sed -n 's/^note: \([0-9]*\) turns$/\1/p' out)
    [ "${turns:-$most_turns}" -lt $most_turns ] || fail "expected fewer turns: $kind, $*"
}

n=0
for kind in mutex sleep mutexes try try-yield try-sleep tries timed queue writer writer-try reader \
    spin semaphore semaphore-try own-spin own-yield own-futex flag ignored condition ping-pong heap; do
    some=$(echo 1 2 3 5 10 100 | cut -d ' ' -f $((n % 6 + 1)))
    look_at $kind
    for quantum in ${STARVE_QUANTA:-$some}; do
        for scheduler in round-robin random pct; do
            look_at $kind --scheduler=$scheduler --quantum="$quantum" --seed=$n
        done
    done
    case $kind in
    writer-try) ;; # the plain program starves as well
    *) look_at $kind --mode=parallel ;;
    esac
    n=$((n + 1))
done
run validate -q run.srt
expect_status 0
finish
