#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs whose reads go into stores, branches and addresses (random/data.awk): what the
# model data predicts is shown by a replay that follows every step of it. So no value was taken
# for data only that decided something.
. "$(dirname "$0")/../lib.sh"
. "$here/random/models.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

replay_random_programs data 18
finish
