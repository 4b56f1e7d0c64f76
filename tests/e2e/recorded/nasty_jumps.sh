#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that do what recorders are bad at behave as ever when recorded. Here, jumps: signals, longjmp, coroutines, switched stacks.
. "$(dirname "$0")/../lib.sh"
. "$here/nasty/judge.sh"
judge_folder jumps
finish
