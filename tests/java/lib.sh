# SPDX-License-Identifier: MIT
# For tests that record Java programs: a scratch folder, in which we are, with the programs compiled.
# $SERIATIM is the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v javac > /dev/null || { echo "SKIPPED: there is no JDK (openjdk-17-jdk-headless)"; exit 77; }
[ "${JAVA_AGENT:-}" = ON ] || { echo "SKIPPED: seriatim was built without a JDK (openjdk-17-jdk-headless)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "$0: $1" >&2
    exit 1
}
