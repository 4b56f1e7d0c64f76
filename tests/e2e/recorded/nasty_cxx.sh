#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that do what recorders are bad at behave as ever when recorded. Here, C++: exceptions, coroutines, what C++11 to C++20 have for threads.
. "$(dirname "$0")/../lib.sh"
. "$here/nasty/judge.sh"
judge_folder cxx
finish
