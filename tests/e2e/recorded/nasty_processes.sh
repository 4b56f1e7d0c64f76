#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that do what recorders are bad at behave as ever when recorded. Here, processes: fork, exec, daemons, limits, sandboxes, descriptors.
. "$(dirname "$0")/../lib.sh"
. "$here/nasty/judge.sh"
judge_folder processes
finish
