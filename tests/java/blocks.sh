#!/bin/sh
# SPDX-License-Identifier: MIT
# Methods that are annotated are the blocks, whichever way they are left; a deadlock of monitors is
# reported; and a script that starts java is recorded, too.
. "$(dirname "$0")/lib.sh"
javac -g -cp "$ANNOTATIONS" -d . "$here"/programs/*.java

status=0
timeout 60 "$SERIATIM" run --schedules 2 -o out -- java -cp "$ANNOTATIONS:." Annotated > said 2>&1 || status=$?
[ $status = 1 ] || fail "status $status: $(cat said)"
grep -q 'Annotated.difference.*is not atomic' said || fail "the annotated method was not found: $(cat said)"
! grep -q 'Annotated.sum.*is not atomic' said || fail "a method that is not annotated was found: $(cat said)"
grep -q Confirmed said || fail "it was not confirmed: $(cat said)"
"$SERIATIM" convert out/run-1.srt > trace 2> /dev/null
[ "$(grep -c '|begin(' trace)" = 2 ] || fail "there are not two blocks: $(grep '|begin(' trace)"
[ "$(grep -c '|end' trace)" = 2 ] || fail "not both blocks end: $(grep '|end' trace)"

status=0
timeout 60 "$SERIATIM" run --schedules 3 -o dead -- java -cp . Deadlock > said 2>&1 || status=$?
[ $status = 1 ] || fail "the deadlock has status $status: $(cat said)"
grep -q 'T1 waits at Deadlock.java:[0-9]* for lock Object@.*, which T2 holds' said || fail "the deadlock: $(cat said)"
# Its first run stood still, so that the status of another one, which ends, says nothing.
[ "$(grep -c '^[0-9]*\. ' said)" = 1 ] && ! grep -q 'ends with status' said || fail "more than the deadlock: $(cat said)"

printf '#!/bin/sh\nexec java -cp . Monitors\n' > script
chmod +x script
timeout 60 "$SERIATIM" record -o script.srt -- ./script > /dev/null 2> said || fail "the script: $(cat said)"
"$SERIATIM" convert script.srt 2> /dev/null | grep -q 'call(Monitors.main)' || fail "the script was not recorded"
