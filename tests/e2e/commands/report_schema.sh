#!/bin/sh
# SPDX-License-Identifier: MIT
# SARIF against its schema: of a violation, of failures, of names that nobody expects, of nothing. DOT and
# JUnit by tools of their own, where they are there. Skipped without a validator or the schema (npm_file.py).
. "$(dirname "$0")/../lib.sh"

schema=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8
python3 -c 'import jsonschema' 2> /dev/null || {
    echo "SKIPPED: there is no validator (python3-jsonschema)"
    exit 77
}
python3 "$here/npm_file.py" @microsoft/jest-sarif 1.0.0-beta.0 lib/schemas/sarif-2.1.0-rtm.5.json $schema schema.json > said || {
    echo "SKIPPED: no schema: $(cat said)"
    exit 77
}
SARIF_SCHEMA=$PWD/schema.json
export SARIF_SCHEMA

# expect_valid INPUT...: a report of them is what the schema wants.
expect_valid() {
    run report "$@" -o report
    python3 "$here/formats.py" sarif report/report.sarif > said 2>&1 || fail "of $*: $(grep -v '^ ' said | head -n 20)"
    ! command -v dot > /dev/null || dot -Tsvg report/graph.dot > drawn 2>&1 || fail "Graphviz refuses graph.dot: $(tail -n 2 drawn)"
}

# The validator sees what is wrong.
echo '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "seriatim", "rules": []}}, "results": [], "wrong": 1}]}' > wrong.sarif
! python3 "$here/formats.py" sarif wrong.sarif > said 2>&1 || fail "a wrong file should be refused"

cp "$source_folder/examples/traces/audit.std" .
expect_valid audit.std
for name in story use-after-free control-characters odd-names utf8-names three-open; do
    expect_valid "$source_folder/tests/golden/$name.std"
done
echo 'T|w(x)|' > nothing.std
expect_valid nothing.std
expect_valid audit.std nothing.std audit.std

[ -f "$BUILD/libseriatim-rt.so" ] || finish
for name in philosophers pool refcount; do
    "$SERIATIM" cc -g -o $name "$source_folder/examples/$name/wrong.c" -pthread || fail "$name was not built"
    run run --effort quick -n 5 -o $name.out -- ./$name
    expect_valid $name.out
done
run merge -o all philosophers.out pool.out refcount.out
expect_valid all
finish
