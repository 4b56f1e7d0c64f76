#!/bin/sh
# SPDX-License-Identifier: MIT
# What record --shared leaves out changes no verdict, and what is predicted from such a trace is
# shown by a replay as without: a replay counts the operations that are not in the trace, too. The
# same with what the runtime leaves out from the first operation on.
. "$(dirname "$0")/lib.sh"
. "$here/programs/judge.sh"

# predict_and_replay NAME FILE OPTIONS...: how many violations are predicted, and the exit
# statuses of replays of the first three, into NAME.
predict_and_replay() {
    name=$1 file=$2
    shift 2
    rm -rf schedules
    record "$file" "$@" || return 1
    run predict -q --atomic "$blocks" --schedules schedules trace.srt
    find . -path './schedules/*' > found
    wc -l < found > "$name"
    sort -V found | head -n 3 > first
    while read -r schedule; do
        run replay -q --atomic "$blocks" trace.srt --schedule "$schedule" -- ./recorded
        [ "$status" = 1 ] || fail "expected it to be shown, $file, $*"
        replays=$((replays + 1))
    done < first
}

replays=0 gaps=0
for file in "$source_folder"/examples/*/wrong.c* "$programs"/wrong/*.c; do
    echo "$file"
    choose_blocks "$file"
    build "$file"
    wanted_status=0
    ./plain > out 2>&1 < /dev/null || wanted_status=$?
    for scheduler in round-robin 'random --quantum=5'; do
        # shellcheck disable=SC2086 # options are words
        predict_and_replay all "$file" --scheduler=$scheduler &&
            predict_and_replay shared "$file" --scheduler=$scheduler --shared &&
            expect_same all shared
    done
    predict_and_replay some "$file" --scheduler=round-robin --runtime exact=0
    predict_and_replay parallel "$file" --mode=parallel --runtime exact=0
    predict_and_replay parallel "$file" --mode=parallel --shared || continue
    "$SERIATIM" convert --to text -o text trace.srt 2> err
    gaps=$((gaps + $(grep -c '|skip||value=' text)))
done
[ "$replays" -ge 50 ] || fail "expected more replays than $replays"
[ "$gaps" -ge 50 ] || fail "expected more to be left out than in $gaps places"
finish
