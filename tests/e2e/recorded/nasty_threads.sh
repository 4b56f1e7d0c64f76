#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that do what recorders are bad at behave as ever when recorded. Here, threads: crowds, cancellation, locks of all kinds, ends in odd places.
. "$(dirname "$0")/../lib.sh"
. "$here/nasty/judge.sh"
judge_folder threads
finish
