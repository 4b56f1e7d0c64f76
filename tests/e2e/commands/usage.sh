#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong usage: exit status 2 and a hint, never a result.
. "$(dirname "$0")/../lib.sh"
printf 'T1|r(x)|1\n' > t.std

# refused PATTERN ARGUMENTS...
refused() {
    pattern=$1
    shift
    run "$@"
    expect_status 2
    expect_err "$pattern"
    expect_no_out
}

refused 'Usage: seriatim COMMAND'
refused 'unknown command "chekc"; did you mean check' chekc t.std
refused 'unknown command "t.std"' t.std
refused 'unknown option "--jsn"' --jsn
refused 'unknown command "nothing"' help nothing
# cc and c++ have clang's usage, record, run, replay, explore and watch have a program, report, explain and merge have many operands
for command in $("$SERIATIM" --commands | grep -vE '^(cc|c[+]+|record|run|replay|explore|watch|report|explain|merge)$'); do
    refused 'an argument is missing' "$command"
    refused 'too many.*"u.std"' "$command" t.std u.std
    refused 'unknown option --no-such' "$command" --no-such t.std
    refused 'unknown option --lenien; did you mean --lenient' "$command" --lenien t.std
    refused 'needs a number of seconds' "$command" --budget soon t.std
    refused "See seriatim $command --help" "$command" --budget
    refused 'takes no value' "$command" --quiet=yes t.std
done
refused 'did you mean --json' info --jsn out.json t.std
refused 'one of summaries' check --engine fast t.std
refused 'one of auto' predict --engine fast t.std
refused 'whole number from 1' predict --jobs 0 t.std
refused 'number of seconds above 0' predict --timeout 0 t.std
refused 'the trace has no blocks' predict --block 1 t.std
refused 'one of text.native' convert --to srt t.std
refused 'does not compress' convert t.std -o t.std.gz
refused 't.std is both input and output' convert t.std -o t.std
ln t.std link.std
refused 'link.std is both input and output' convert t.std -o ./link.std
for command in info check predict; do
    refused 'link.std is both input and output' $command t.std --json link.std
done
expect_files t.std link.std
[ "$(cat t.std)" = 'T1|r(x)|1' ] || fail "the input was changed"
finish
