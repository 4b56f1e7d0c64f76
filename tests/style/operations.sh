#!/bin/sh
# SPDX-License-Identifier: MIT
# operations.sh: does code ask for the roles of operations (trace/event.h), and not for each
# operation by its name? A new operation that fits a role then needs no change there. The checker
# has its own rules on purpose: it shares nothing with what it checks. Then a switch is planted, to
# show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

check() {
    (cd "$1" && grep -rn 'case SER_OP_' . | sed 's|^\./|src/|' | grep -v '^src/witness/checker/' || true)
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
echo '    case SER_OP_READ:' | tee "$scratch/order/planted.c" > "$scratch/witness/checker/rules.c"
[ "$(check "$scratch" | wc -l)" = 1 ] || { echo "one planted switch should be found"; exit 1; }
