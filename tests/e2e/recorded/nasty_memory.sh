#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that do what recorders are bad at behave as ever when recorded. Here, memory: allocators, mappings, odd accesses, flags of the compiler.
. "$(dirname "$0")/../lib.sh"
. "$here/nasty/judge.sh"
judge_folder memory
finish
