#!/bin/sh
# SPDX-License-Identifier: MIT
# Every option that a help lists is accepted by its command, with each of the values that the help
# names. Programs are none that exist: where the options are accepted, that is what is said.
. "$(dirname "$0")/../lib.sh"
printf 'T1|begin(pay)|1\nT1|w(x)|2\nT2|w(x)|3\nT1|w(x)|4\nT1|end(pay)|5\n' > t.std
run report -o found t.std
run predict --json part.json --shard 1/1 t.std
: > empty

# list COMMAND: its options, one a line, each with what its argument is called and the words that the
# help says it may be: "--mode MODE serial|parallel".
list() {
    "$SERIATIM" "$1" --help | awk '
        function tell() {
            if (name != "")
                print name, argument, match(text, /one of [^ ]*/) ? substr(text, RSTART + 7, RLENGTH - 7) : ""
            name = ""
        }
        /^Options:/ { on = 1; next }
        on && /^[^ ]/ { tell(); on = 0 }
        on && /^ ( ?-[a-zA-Z], |     )--/ {
            tell()
            sub(/^ +(-[a-zA-Z], )?/, "")
            name = $1
            argument = match($0, /^--[a-z-]+ [^ ]/) ? $2 : "-"
            text = ""
        }
        on { text = text " " $0; gsub(/ +/, " ", text) }'
}

# value_of COMMAND OPTION ARGUMENT: one that it must accept.
value_of() {
    case $1$2 in
    *--to) echo text ;;
    *--limit) echo 10M ;;
    *--keep) echo 1G ;;
    *--runtime) echo steal_ms=100 ;;
    *--atomic) echo markers ;;
    *--effort) echo quick ;;
    predict--thread) echo T1 ;;
    predict--block) echo 1 ;;
    predict--function) echo pay ;;
    *--solver-command) echo true ;;
    replay--schedule | *--suppress | *--baseline) echo empty ;;
    report--output) echo made.txt ;;
    *) case $3 in
        SECONDS | N | MB) echo 5 ;;
        K/N) echo 1/2 ;;
        *) echo made ;;
        esac ;;
    esac
}

# try COMMAND WORDS...: with the option that is tried, and what the command needs besides.
try() {
    command=$1
    shift
    rm -rf made
    case $command in
    record) case $1 in
        --finish*) run record "$@" ;;
        *) run record "$@" -- ./missing ;;
        esac ;;
    watch) case $1 in
        --tell*) run watch "$@" ;;
        *) run watch "$@" -- ./missing ;;
        esac ;;
    run | explore) run "$command" "$@" -- ./missing ;;
    replay) run replay "$@" --block 1 t.std -- ./missing ;;
    explain) run explain "$@" 0123456789abcdef ;;
    merge) case $1 in
        --json*) run merge "$@" part.json ;;
        *) run merge "$@" found ;;
        esac ;;
    predict) case $1 in
        --split*) run predict "$@" --block 1 t.std ;;
        *) run predict "$@" t.std ;;
        esac ;;
    *) run "$command" "$@" t.std ;;
    esac
    [ "$status" != 2 ] || fail "$command lists $1 in its help, and refuses it"
    [ "$status" != 70 ] && [ "$status" -lt 128 ] || fail "$command fails with $1"
}

count=0
for command in $("$SERIATIM" --commands); do
    case $command in cc | c++) continue ;; esac # clang's options
    list "$command" > "$command.list"
    while read -r option argument choices; do
        [ "$argument" != - ] || set -- "$option"
        [ "$argument" = - ] || [ -n "$choices" ] ||
            set -- "$option=$(value_of "$command" "$option" "$argument")"
        if [ -n "$choices" ]; then
            for choice in $(echo "$choices" | tr '|' ' '); do
                try "$command" "$option=${choice%[,.;]}" # of a sentence
            done
        else
            try "$command" "$@"
        fi
        count=$((count + 1))
    done < "$command.list"
done
[ $count -gt 200 ] || fail "expected more than $count options"

# And what is not listed is refused.
for unknown in --exact=1 --limit=1 --verify --inputs; do
    try_status=0
    "$SERIATIM" watch $unknown -- ./missing > out 2> err || try_status=$?
    [ $try_status = 2 ] || fail "watch $unknown"
done
finish
