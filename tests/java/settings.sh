#!/bin/sh
# SPDX-License-Identifier: MIT
# Times and random numbers come back in replays; classes can be excluded and written out; virtual threads
# are refused; synchronized code is compiled by the machine.
. "$(dirname "$0")/lib.sh"
javac -g -d . "$here/programs/Inputs.java" "$here/programs/Locked.java" "$here/programs/Monitors.java"

"$SERIATIM" record -o inputs.srt -- java -cp . Inputs > first 2> said || fail "recording inputs: $(cat said)"
"$SERIATIM" replay inputs.srt -- java -cp . Inputs > second 2> said || [ $? = 1 ] || fail "replaying: $(cat said)"
head -n 2 second | cmp -s first - || fail "a replay has other inputs: $(cat first second)"
java -cp . Inputs | cmp -s first - && fail "inputs never differ: the test shows nothing"

"$SERIATIM" record --dump-classes dumped -o all.srt -- java -cp . Monitors > /dev/null 2> said || fail "$(cat said)"
[ "$(wc -c < dumped/Monitors.class)" -gt "$(wc -c < Monitors.class)" ] || fail "Monitors was not written out"
"$SERIATIM" record --exclude 'Nothing,Mon*' -o some.srt -- java -cp . Monitors > /dev/null 2> said || fail "$(cat said)"
"$SERIATIM" convert all.srt 2> /dev/null | grep -q '|r(Monitors' || fail "nothing was read"
! "$SERIATIM" convert some.srt 2> /dev/null | grep -q '|[rw](' || fail "accesses of an excluded class were recorded"
"$SERIATIM" convert some.srt 2> /dev/null | grep -q '|acq(' || fail "an excluded class has no locks"

"$SERIATIM" record -o locked.srt -- java -XX:+PrintCompilation -cp . Locked > compiled 2> said || fail "$(cat said)"
grep -q '100000$' compiled || fail "Locked prints something else"
! grep 'Locked::' compiled | grep SKIPPED || fail "synchronized code is not compiled"

# A machine that knows no such options.
mkdir old
printf '#!/bin/sh\necho "Unrecognized option: $1" >&2\nexit 1\n' > old/java
chmod +x old/java
status=0
"$SERIATIM" record -o old.srt -- old/java -cp . Monitors > said 2>&1 || status=$?
[ $status = 3 ] && grep -q 'old/java recorded nothing.*HotSpot, 17 or later' said || fail "an old machine: $status $(cat said)"

# A class that calls Thread.startVirtualThread, which this JDK may not have: under another name first.
mkdir -p patch/java/lang
echo 'package java.lang; public class Threae { public static Thread startVirtualThread(Runnable r) { return null; } }' \
    > patch/java/lang/Threae.java
echo 'class Virtual { public static void main(String[] a) { Threae.startVirtualThread(null); } }' > Virtual.java
javac --patch-module java.base=patch -d . Virtual.java patch/java/lang/Threae.java
sed -i 's/Threae/Thread/g' Virtual.class
status=0
"$SERIATIM" record -o virtual.srt -- java -cp . Virtual > said 2>&1 || status=$?
[ $status = 1 ] || fail "virtual threads: status $status: $(cat said)"
grep -q 'virtual threads cannot be recorded' said || fail "virtual threads: $(cat said)"
