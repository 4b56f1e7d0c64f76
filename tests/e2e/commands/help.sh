#!/bin/sh
# SPDX-License-Identifier: MIT
# Help, version and manual pages: there for every command, 80 columns at most,
# and roff that groff has nothing to say about.
. "$(dirname "$0")/../lib.sh"

fits_80_columns() {
    awk 'length > 80 { bad = 1 } END { exit bad }' out || fail "a line of more than 80 columns"
}

run --help
expect_status 0
expect_no_err
fits_80_columns
commands=$("$SERIATIM" --commands)
[ "$(echo "$commands" | wc -l)" -ge 4 ] || fail "expected at least four commands"
for command in $commands; do
    awk -v c="$command" '$1 == c && NF > 1 { found = 1 } END { exit !found }' out ||
        fail "--help does not list $command"
done
mv out overview
run help
expect_status 0
expect_same overview out
run --version
expect_status 0
expect_out '^seriatim [0-9]+\.[0-9]+\.[0-9]+$'

for command in $commands; do
    run "$command" --help
    expect_status 0
    expect_no_err
    fits_80_columns
    grep -qF "Usage: seriatim $command " out || fail "expected how to use $command"
    case $command in
    cc | c++) common='tsan-abi no-copies help' ;; # the others are clang's
    record | run | explore | merge) common='budget quiet help version' ;; # read no trace
    explain) common='folder budget quiet help version' ;;
    *) common='atomic lenient budget quiet help version' ;;
    esac
    for option in $common; do
        expect_out "^ .*--$option"
    done
    expect_out '^Exit status:'
    mv out by_option
    run help "$command"
    expect_same by_option out
    case $command in cc | c++) continue ;; esac
    run "$command" --version
    expect_out '^seriatim [0-9]'
done

# page NAME ARGUMENTS...: the manual page that the arguments print.
page() {
    name=$1
    shift
    run "$@"
    expect_status 0
    grep -qF ".TH \"$name\" 1" out || fail "expected a page of the name $name"
    for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' 'SEE ALSO'; do
        expect_out "^\\.SH $section"
    done
    if command -v groff > /dev/null; then
        groff -man -Tascii -ww -z < out > warnings 2>&1
        [ ! -s warnings ] || fail "groff: $(head -n 3 warnings)"
    fi
}

page SERIATIM --man
for command in $commands; do
    page "SERIATIM\\-$(echo "$command" | tr a-z A-Z)" --man "$command"
    expect_out '^\.SH OPTIONS'
    # Every option of the help is in the page.
    for option in $("$SERIATIM" "$command" --help | sed -n 's/^  .*--\([a-z]*\).*/\1/p'); do
        expect_out "\\\\-\\\\-$option"
    done
done
finish
