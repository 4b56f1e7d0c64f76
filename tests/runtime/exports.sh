#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh: the library shows what it interposes and what abi.def lists, nothing else,
# and needs the C library only.
set -eu
src=$(cd "$(dirname "$0")/../../src" && pwd)
failed=0

shown=$(nm -D --defined-only "$RUNTIME" | awk '{ print $3 }' | grep -v '^__seriatim_\|^__VERIFIER_\|^__tsan_' || true)
for name in $shown; do
    # interposed: the table of real functions has it, or its file says so
    grep -qw "$name" "$src/runtime/posix/real.h" "$src/runtime/posix/openmp/openmp.h" \
        "$src/runtime/posix/glib/glib.h" && continue
    case $name in
    mmap64 | select64 | gettimeofday | timespec_get) continue ;;
    esac
    echo "exports.sh: $name leaks" >&2
    failed=1
done
[ -n "$shown" ] || failed=1

# Everything that the contract lists is there.
listed=$(sed -nE 's/^SER_ABI_[0-9]\([a-z0-9]+, ([a-z_0-9]+).*/__seriatim_\1/p' "$src/contract/abi.def")
for name in $listed; do
    nm -D --defined-only "$RUNTIME" | grep -qw "$name" || {
        echo "exports.sh: $name is missing" >&2
        failed=1
    }
done
[ -n "$listed" ] || failed=1

needed=$(objdump -p "$RUNTIME" | awk '/NEEDED/ { print $2 }' | grep -v '^libc\.so\|^libgcc_s\|^ld-linux' || true)
[ -z "$needed" ] || {
    echo "exports.sh: needs $needed" >&2
    failed=1
}
exit $failed
