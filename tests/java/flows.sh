#!/bin/sh
# SPDX-License-Identifier: MIT
# What the rewriter finds out about values, and what follows: an increment that nothing protects is certain to go
# wrong in another order, although the recorded run was quiet.
. "$(dirname "$0")/lib.sh"
javac -g -d classes "$here/programs/Flows.java"

"$SERIATIM" record -o flows.srt -- java -cp classes Flows > said 2>&1 || fail "$(cat said)"
"$SERIATIM" convert flows.srt -o flows.txt > said 2>&1 || fail "$(cat said)"
# "read sum data": accesses in two methods, in order
sed -nE 's/^T0\|([rw])\(([^)]*)\)\|Flows.java:[0-9]+\|value=[^|]*(\|flow=([a-z,]*))?\|function=Flows\.(assign|decide|choose|look)$/\1 \2 \4/p' flows.txt |
    sed -E 's/Flows(@[0-9a-f]+)?\.//; s/int\[\]@[0-9a-f]+/int[]/; s/ $//' > found
cat > expected << 'END'
r data data
w sum
r wide data,modifies
w wide
r real data,modifies
r wide data
w real
r link data
w data_link
r sum data
w stored
w fixed fixed
r plain
r plain data,modifies
w plain
r own data,modifies
w own
r own decides
w fixed fixed
r sum
r int[][1] data
w stored
r int[][1] modifies
r stored
w int[][1] fixed
r sum decides
w fixed fixed
r data data
w stored
w fixed fixed
r plain decides
r sum decides
r data
r wide
r stored decides
r own handed
END
diff expected found > difference || fail "flows: $(cat difference)"

javac -g -d classes "$here/programs/Quiet.java"
"$SERIATIM" record --seed 1 -o quiet.srt -- java -cp classes Quiet > said 2>&1 || fail "$(cat said)"
grep -qx 2 said || fail "the run was not a quiet one: $(cat said)"
status=0
"$SERIATIM" predict --atomic auto --model data quiet.srt > said 2>&1 || status=$?
[ $status = 1 ] || fail "increments are not predicted: status $status: $(cat said)"
grep -q '2 of 2 blocks can be violated' said || fail "increments: $(cat said)"
