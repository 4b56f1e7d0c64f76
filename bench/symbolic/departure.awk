# SPDX-License-Identifier: MIT
# departure.awk SCHEDULE RUN REPLAY (both traces as text): did the replay do the steps of the schedule, each by the same
# operation on the same variable? If not, the first step of a thread that differs. If so, the reads that got another
# value than recorded, with their guards: one of them is why the schedule is not certain.

# "w(buf (buf[1]))": how a variable is named depends on all of its trace, but what stands in parentheses does not
function step_of(operation, at,     inner) {
    inner = operation
    if (sub(/^.* \(/, "", inner) && inner !~ /^[0-9]+(st|nd|rd|th)\)/)
        operation = substr(operation, 1, index(operation, "(")) inner
    sub(/\)+$/, "", operation)
    return operation ") at " at
}

BEGIN { FS = "|" }

FILENAME == ARGV[1] && /^broken / { count = split(substr($0, 8), broken, " ") }
FILENAME == ARGV[1] && /^T[0-9]+ / {
    split($0, turn, " ")
    split(turn[3], bounds, "[.][.]")
    if (bounds[2] > last[turn[1]]) last[turn[1]] = bounds[2]
}
FILENAME == ARGV[1] || /^#/ { next }

FILENAME == ARGV[2] {
    event++
    step = step_of($2, $3)
    if (event <= last[$1]) wanted[$1, ++planned[$1]] = step
    guards[event] = step " of " $1
    if (!match($0, /guards=[^|]*/)) guards[event] = guards[event] ", no guards"
    else guards[event] = guards[event] ", " substr($0, RSTART, RLENGTH)
    next
}

{
    done[$1]++
    if (!left && done[$1] <= planned[$1] && step_of($2, $3) != wanted[$1, done[$1]])
        left = $1 " did " step_of($2, $3) " instead of " wanted[$1, done[$1]]
}

END {
    if (left) {
        print "other steps: " left
        exit
    }
    printf "same steps, other values:"
    for (i = 1; i <= count; i++) printf("%s %s", (i > 1) ? ";" : "", guards[broken[i]])
    print ""
}
