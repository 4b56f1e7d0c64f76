#!/bin/sh
# SPDX-License-Identifier: MIT
# A test suite as docs/reports.md has it: CTest runs five tests under seriatim, two of them with a bug and
# one with a single thread, and one command makes one report of all.
. "$(dirname "$0")/../lib.sh"
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 77
}

mkdir bin
ln -s "$SERIATIM" bin/seriatim
PATH=$folder/bin:$PATH
for name in bank queue; do
    cp "$source_folder/examples/$name/wrong.c" "${name}_wrong.c"
    cp "$source_folder/examples/$name/correct.c" "${name}_correct.c"
done
echo 'int main(void) { return 0; }' > single.c
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(suite C)
enable_testing()
find_package(Threads REQUIRED)
foreach(name bank_wrong bank_correct queue_wrong queue_correct single)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} Threads::Threads)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
END

# The script of the documentation, in which nobody explores for long.
sed -n '/^with this script/,/^`--program-status`/p' "$source_folder/docs/reports.md" | sed -n 's/^    //p' |
    sed 's/seriatim run/seriatim run --effort quick/' > under-seriatim
grep -q 'exec seriatim run' under-seriatim || fail "the documentation has no script"
chmod +x under-seriatim
{
    cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_COMPILER=$BUILD/seriatim-cc" \
        "-DCMAKE_CROSSCOMPILING_EMULATOR=$PWD/under-seriatim" && cmake --build build && ctest --test-dir build
} > log 2>&1 || fail "the suite did not run: $(tail -n 15 log)"

run merge -o merged build/seriatim/* --report report
expect_status 1
python3 "$here/formats.py" sarif report/report.sarif || fail "report.sarif is wrong"
python3 "$here/formats.py" junit report/junit.xml || fail "junit.xml is wrong"
grep -q '<testsuites name="seriatim" tests="5" failures="2" errors="0" skipped="1">' report/junit.xml ||
    fail "expected two failures of five tests, and one that is skipped: $(head -n 3 report/junit.xml)"
[ "$(grep -c '^[0-9]*\. .*is not atomic' report/report.txt)" = 2 ] || fail "expected two findings"
grep -q 'section class="finding" id="finding-2"' report/index.html || fail "expected both in the page"
finish
