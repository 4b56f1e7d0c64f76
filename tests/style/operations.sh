#!/bin/sh
# SPDX-License-Identifier: MIT
# operations.sh: does code ask for the roles of operations (trace/event.h), and not for each
# operation by its name, be it by a switch or by a comparison? A new operation that fits a role then
# needs no change there. Not looked at are the checker, which has its own rules on purpose, since it
# shares nothing with what it checks, and what makes operations, in recorded programs (runtime,
# java). Skip, which is like no other, may be asked for. Then such code is planted, to show that
# the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

# check FOLDER: switches and comparisons in what is not exempt.
check() {
    (cd "$1" && grep -rnE 'case SER_OP_|[!=]= *SER_OP_|SER_OP_[A-Z_]+ *[!=]=' . || true) |
        sed 's|^\./|src/|' | grep -vE '^src/(witness/checker|runtime|java)/' |
        sed -E 's/[<!=]=? *SER_OP_(SKIP|COUNT)\b|case SER_OP_(SKIP|COUNT)\b//g' | grep 'SER_OP_' || true
}

found=$(check "$root/src")
if [ -n "$found" ]; then
    echo "$found"
    echo "ask for roles (ser_op_reads, ser_op_acquires, ...) instead"
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/order" "$scratch/witness/checker"
cat > "$scratch/order/planted.c" << 'END'
    case SER_OP_READ:
    return event->op == SER_OP_RMW || event->op == SER_OP_SKIP;
    return event->op == SER_OP_SKIP;
    if (SER_OP_WAIT != op)
END
cp "$scratch/order/planted.c" "$scratch/witness/checker/rules.c"
found=$(check "$scratch" | wc -l)
[ "$found" = 3 ] || { echo "three planted lines should be found, not $found"; exit 1; }
