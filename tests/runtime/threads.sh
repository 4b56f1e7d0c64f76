#!/bin/sh
# SPDX-License-Identifier: MIT
# threads.sh: many threads, and threads that lose their token all the time: the order
# stays exact. 141: stolen tokens.
set -eu
. "$(dirname "$0")/lib.sh"

run -o steal_ms=1:spin_ms=1:inputs=0 -m 141=20 steal
run -p steal
run churn 800
run -o scheduler=random:quantum=5 churn 400 300
run -o scheduler=pct:quantum=5 churn 400
run -p churn 800
run -p churn 80 200
run -p churn 80 700
# 152: more threads at once than can be recorded: the run ends before they do anything
run -o threads=60 -p -n 152=1 churn 80 200
run -o threads=1 -p -n 152=1 churn 8
finish
