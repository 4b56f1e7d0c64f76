#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs whose reads decide where threads go (random/guards.awk): what the model guards
# predicts is shown by a replay that follows every step of it. So no value was accepted that leads
# to another path.
. "$(dirname "$0")/../lib.sh"
. "$here/random/models.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

replay_random_programs guards 15
finish
