#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh: is the code formatted as .clang-format says? (make format does it)
exec "$(dirname "$0")/../../tools/format"
