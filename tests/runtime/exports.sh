#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh: the library shows what it interposes and what abi.h declares, nothing else,
# and needs the C library only.
set -eu
src=$(cd "$(dirname "$0")/../../src/runtime" && pwd)
failed=0

shown=$(nm -D --defined-only "$RUNTIME" | awk '{ print $3 }' | grep -v '^__seriatim_\|^__VERIFIER_\|^__tsan_' || true)
for name in $shown; do
    # interposed: the table of real functions has it, or its file says so
    grep -qw "$name" "$src/real.h" && continue
    case $name in
    mmap64 | select64 | gettimeofday | timespec_get) continue ;;
    esac
    echo "exports.sh: $name leaks" >&2
    failed=1
done
[ -n "$shown" ] || failed=1

# Everything that abi.h declares is there.
for name in $(sed -n 's/.*\(__seriatim_[a-z_0-9]*\)(.*/\1/p' "$src/abi.h" | sort -u); do
    nm -D --defined-only "$RUNTIME" | grep -qw "$name" || {
        echo "exports.sh: $name is missing" >&2
        failed=1
    }
done

needed=$(objdump -p "$RUNTIME" | awk '/NEEDED/ { print $2 }' | grep -v '^libc\.so\|^libgcc_s\|^ld-linux' || true)
[ -z "$needed" ] || {
    echo "exports.sh: needs $needed" >&2
    failed=1
}
exit $failed
