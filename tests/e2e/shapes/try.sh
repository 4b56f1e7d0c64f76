# SPDX-License-Identifier: MIT
# try.sh: what the tests of shapes/{wrong,correct}/* share; sourced after lib.sh.
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# try FILE [OPTION...]: FILE may say "flags: ..." for the compiler.
try() {
    file=$1
    shift
    case $file in
    *.cc) front_end=c++ ;;
    *) front_end=cc ;;
    esac
    flags=$(sed -n 's,.* flags: \([^*]*[^ */]\).*,\1,p' "$file")
    # shellcheck disable=SC2086 # flags are words
    "$SERIATIM" $front_end -O1 -g -pthread $flags "$file" -o program || fail "$file should build"
    run explore --schedules 24 "$@" -o tried -- ./program
    shown="$shown: $file"
}
