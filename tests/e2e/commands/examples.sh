#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples: the mistake in each is predicted from a run that went well, and then made
# to happen; its correct twin is never accused.
. "$(dirname "$0")/../lib.sh"
. "$here/programs/judge.sh"

count=0
for kind in wrong correct; do
    for file in "$source_folder"/examples/*/$kind.c*; do
        judge $kind "$file"
        run run --effort quick -q -o result --atomic "$blocks" -- ./recorded
        case $kind in
        wrong)
            expect_status 1
            expect_out 'Confirmed: it happened'
            ;;
        correct) expect_status 0 ;;
        esac
        count=$((count + 1))
    done
done
[ "$count" -ge 24 ] || fail "expected more examples than $count"
finish
