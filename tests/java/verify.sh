#!/bin/sh
# SPDX-License-Identifier: MIT
# The verifier gives the same answers for classes of the JDK before and after they are rewritten. The
# last part shows that the comparison can fail.
set -eu
command -v javac > /dev/null || { echo "SKIPPED: there is no JDK (openjdk-17-jdk-headless)"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
javac -d "$scratch" "$here/VerifySame.java"
java -Xshare:auto -XX:TieredStopAtLevel=1 -cp "$scratch" VerifySame "$FILTER" "5000" jdk.compiler \
    jdk.javadoc jdk.jshell jdk.jdi jdk.internal.le jdk.jfr jdk.internal.vm.compiler java.xml java.naming java.rmi \
    > "$scratch/said" 2> "$scratch/left" || { cat "$scratch/said" "$scratch/left"; exit 1; }
tail -n 1 "$scratch/said"

# Code that nothing reaches, as some compilers leave it behind: its frame has no `this`.
mkdir "$scratch/dead"
cp "$here/../fuzz/corpus/class/dead_code" "$scratch/dead/DeadCode.class"
java -XX:TieredStopAtLevel=1 -cp "$scratch" VerifySame "$FILTER" 1 "$scratch/dead" > "$scratch/said" ||
    { cat "$scratch/said"; exit 1; }

if java -cp "$scratch" VerifySame "$FILTER --wrong" 1 jdk.jshell > "$scratch/said" 2>&1; then
    echo "classes that are rewritten wrongly have the same answers"
    exit 1
fi
grep -q 'was good, is VerifyError' "$scratch/said"
