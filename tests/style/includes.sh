#!/bin/sh
# SPDX-License-Identifier: MIT
# includes.sh: do the #include lines of src/ keep to the architecture?
#
# A folder may include its own headers and those of the folders listed for it; some
# files may not even do that; libraries of others may be included only where listed.
# Then bad lines are planted in a scratch tree, to show that the check can fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

# folder: folders it may use. From the table of docs/ARCHITECTURE.md, whose rows are
# | `folder/` | what it is | folders, or nothing |
# A part of a folder (`folder/part/`) may have a row of its own, which then counts instead;
# it names other parts of its folder in full.
allowed_folders=$(sed -nE 's/^\| `([a-z/]+)\/` \|.*\| ([a-z/, ]*)\|$/\1: \2/p' "$root/docs/ARCHITECTURE.md" | tr -d ,)
[ -n "$allowed_folders" ] || { echo "includes.sh: docs/ARCHITECTURE.md has no table of folders" >&2; exit 1; }

parts=$(printf '%s\n' "$allowed_folders" | sed -n 's|^\([a-z]*/[a-z]*\):.*|\1|p' | tr '\n' ' ')

# files: headers they may use besides those of base and trace (patterns). What checks the
# results of others must share nothing with them.
independent='
witness/checker*: witness/checker*
'

# part: its doors, the headers of it that files outside of it may include. From the second table, whose
# rows are | `folder/part/` | what it is | `header.h`, `header.h` |, or - for none.
doors=$(sed -nE 's/^\| `([a-z_/]+)\/` \|.*\| (-|`[a-z_0-9`., ]+) \|$/\1: \2/p' "$root/docs/ARCHITECTURE.md" | tr -d ',`')
[ -n "$doors" ] || { echo "includes.sh: docs/ARCHITECTURE.md has no table of doors" >&2; exit 1; }

# header: files that may include it (shell patterns below src/)
allowed_libraries='
zstd.h: trace/io/input*.c trace/native/*
zlib.h: trace/io/input*.c trace/native/*
xxhash.h: record/capture/spool_checksum.c
dwarf.h: record/naming/debug/debug_info.c record/naming/debug/shape_reader.c
elfutils/libdw.h: record/naming/debug/debug_info.c record/naming/debug/shape_reader.c
elfutils/libdwfl.h: record/naming/debug/debug_info.c
linux/futex.h: record/capture/drain.c record/capture/program.c runtime/*
immintrin.h: record/capture/drain.c
sys/syscall.h: record/capture/drain.c record/capture/program.c runtime/*
sys/personality.h: record/capture/program.c
sys/resource.h: base/host.c contract/handover.h record/capture/program.c runtime/*
seriatim/seriatim.h: api/*
z3.h: predict/smt/solver/solver_z3.c
mpi.h: cluster/ranks.c
llvm-c/Core.h: instrument/*
llvm-c/DebugInfo.h: instrument/*
llvm-c/Target.h: instrument/*
llvm/Config/llvm-config.h: instrument/*
llvm/ADT/SmallVector.h: instrument/labels.h
llvm/IR/Function.h: instrument/cloning.h
llvm/IR/Module.h: instrument/labels.h
llvm/Transforms/Utils/ValueMapper.h: instrument/labels.h instrument/cloning.h
jni.h: java/agent/*
jvmti.h: java/agent/*
dlfcn.h: java/agent/* runtime/*
link.h: runtime/*
linux/membarrier.h: runtime/*
wchar.h: runtime/*
semaphore.h: runtime/*
netinet/in.h: runtime/*
mqueue.h: runtime/*
sys/epoll.h: runtime/*
sys/eventfd.h: runtime/*
sys/msg.h: runtime/*
sys/sem.h: runtime/*
sys/timerfd.h: runtime/*
sys/signalfd.h: runtime/*
sys/un.h: session/watch/control.c runtime/*
sys/select.h: runtime/*
sys/socket.h: session/watch/control.c runtime/*
sys/uio.h: runtime/*
sys/file.h: record/capture/spool.c runtime/*
sys/random.h: runtime/*
sys/sysmacros.h: runtime/*
sys/times.h: cluster/ranks.c runtime/*
termios.h: runtime/*
malloc.h: base/memory.c runtime/*
'

# Everything else in angle brackets must be one of these.
system_headers='assert ctype dirent errno fcntl inttypes limits math poll signal stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib string strings sys/ioctl sys/mman sys/prctl sys/shm sys/stat sys/time sys/types sys/wait threads
time pthread sched unistd fnmatch spawn'

complain() {
    echo "$1:$2: $3" >&2
    bad=1
}

# check_independent FILE LINE TARGET
check_independent() {
    # shellcheck disable=SC2254 # they are patterns
    printf '%s\n' "$independent" | while IFS=': ' read -r files headers; do
        case "$1" in $files) ;; *) continue ;; esac
        case "$3" in base/* | trace/* | $headers) ;; *) exit 1 ;; esac
    done || complain "$1" "$2" "it must not depend on \"$3\""
}

# find_folder FILE: sets `folder` to its folder, or the part of a folder, that has a row in the table.
find_folder() {
    below=${1#*/}
    folder=${1%%/*}/${below%%/*}
    case " $parts " in
    *" $folder "*) ;;
    *) folder=${1%%/*} ;;
    esac
}

# check_door FILE LINE TARGET
check_door() {
    door=$(printf '%s\n' "$doors" | sed -n "s|^${3%/*}: ||p")
    [ -n "$door" ] || return 0
    case "$1 $door " in
    "${3%/*}"/* | *" ${3##*/} "*) ;;
    *) complain "$1" "$2" "of ${3%/*}, only $door may be included from outside" ;;
    esac
}

# check_quoted FILE LINE TARGET
check_quoted() {
    check_independent "$@"
    check_door "$@"
    case "$3" in */*) ;; *) return 0 ;; esac # it lies beside the file
    find_folder "$1"
    from=$folder
    find_folder "$3"
    to=$folder
    [ "$from" != "$to" ] || return 0
    uses=$(printf '%s\n' "$allowed_folders" | sed -n "s|^$from:||p")
    case " $uses " in
    *" $to "*) ;;
    *) complain "$1" "$2" "$from may not include \"$3\"" ;;
    esac
}

# check_angled FILE LINE TARGET
check_angled() {
    patterns=$(printf '%s\n' "$allowed_libraries" | sed -n "s|^$3: ||p")
    for pattern in $patterns; do
        # shellcheck disable=SC2254 # it is a pattern
        case "$1" in $pattern) return 0 ;; esac
    done
    [ -z "$patterns" ] || {
        complain "$1" "$2" "<$3> belongs to $patterns only"
        return 0
    }
    case " $(echo $system_headers) " in
    *" ${3%.h} "*) ;;
    *) complain "$1" "$2" "<$3> is not on the list of headers" ;;
    esac
}

# check_tree FOLDER: 0 if every include in FOLDER is allowed.
check_tree() {
    bad=0
    cd "$1"
    list=$(mktemp)
    set -f # patterns are for case, not for the file system
    grep -rnE --include='*.[ch]' --include='*.def' '^[[:space:]]*#[[:space:]]*include' . |
        sed -E 's|^\./||; s|^([^:]*):([0-9]+):[^"<]*(["<])([^">]*)[">].*|\1 \2 \3 \4|' > "$list"
    while read -r file line quote target; do
        case $quote in
        '"') check_quoted "$file" "$line" "$target" ;;
        *) check_angled "$file" "$line" "$target" ;;
        esac
    done < "$list"
    set +f
    [ -s "$list" ] || complain "$1" 0 "no includes found"
    rm -f "$list"
    return $bad
}

# must_fail FOLDER/FILE INCLUDE: planted alone, the line must be refused.
must_fail() {
    scratch=$(mktemp -d)
    mkdir -p "$scratch/${1%/*}"
    echo "#include $2" > "$scratch/$1"
    if (check_tree "$scratch") 2>/dev/null; then
        echo "includes.sh: #include $2 in $1 was not noticed" >&2
        failed=1
    fi
    rm -rf "$scratch"
}

failed=0
(check_tree "$root/src") || failed=1
must_fail base/a.c '"trace/event.h"'
must_fail trace/a.h '"monitor/engine.h"'
must_fail monitor/a.c '"report/text.h"'
must_fail report/a.c '"cli/command.h"'
must_fail monitor/a.c '<zstd.h>'
must_fail trace/text/text_reader.c '<zlib.h>'
must_fail predict/dpor/a.c '<z3.h>'
must_fail record/naming/places.c '<elfutils/libdwfl.h>'
must_fail witness/a.c '"predict/task/task.h"'
must_fail witness/checker.c '"order/run.h"'
must_fail witness/checker/rules.h '"order/couples.h"'
must_fail witness/checker/path.c '"witness/minimise.h"'
must_fail witness/checker.c '"predict/task/machine.h"'
must_fail record/a.c '"monitor/engine.h"'
must_fail contract/a.h '"trace/event.h"'
must_fail record/a.c '"runtime/core/turns/token.h"'
must_fail runtime/core/a.c '"runtime/elide/elision.h"'
must_fail runtime/core/a.c '"runtime/posix/real.h"'
must_fail runtime/elide/a.c '"runtime/access/access.h"'
must_fail runtime/access/a.c '"runtime/posix/real.h"'
must_fail runtime/core/a.c '"base/status.h"'
must_fail runtime/other/a.c '"runtime/posix/real.h"'
must_fail record/capture/a.c '"record/events/finish.h"'
must_fail record/events/a.c '"record/memory/cuts.h"'
must_fail replay/a.c '"record/naming/labels.h"'
must_fail witness/a.c '"trace/native/native_block.h"'
must_fail monitor/a.c '"monitor/engines/graph.h"'
must_fail unknown/a.c '"base/status.h"'
exit $failed
