#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/ci.md has, step by step: CTest and Meson run five tests under seriatim, two of them with a bug and one
# with a single thread, and one command makes one report of all; the steps of the workflows for GitHub and GitLab.
. "$(dirname "$0")/../lib.sh"
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 77
}
page=$source_folder/docs/ci.md
mkdir bin
for name in seriatim seriatim-cc seriatim-c++; do
    ln -s "$BUILD/$name" bin/$name
done
PATH=$folder/bin:$PATH

# shown_below TEXT: the indented lines that follow a line with the text in the page. Nobody explores for long.
shown_below() {
    awk -v text="$1" 'index($0, text) { on = 1; next } on && /^    / { seen = 1; print substr($0, 5); next }
        on && seen && !/^$/ { exit } on && seen { print }' "$page" | sed 's/seriatim run/seriatim run --effort quick/'
}

# run_steps FILE: it, as a CI server would.
run_steps() {
    [ -s "$1" ] || fail "the documentation has no steps for $1"
    status=0
    sh -e "$1" > log 2>&1 || status=$?
    shown="the steps of $1"
}

# --- suites --------------------------------------------------------------------------------------
mkdir suite
cd suite || exit 1
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
cat > meson.build <<'END'
project('suite', 'c')
foreach name : ['bank_wrong', 'bank_correct', 'queue_wrong', 'queue_correct', 'single']
  test(name, executable(name, name + '.c', dependencies: dependency('threads')))
endforeach
END
shown_below 'with this script as' > under-seriatim
grep -q 'exec seriatim run' under-seriatim || fail "the documentation has no script"
chmod +x under-seriatim

# expect_both: one report, with two findings of five tests.
expect_both() {
    [ "$status" = 1 ] || fail "the last step should say that there is a violation: $(tail -n 15 log)"
    python3 "$here/formats.py" sarif report/report.sarif || fail "report.sarif is wrong"
    python3 "$here/formats.py" junit report/junit.xml || fail "junit.xml is wrong"
    grep -q '<testsuites name="seriatim" tests="5" failures="2" errors="0" skipped="1">' report/junit.xml ||
        fail "expected two failures of five tests, and one that is skipped: $(head -n 3 report/junit.xml)"
    [ "$(grep -c '^[0-9]*\. .*is not atomic' report/report.txt)" = 2 ] || fail "expected two findings"
    grep -q 'section class="finding" id="finding-2"' report/index.html || fail "expected both in the page"
    grep -q '"uri": "bank_wrong.c"' report/report.sarif || fail "files should be named from the current folder on"
    rm -rf build report seriatim.merged
}
shown_below 'puts a command in front' > ctest-steps
run_steps ctest-steps
expect_both
if command -v meson > /dev/null; then
    shown_below 'The same script is a wrapper' > meson-steps
    run_steps meson-steps
    expect_both
fi
cd .. || exit 1

# --- workflows ---------------------------------------------------------------------------------------
mkdir github gitlab
cd github || exit 1
cp "$source_folder/examples/bank/wrong.c" tests.c
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(tests C CXX)
find_package(Threads REQUIRED)
add_executable(tests tests.c)
target_link_libraries(tests Threads::Threads)
END
shown_below 'leave the option out if there is' | awk '/run: \|/ { on = 1; next } /^ *- / { on = 0 } on' | sed 's/^ *//' > steps
grep -q 'cmake --build' steps || fail "the workflow has no steps"
echo '{"version": "2.1.0", "runs": [{"results": []}]}' > known.sarif
run_steps steps
[ "$status" = 1 ] || fail "the bug should be found: $(tail -n 5 log)"
grep -q '^tests\.c:44: error: total ' log || fail "expected the finding as a compiler writes it: $(tail -n 5 log)"
for file in $(shown_below 'leave the option out if there is' | sed -nE 's/.*(sarif_file|path): ([^ ]*) .*/\2/p'); do
    [ -s "$file" ] || fail "the workflow takes $file, which is not there"
done
cp seriatim.out/report.sarif known.sarif
run_steps steps
[ "$status" = 0 ] || fail "what is in the baseline should not count: $(tail -n 5 log)"

cd ../gitlab || exit 1
cp ../github/tests.c .
printf 'LDLIBS = -pthread\nCFLAGS = -g\n' > Makefile
shown_below '## GitLab' | sed -n 's/^ *- //p' > steps
run_steps steps
[ "$status" = 1 ] || fail "the bug should be found: $(tail -n 5 log)"
for file in $(shown_below '## GitLab' | sed -nE 's/.*(junit:|paths: \[)[ ]*([^] }]*).*/\2/p'); do
    [ -s "$file" ] || fail "the job keeps $file, which is not there"
done
finish
