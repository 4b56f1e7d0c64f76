#!/bin/sh
# SPDX-License-Identifier: MIT
# Servers whose clients are other processes: started by the program, or beside it by a script. What is
# wrong in a handler is found and confirmed by plain `run`, and happens again in replays. Clients that
# come one after the other never meet, and nothing is predicted of them.
. "$(dirname "$0")/../lib.sh"
programs=$here/servers

cc() {
    "$SERIATIM" cc -g "$@" -pthread || exit 1
}
cc -o polls "$programs/polls.c"
cc -o epolls "$programs/epolls.c"
cc -DCAREFUL -o careful "$programs/epolls.c"
cc -o loops "$programs/loops.c"
cc -DCAREFUL -o careful_loops "$programs/loops.c"
cc -DITEMS -o items "$programs/epolls.c"
"$SERIATIM_CLANG" -o client "$programs/client.c" || exit 1

# The clients beside the server find its port in a file.
cat > beside.sh << 'END'
#!/bin/sh
rm -f port
./client port & one=$!
./client port & two=$!
"$@"
wait $one $two
END
cat > one_after_the_other.sh << 'END'
#!/bin/sh
rm -f port
{ ./client port; ./client port; } & both=$!
"$@"
wait $both
END

# expect_lost FUNCTION SUM COMMAND...: an update is lost in that function, and again in a replay. Whether two
# requests meet is up to the clients, and on a busy machine they may not, so each is tried several times.
expect_lost() {
    function=$1
    sum=$2
    shift 2
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        run run -o res -- "$@"
        [ "$status" != 1 ] || break
    done
    expect_status 1
    expect_out "^1\. $function\(\).* is not atomic"
    # in the replay, or in the run that showed it first
    expect_out "Confirmed: .*( prints \"[0-9]+\" instead of \"$sum\"|printed what it never does)"
    id=$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' res/result.json | head -1)
    for _ in 1 2 3 4 5; do
        run replay -f res "$id"
        [ "$status" != 1 ] || break
    done
    expect_status 1
}

expect_lost handle 40 ./polls fork
expect_lost handle 40 sh ./beside.sh ./polls
expect_lost handle 40 ./epolls fork
expect_lost handle 40 sh ./beside.sh ./epolls

# Loops that come back after a while without anything, and find connections that others have put in.
expect_lost handle 40 ./loops threads
run run -n 8 -o res -- ./careful_loops threads
expect_status 0

# A whole request has to come in the middle of another one.
expect_lost handle_item 145 ./items fork
expect_lost '[a-z_]+' 145 ./items threads

# Who starts the server closes all descriptors first, as Python's subprocess does.
cat > closes.sh << 'END'
#!/bin/bash
for i in /proc/self/fd/*; do i=${i##*/}; [ "$i" -lt 3 ] || eval "exec $i>&-"; done 2> /dev/null
exec "$@"
END
cat > starts.sh << 'END'
#!/bin/sh
bash ./closes.sh "$@"
true
END
run record -o trace.srt -- sh ./starts.sh ./careful fork
expect_status 0
expect_err 'wrote trace.srt'

run run -n 8 -o res -- ./careful fork
expect_status 0
run run -n 8 -o res -- sh ./one_after_the_other.sh ./polls
expect_status 0
expect_out '^no violation'
finish
