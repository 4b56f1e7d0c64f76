# SPDX-License-Identifier: MIT
# Prints what bench/tables has measured (results.tsv, one line per trace and scenario):
#
#   -v part=head                        the head of the table
#   -v part=rows -v name=N -v paper=F   the rows of trace N; F says what the papers report
#   -v part=summary -v timeout=S        overall lines, undecided blocks, slow traces, and which
#                                       engine wins where
BEGIN {
    FS = "\t"
    SLOW = 5 # seconds: more is too much for a whole trace
    NOISE = 0.05
    PAPER_STATIC = 81.75
    PAPER_SEGMENT = 23.88
    if (part == "head")
        printf "%-12s %16s %15s %6s %6s %4s %4s %5s %12s %12s %9s %8s\n", "scenario",
            "avg segment", "static", "none", "viol.", "TO", "MO", "left", "explored",
            "constraints", "seconds", "MB"
    while (paper && (getline line < paper) > 0) {
        split(line, word, " ")
        report[word[1]] = line
    }
}

function percent(a, b) {
    return b ? 100 * a / b : 0
}

{
    set = $1; trace = $2; scenario = $3; threads = $4; events = $5
    blocks = $11; coupling = $12
    segment = $13; static = $14; none = $15; violations = $16
    out_of_time = $17; out_of_memory = $18; left_over = $19
    explored = $20; constraints = $21; slowest = $22; slowest_seconds = $23; undecided = $24
    cpu = $25; seconds = $26; kilobytes = $27; status = $28
    failed = status != 0 && status != 1 && status != 4
    share = percent(segment, events)
}

function print_figures() {
    printf "\n%s: %d threads, %d events; %d lock events of %d locks; %d accesses of %d variables; " \
        "%d waits and notifies; %d blocks; coupling %.2f\n", trace, threads, events, $6, $7, $8, $9,
        $10, blocks, coupling
    if (split(report[trace], word, " "))
        printf "%-12s %15.1f%% %6d (%5.1f%%) %6d %6d\n", "(papers)", word[2], word[3],
            percent(word[3], blocks), word[4], word[5]
}

part == "rows" && trace == name {
    if (!rows++)
        print_figures()
    printf "%-12s %8.1f (%4.1f%%) %6d (%5.1f%%) %6d %6d %4d %4d %5d %12d %12d %9.2f %8.1f%s\n",
        scenario, segment, share, static, percent(static, blocks), none, violations, out_of_time,
        out_of_memory, left_over, explored, constraints, seconds, kilobytes / 1024,
        failed ? "  exit " status : ""
}

part == "summary" {
    key = set SUBSEP scenario
    if (!(key in traces_of)) {
        keys[++key_count] = key
        set_of[key] = set
        scenario_of[key] = scenario
    }
    traces_of[key] += blocks > 0
    blocks_of[key] += blocks
    static_of[key] += static
    static_shares[key] += percent(static, blocks)
    segment_shares[key] += blocks ? share : 0
    undecided_of[key] += out_of_time + out_of_memory + left_over
    out_of_time_of[key] += out_of_time
    out_of_memory_of[key] += out_of_memory
    seconds_of[key] += seconds
    if (scenario == "auto") {
        if (undecided != "-")
            notes[++note_count] = sprintf("%s: undecided %s", trace, undecided)
        if (seconds > SLOW)
            notes[++note_count] = sprintf("%s: %.1f s in all, the block at event %s %.1f s", trace,
                                          seconds, slowest, slowest_seconds)
    }
    if (failed)
        notes[++note_count] = sprintf("%s, %s: exit status %d", trace, scenario, status)
    id = set "/" trace # a model and a trace may have the same name
    if (!(id in seen)) {
        seen[id] = 1
        order[++order_count] = id
        name_of[id] = trace
        shape[id] = sprintf("%8.2f %8.1f%% %7d", coupling, share, blocks)
    }
    open[id, scenario] = out_of_time + out_of_memory + left_over
    time[id, scenario] = seconds
    run[id, scenario] = 1
    searched[id] = blocks > static
}

function print_overall(i, key, n) {
    printf "\nOverall: blocks settled statically and relative segments, averaged over the traces that have blocks,\n" \
        "as the papers do (%.2f%% and %.2f%% there); in parentheses the share of all blocks together.\n\n",
        PAPER_STATIC, PAPER_SEGMENT
    printf "%-7s %-12s %7s %8s %20s %9s %10s %5s %5s %10s\n", "", "scenario", "traces", "blocks",
        "static", "segment", "undecided", "TO", "MO", "seconds"
    for (i = 1; i <= key_count; i++) {
        key = keys[i]
        n = traces_of[key] ? traces_of[key] : 1
        printf "%-7s %-12s %7d %8d %8.2f%% (%7.2f%%) %8.2f%% %10d %5d %5d %10.1f\n", set_of[key],
            scenario_of[key], traces_of[key], blocks_of[key], static_shares[key] / n,
            percent(static_of[key], blocks_of[key]), segment_shares[key] / n, undecided_of[key],
            out_of_time_of[key], out_of_memory_of[key], seconds_of[key]
    }
}

function print_notes(i) {
    printf "\nAuto: blocks undecided at %s s a block, traces above %d s:\n", timeout, SLOW
    for (i = 1; i <= note_count; i++)
        print "  " notes[i]
    if (!note_count)
        print "  none"
}

# Is engine a better than b on the trace? Fewer undecided blocks, then less time.
function is_better(id, a, b) {
    if (open[id, a] != open[id, b])
        return open[id, a] < open[id, b]
    return time[id, a] < time[id, b]
}

function best_engine(id, i, best) {
    for (i = 1; i <= engine_count; i++)
        if (run[id, engines[i]] && (!best || is_better(id, engines[i], best)))
            best = engines[i]
    return best
}

# Seconds, and how many blocks were left undecided.
function effort(id, scenario) {
    if (!run[id, scenario])
        return "-"
    return sprintf("%.2f%s", time[id, scenario],
                   open[id, scenario] ? "/" open[id, scenario] : "")
}

# A ratio of times too short to measure says nothing.
function ratio(a, b) {
    return (a > NOISE ? a : NOISE) / (b > NOISE ? b : NOISE)
}

function print_winner(id, i, best) {
    best = best_engine(id)
    if (!best || !searched[id])
        return
    printf "%-20s %s", name_of[id], shape[id]
    for (i = 1; i <= engine_count; i++)
        printf " %10s", effort(id, engines[i])
    printf "  %-10s", open[id, best] ? "(" best ")" : best
    if (run[id, "auto"])
        printf " %10s %6.2f", effort(id, "auto"), ratio(time[id, "auto"], time[id, best])
    print ""
}

function any_engine(i) {
    for (i = 1; i <= engine_count; i++)
        if (run[order[1], engines[i]])
            return 1
    return 0
}

function print_winners(i) {
    engine_count = split("states dpor smt-int smt-bits", engines, " ")
    if (!any_engine())
        return
    print "\nWhich engine wins where: seconds, and after a slash how many blocks it left undecided;"
    print "the fewest undecided blocks win, then the least time. Traces that the static check settles are left out.\n"
    printf "%-20s %8s %9s %7s", "trace", "coupling", "segment", "blocks"
    for (i = 1; i <= engine_count; i++)
        printf " %10s", engines[i]
    printf "  %-10s %10s %6s\n", "best", "auto", "x best"
    for (i = 1; i <= order_count; i++)
        print_winner(order[i])
}

END {
    if (part == "summary") {
        print_overall()
        print_notes()
        print_winners()
    }
}
