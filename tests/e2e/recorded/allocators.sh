#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with a malloc of their own: instrumented, with locks, before anything else runs.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cp "$here"/allocators/* .

make_it() {
    compiler=$1 name=$2
    shift 2
    "$SERIATIM" "$compiler" -g -O1 -pthread "$@" -o "$name" || fail "$name should build"
}
make_it cc own use.c heap.c -DSBRK
make_it cc spinning use.c heap.c -DSPIN
make_it cc libheap.so -shared -fPIC heap.c
make_it cc linked use.c -L. -lheap "-Wl,-rpath,$PWD"
make_it cc dlopened load.c -ldl
make_it cc wrapped use.c wrap.c -ldl
make_it c++ new new.cpp
cc -O1 -shared -fPIC -pthread heap.c -o libplain.so
make_it cc partly use.c -L. -lplain "-Wl,-rpath,$PWD"

# record NAME OPTIONS...: the output is the plain program's, and the trace is valid.
record() {
    name=$1
    shift
    run record -o "$name.srt" "$@" -- ./"$name"
    expect_status 0
    expect_same plain out
    ! grep -q 'could not be recorded' err || fail "nothing should be lost"
    run validate "$name.srt"
    expect_status 0
}
for name in own spinning linked dlopened wrapped partly new; do
    ./$name > plain || fail "$name should run plainly"
    record $name
    record $name --mode parallel
    record $name --quantum 3
    record $name --scheduler random --quantum 1 --seed 4
done

# In front of everything else, also of us.
make_it cc preloaded use.c
./preloaded > plain
for library in heap plain; do
    for mode in serial parallel; do
        run record --mode $mode -o p.srt -- env LD_PRELOAD=./lib$library.so ./preloaded
        expect_status 0
        expect_same plain out
        run validate p.srt
        expect_status 0
    done
done

# The same seed gives the same run, and predictions are confirmed.
for name in own linked new; do
    for i in 1 2; do
        "$SERIATIM" record -q --quantum 5 --seed 2 -o $i.srt -- ./$name > out 2> err
        "$SERIATIM" convert $i.srt -o $i.std > out 2> err
    done
    expect_same 1.std 2.std
done
for name in own linked; do
    run run --effort quick -o found-$name -- ./$name
    expect_status 1
    expect_out 'Confirmed'
done
finish
