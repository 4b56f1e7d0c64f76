# SPDX-License-Identifier: MIT
# Traces that are small on disk and hard on algorithms: awk -v kind=K -v n=N -f heavy.awk
#
# Every kind grows linearly with n; what takes n squared steps or bytes shows at once.

function say(thread, what, fields) { printf "%s|%s||%s\n", thread, what, fields }
function event(thread, what) { printf "%s|%s|\n", thread, what }
function fork_all(i) { for (i = 1; i <= n; i++) event("M", "fork(T" i ")") }
function join_all(i) { for (i = 1; i <= n; i++) event("M", "join(T" i ")") }
function block(thread, body, count, i, parts) {
    event(thread, "begin")
    count = split(body, parts, " ")
    for (i = 1; i <= count; i++)
        event(thread, parts[i])
    event(thread, "end")
}

function barrier(blocks, i) {
    for (i = 1; i <= n; i++)
        event("T" i, "arrive(b)")
    for (i = 1; i <= n; i++) {
        event("T" i, "depart(b)")
        if (blocks)
            block("T" i, "r(x) w(x)")
    }
}
function rounds(i, k) { for (k = 0; k < 8; k++) barrier(0) }
function flat(joins, blocks, i) {
    fork_all()
    for (i = 1; i <= n; i++)
        if (blocks)
            block("T" i, "w(x) w(x)")
        else
            event("T" i, "w(x)")
    if (joins)
        join_all()
}
function tree(i) {
    for (i = 1; i <= n; i++) {
        event(i == 1 ? "M" : "T" int(i / 2), "fork(T" i ")")
        event("T" i, "w(x)")
    }
    for (i = n; i > 0; i--)
        event(i == 1 ? "M" : "T" int(i / 2), "join(T" i ")")
}
function line(i) {
    for (i = 1; i <= n; i++) {
        event("T" (i - 1), "fork(T" i ")")
        block("T" i, "r(x) w(x)")
    }
}
function waiters(all, i) {
    fork_all()
    for (i = 1; i <= n; i++)
        event("T" i, "wait(c)")
    for (i = 1; i <= (all ? 1 : n); i++)
        event("M", all ? "notifyall(c)" : "notify(c)")
    for (i = n; i > 0; i--)
        block("T" i, "r(x) w(x)")
}
function step(i) {
    block("T2", "w(v1) w(v2)")
    event("T1", "begin")
    for (i = 1; i <= n; i++)
        if (i < n)
            say("T1", "w(v" i ")", "joined=1")
        else
            event("T1", "w(v" i ")")
    event("T1", "r(v1)")
    event("T1", "end")
    block("T2", "r(v1) w(v2)")
}
function members(i, k) {
    for (k = 0; k < 8; k++) {
        if (k % 2 == 0)
            event("T" (k / 2) % 2, "begin")
        for (i = 1; i <= n; i++)
            say("T" int(k / 2) % 2, (k % 2 ? "r" : "w") "(v" i ")", i < n ? "joined=1" : "")
        if (k % 2)
            event("T" int(k / 2) % 2, "end")
    }
}
function step_reads(i) {
    for (i = 1; i <= n; i++)
        event("T2", "w(v" i ")")
    event("T1", "begin")
    event("T1", "w(y)")
    for (i = 1; i <= n; i++)
        if (i < n)
            say("T1", "r(v" i ")", "joined=1")
        else
            event("T1", "r(v" i ")")
    event("T1", "end")
    block("T2", "w(v1) r(y) w(v2)")
}
function nest(i) {
    for (i = 1; i <= n; i++)
        event("T1", "acq(l" i ")")
    block("T1", "r(x) w(x)")
    for (i = 1; i <= n; i++)
        event("T1", "rel(l" i ")")
    block("T2", "r(x) w(x)")
}
function names(i) {
    for (i = 1; i <= n; i++) {
        event("T" i % 2, "begin")
        event("T" i % 2, "acq(l" i ")")
        event("T" i % 2, "w(v" i ")")
        event("T" i % 2, "rel(l" i ")")
        event("T" i % 2, "post(s" i ")")
        event("T" i % 2, "take(s" i ")")
        event("T" i % 2, "notify(c" i ")")
        event("T" i % 2, "end")
    }
}
function deep(i) {
    for (i = 1; i <= n; i++)
        event("T1", i % 2 ? "begin" : "call(f" i ")")
    event("T1", "r(x)")
    event("T2", "w(x)")
    event("T1", "r(x)")
    for (i = n; i > 0; i--)
        event("T1", i % 2 ? "end" : "ret(f" i ")")
}
function blocks(i) {
    for (i = 1; i <= n; i++)
        block("T" i % 3, "r(x" i % 5 ") w(x" i % 5 ")")
}
function span(i) {
    event("T0", "begin")
    event("T0", "r(x0)")
    for (i = 1; i <= n; i++) {
        event("T" i % 2, "r(x" i % 100 ")")
        event("T" i % 2, "w(x" i % 100 ")")
    }
    event("T0", "w(x0)")
    event("T0", "end")
}
function turns(i, k) {
    for (k = 0; k < 4; k++)
        for (i = 1; i <= n; i++)
            block("T" i, "r(x) w(x)")
}
function long(i, name) {
    name = "v"
    while (length(name) < 60000)
        name = name name
    for (i = 1; i <= n / 1000 + 1; i++)
        block("T" i % 3, "r(" i name ") w(" i name ")")
}
function readers(i) {
    for (i = 1; i <= n; i++)
        event("T" i, "racq(l)")
    for (i = n; i > 0; i--) {
        event("T" i, "begin")
        event("T" i, "r(x)")
        event("T" i, "w(y)")
        event("T" i, "end")
        event("T" i, "rrel(l)")
    }
}
function tries(i) {
    event("T0", "acq(l)")
    for (i = 1; i <= n; i++)
        event("T" i % 100 + 1, "tryfail(l)")
    block("T0", "r(x) w(x)")
    event("T0", "rel(l)")
    for (i = 1; i <= 100; i++)
        block("T" i, "r(x) w(x)")
}
function reads(i) {
    event("T0", "begin")
    event("T0", "w(x)")
    for (i = 1; i <= n; i++)
        event("T" i % 500 + 1, "r(x)")
    event("T0", "w(x)")
    event("T0", "end")
}
function late(i) {
    for (i = 1; i <= n; i++) {
        event("T" i, "begin")
        say("T" i, "w(x)", "late=1")
        say("T" i, "r(x)", "late=1")
        event("T" i, "end")
    }
}
function chain(i) {
    for (i = 1; i <= n; i++) {
        event("T" i, "begin")
        if (i > 1)
            event("T" i, "r(v" (i - 1) ")")
        event("T" i, "w(v" i ")")
        event("T" i, "end")
    }
}
function sections(i) {
    for (i = 1; i <= n; i++) {
        event("T" i % 50, "acq(l)")
        block("T" i % 50, "r(x) r(y" i % 7 ") w(x)")
        event("T" i % 50, "rel(l)")
    }
    block("U", "r(x) w(x)")
}
function open_blocks(i) {
    for (i = 1; i <= n; i++)
        event("T" i, "begin")
    for (i = 1; i <= n; i++)
        event("T" i, "w(v" i ")")
    for (i = 1; i < n; i++)
        event("T" i, "r(v" (i + 1) ")")
    for (i = 1; i <= n; i++)
        event("T" i, "r(v" (i > 1 ? i - 1 : n) ")")
    for (i = 1; i <= n; i++)
        event("T" i, "end")
}

BEGIN {
    if (kind == "barrier") barrier(0)
    else if (kind == "barrier-blocks") barrier(1)
    else if (kind == "rounds") rounds()
    else if (kind == "flat") flat(0, 0)
    else if (kind == "flat-join") flat(1, 0)
    else if (kind == "flat-blocks") flat(0, 1)
    else if (kind == "flat-join-blocks") flat(1, 1)
    else if (kind == "tree") tree()
    else if (kind == "line") line()
    else if (kind == "waiters") waiters(0)
    else if (kind == "waiters-all") waiters(1)
    else if (kind == "step") step()
    else if (kind == "members") members()
    else if (kind == "step-reads") step_reads()
    else if (kind == "nest") nest()
    else if (kind == "names") names()
    else if (kind == "deep") deep()
    else if (kind == "blocks") blocks()
    else if (kind == "span") span()
    else if (kind == "turns") turns()
    else if (kind == "long") long()
    else if (kind == "readers") readers()
    else if (kind == "tries") tries()
    else if (kind == "reads") reads()
    else if (kind == "late") late()
    else if (kind == "chain") chain()
    else if (kind == "sections") sections()
    else if (kind == "open") open_blocks()
    else {
        print "heavy.awk: unknown kind " kind > "/dev/stderr"
        exit 2
    }
}
