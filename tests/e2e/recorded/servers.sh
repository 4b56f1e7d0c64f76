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

# expect_lost FUNCTION COMMAND...: an update is lost in that function, and again in a replay. Whether two
# requests meet is up to the clients, and on a busy machine they may not, so each is tried several times.
expect_lost() {
    function=$1
    shift
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        run run -o res -- "$@"
        [ "$status" != 1 ] || break
    done
    expect_status 1
    expect_out "^1\. $function\(\).* is not atomic"
    expect_out 'Confirmed: .* prints "[0-9]+" instead of "40"'
    id=$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' res/result.json | head -1)
    for _ in 1 2 3 4 5; do
        run replay -f res "$id"
        [ "$status" != 1 ] || break
    done
    expect_status 1
}

expect_lost handle ./polls fork
expect_lost handle sh ./beside.sh ./polls
expect_lost handle ./epolls fork
expect_lost handle sh ./beside.sh ./epolls

run run -n 8 -o res -- ./careful fork
expect_status 0
run run -n 8 -o res -- sh ./one_after_the_other.sh ./polls
expect_status 0
expect_out '^no violation'
finish
