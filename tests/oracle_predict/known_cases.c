/* SPDX-License-Identifier: MIT */
/*
 * One case a rule: where it allows a violation, and where it forbids it.
 */
#include "known_cases.h"

#include "../unit/small_trace.h"
#include "draw_reads.h"

const known_case known_cases[] = {
    {"an unguarded write between two reads", "T1|begin T1|r(x) T1|r(x) T1|end T2|w(x)", true, true},
    {"reads do not conflict", "T1|begin T1|r(x) T1|r(x) T1|end T2|r(x)", false, false},
    {"both under one lock",
     "T1|begin T1|acq(l) T1|r(x) T1|r(x) T1|rel(l) T1|end T2|acq(l) T2|w(x) T2|rel(l)", false,
     false},
    {"the lock is given up within the block",
     "T1|begin T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|r(x) T1|rel(l) T1|end T2|acq(l) T2|w(x) "
     "T2|rel(l)",
     true, true},
    {"a section that lets go of another lock is not over",
     "T2|acq(m) T1|acq(l) T1|begin T1|r(x) T1|rel(l) T1|r(x) T2|acq(l) T2|rel(m) T2|w(x)", true,
     true},
    {"a failed try needs the holder of the lock",
     "T3|acq(l) T1|begin T1|rmw(x) T2|tryfail(l) T1|w(y) T2|w(x) T2|rmw(y)", true, true},
    {"a contested read above the block can run before the write",
     "T3|r(x) T2|w(x) T1|begin T1|r(x) T1|r(y) T1|r(y) T1|end T3|w(y)", true, true},
    {"a contested read above the block breaks",
     "T3|w(z) T3|r(x) T2|w(x) T1|begin T1|r(x) T1|w(z) T1|r(y) T1|end T3|w(y)", false, false},
    {"a thread that has arrived at a barrier leaves that round, whoever arrives next",
     "T0|arrive(b) T1|w(x) T2|begin T2|depart(b) T2|rmw(x) T3|w(x) T2|arrive(b) T0|depart(b) "
     "T0|arrive(b) T2|depart(b) T2|r(x)",
     true, true},
    {"who stops in a section keeps the lock",
     "T1|begin T1|w(p) T1|r(y) T1|end T1|w(z) T2|acq(l) T2|r(p) T2|w(q) T2|r(z) T2|rel(l) "
     "T3|acq(l) T3|r(q) T3|rel(l) T3|w(y)",
     false, false},
    {"who asks for no lock is not stopped by that",
     "T1|begin T1|w(p) T1|r(y) T1|end T1|w(z) T2|acq(l) T2|r(p) T2|w(q) T2|r(z) T2|rel(l) "
     "T3|r(q) T3|w(y)",
     true, true},
    {"a broken read is seen by the block", "T2|w(x) T1|begin T1|w(x) T1|w(x) T1|end T2|r(x)", true,
     true},
    {"a broken read ends its thread", "T1|begin T1|w(x) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(y)",
     false, false},
    {"a broken rmw does not write", "T1|begin T1|r(x) T1|r(x) T1|end T1|w(x) T2|rmw(x)", false,
     false},
    {"an unbroken one does", "T1|begin T1|r(x) T1|r(x) T1|end T2|rmw(x)", true, true},
    {"forked too late", "T1|begin T1|r(x) T1|r(x) T1|end T1|fork(T2) T2|w(x)", false, false},
    {"forked in time", "T1|begin T1|r(x) T1|fork(T2) T1|r(x) T1|end T2|w(x)", true, true},
    {"joined before", "T2|w(x) T1|join(T2) T1|begin T1|r(x) T1|r(x) T1|end", false, false},
    {"joined within", "T1|begin T1|w(x) T2|w(x) T1|join(T2) T1|w(x) T1|end", true, true},
    {"woken too late", "T2|wait(c) T1|begin T1|r(x) T1|r(x) T1|end T1|notify(c) T2|w(x)", false,
     false},
    {"woken within", "T2|wait(c) T1|begin T1|r(x) T1|notify(c) T1|r(x) T1|end T2|w(x)", true, true},
    {"woke by itself", "T2|wait(c) T1|begin T1|r(x) T1|r(x) T1|end T2|w(x)", true, true},
    {"a reader's section keeps writers out",
     "T1|begin T1|racq(l) T1|r(x) T1|r(x) T1|rrel(l) T1|end T2|acq(l) T2|w(x) T2|rel(l)", false,
     false},
    {"a reader's section lets readers in",
     "T1|begin T1|racq(l) T1|r(x) T1|r(x) T1|rrel(l) T1|end T2|racq(l) T2|w(x) T2|rrel(l)", true,
     true},
    {"a try that failed in the block's section",
     "T1|begin T1|acq(l) T1|r(x) T2|tryfail(l) T1|r(x) T1|rel(l) T1|end T2|w(x)", true, true},
    {"a try that failed in another section",
     "T1|begin T1|r(x) T1|r(x) T1|end T1|acq(l) T2|tryfail(l) T1|rel(l) T2|w(x)", false, false},
    {"an arrival after the block",
     "T1|begin T1|r(x) T1|r(x) T1|end T2|arrive(b) T1|arrive(b) T2|depart(b) T2|w(x)", false,
     false},
    {"the next round",
     "T2|arrive(b) T2|depart(b) T1|begin T1|r(x) T1|r(x) T1|end T1|arrive(b) "
     "T2|w(x)",
     true, true},
    {"a post after the block", "T1|begin T1|r(x) T1|r(x) T1|end T1|post(s) T2|take(s) T2|w(x)",
     false, false},
    {"initial stock", "T2|take(s) T1|begin T1|r(x) T1|r(x) T1|end T1|post(s) T2|w(x)", true, true},
    {"stock that is left from before a window",
     "T3|post(s) T3|r(y) T3|r(y) T3|r(y) T3|r(y) T3|r(y) T3|r(y) T1|begin T1|r(x) T1|r(x) "
     "T1|post(s) "
     "T1|end T4|post(s) T5|take(s) T2|take(s) T2|w(x)",
     false, false},
    {"two blocks that meet twice",
     "T1|begin T1|w(x) T1|w(y) T1|end T2|begin T2|w(x) T2|w(y) T2|end", true, true},
    {"a cycle of blocks, but no path",
     "T1|begin T1|w(x) T1|r(y) T1|end T2|begin T2|w(y) T2|r(x) T2|end", false, true},
    {"a cycle through the block's own thread",
     "T1|w(x) T1|begin T1|w(y) T1|end T2|begin T2|w(x) T2|r(y) T2|end", false, true},
    {"a thread that notifies after its own wait",
     "T1|begin T1|w(x) T1|wait(c) T1|notify(c) T1|w(x) T1|end T2|r(x)", true, true},
    {"a wait that must end before a notify above the block",
     "T1|wait(c) T2|notify(c) T1|r(x) T2|notify(c) T2|begin T2|w(x) T2|w(x) T2|end", false, false},
    {"a lock that is still held when its reader's side is given up",
     "T1|begin T1|acq(l) T1|racq(l) T1|rrel(l) T1|w(x) T2|tryfail(l) T1|r(x) T2|w(x) T1|rel(l)",
     true, true},
    {"a reader's section within a writer's",
     "T1|begin T2|acq(l) T1|r(x) T2|racq(l) T2|rrel(l) T2|w(x) T2|rel(l) T1|racq(l) T1|r(x)", true,
     true},
    {"own data before the lock is taken",
     "T1|begin T1|w(a) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) T1|end T2|acq(l) T2|w(x) T2|rel(l)",
     false, false},
    {"locks in two phases",
     "T1|begin T1|acq(l) T1|w(x) T1|acq(m) T1|r(y) T1|rel(l) T1|rel(m) T1|end T2|begin T2|acq(m) "
     "T2|w(y) T2|acq(l) T2|r(x) T2|rel(m) T2|rel(l) T2|end",
     false, false},
    {"a block that takes its locks one after the other, and one that does not",
     "T1|begin T1|acq(l) T1|w(x) T1|rel(l) T1|acq(m) T1|r(y) T1|rel(m) T1|end T2|begin T2|acq(m) "
     "T2|w(y) T2|acq(l) T2|r(x) T2|rel(m) T2|rel(l) T2|end",
     false, true},
    {"a block before the others are forked",
     "T1|begin T1|w(x) T1|w(y) T1|end T1|fork(T2) T2|acq(l) T2|w(x) T2|w(y) T2|rel(l)", false,
     false},
    {"a block that forks the others",
     "T1|begin T1|w(x) T1|fork(T2) T1|w(y) T1|end T2|acq(l) T2|w(x) T2|w(y) T2|rel(l)", true, true},
    {"a block around all that another thread does",
     "T1|begin T1|w(x) T1|fork(T2) T2|begin T2|r(x) T2|w(y) T2|end T1|join(T2) T1|w(y) T1|end",
     true, true},
    {"a first step that can come too early, and broken", "T1|begin T1|w(x) T1|w(x) T1|end T2|r(x)",
     true, true},
    {"nothing comes between the accesses of a step", "T1|begin T1|r(x)+ T1|r(x) T1|end T2|w(x)",
     false, false},
    {"a step sees one write of the block, but not the other",
     "T1|begin T1|w(x) T1|w(y) T1|end T2|r(x)+ T2|r(y)", true, true},
    {"a path goes back within a step, and a broken read does not end it",
     "T1|begin T1|w(y) T1|w(x) T1|end T2|r(x)+ T2|r(y)", true, true},
    {"the same events, each by itself", "T1|begin T1|w(y) T1|w(x) T1|end T2|r(x) T2|r(y)", false,
     false},
    {"a step writes what the block reads, the other way round",
     "T1|begin T1|r(y) T1|r(x) T1|end T2|w(x)+ T2|w(y)", true, true},
    {"a broken read ends its thread behind the step",
     "T1|begin T1|w(x) T1|r(z) T1|end T1|w(y) T2|r(x)+ T2|r(y) T2|w(z)", false, false},
    {"an unbroken step does not",
     "T3|w(y) T1|begin T1|w(x) T1|r(z) T1|end T2|r(x)+ T2|r(y) T2|w(z)", true, true},
    {"one broken rmw keeps all of its step from writing",
     "T1|begin T1|r(x) T1|r(x) T1|end T1|w(y) T2|rmw(x)+ T2|rmw(y)", false, false},
    {"a write that would keep the block's last step from writing comes later",
     "T1|begin T1|rmw(c) T1|rmw(a)+ T1|rmw(b) T2|w(a) T3|r(c)+ T3|r(b) T1|end", true, true},
    {"an rmw that reads from its own step", "T1|begin T1|r(x) T1|r(x) T1|end T2|rmw(x)+ T2|rmw(x)",
     true, true},
    {"a step is one transaction", "T1|begin T1|w(x) T1|r(y) T1|end T2|w(y) T3|r(y)+ T3|r(x)", true,
     true},
    {"a late write comes after the block", "T1|begin T1|r(x) T1|r(x) T1|end T2|w(x)!", false,
     false},
    {"what follows a late access does, too", "T1|begin T1|r(x) T1|r(x) T1|end T2|w(y)! T2|w(x)",
     false, false},
    {"a late access within the block", "T1|begin T1|r(x) T2|w(y)! T1|r(x) T1|end T2|w(x)", true,
     true},
    {"a late access of the block comes after all before it",
     "T1|begin T1|r(x) T2|w(x) T1|r(x)! T1|end", true, true},
    {"and so does what follows it in the block", "T2|w(x) T1|begin T1|w(y)! T1|r(x) T1|r(x) T1|end",
     false, false},
    {"a late read does not come early, broken", "T1|begin T1|w(x) T1|w(x) T1|end T2|r(x)!", false,
     false},
    {"a late access does not come after a broken read",
     "T2|r(x)+ T2|r(y) T3|w(y)! T1|begin T1|w(x) T1|r(y) T1|end", false, false},
    {"one that is not late may", "T2|r(x)+ T2|r(y) T3|w(y) T1|begin T1|w(x) T1|r(y) T1|end", true,
     true},
    {"one late access makes its step late", "T1|begin T1|r(x) T1|r(x) T1|end T2|w(x)+ T2|w(y)!",
     false, false},
    {"a late access holds nobody back", "T2|w(y)! T1|begin T1|r(x) T1|r(x) T1|end T2|w(x)", true,
     true},
    {"others may come before a late access, though they came after it",
     "T3|w(y) T1|begin T1|r(x) T1|w(z)! T1|r(x) T1|end T2|w(x)", true, true},
    {"a block that stays open", "T1|begin T1|r(x) T1|r(x) T2|w(x)", true, true},
    /* Reads that may change. */
    {"a lost update: the reader may go on",
     "T1|begin T1|r(x) T1|w(x) T1|end T2|r(x) T2|w(x) ; 2:n 5:n", true, true},
    {"a lost update, each access locked",
     "T1|begin T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|w(x) T1|rel(l) T1|end T2|acq(l) T2|r(x) "
     "T2|rel(l) T2|acq(l) T2|w(x) T2|rel(l) ; 3:n 10:n",
     true, true},
    {"a limit before the step that would be needed",
     "T1|begin T1|r(y) T1|r(z) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(z) T2|w(y) ; 7:2", false, false},
    {"a limit behind it",
     "T1|begin T1|r(y) T1|r(z) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(y) T2|w(z) ; 7:2", true, true},
    {"a thread whose limit is its end is not joined",
     "T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(z) T3|join(T2) T3|w(y) ; 6:e", false,
     false},
    {"one without a limit is",
     "T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(z) T3|join(T2) T3|w(y) ; 6:n", true,
     true},
    {"who reads what is dirty has changed",
     "T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(z) T3|r(z) T3|w(y) ; 6:n", false, false},
    {"and may go on",
     "T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T2|r(x) T2|w(z) T3|r(z) T3|w(y) ; 6:n 8:n", true,
     true},
    {"a changed rmw that writes anyway", "T1|begin T1|r(x) T1|r(x) T1|end T1|w(x) T2|rmw(x) ; 6:!",
     true, true},
    {"a write that is accepted, and nothing else needs",
     "T2|w(x) T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T3|r(x) T3|w(y) ; 1:=1 7:~1", true, true},
    {"a write that is accepted, and not the last one above the block",
     "T2|w(x) T3|w(x) T1|join(T2) T1|join(T3) T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T4|r(x) "
     "T4|w(y) ; 1:=1 10:~1",
     true, true},
    {"the initial value is accepted, but was overwritten above the block",
     "T2|w(x) T1|join(T2) T1|begin T1|r(y) T1|r(y) T1|end T1|w(x) T3|r(x) T3|w(z) T3|w(y) ; "
     "1:=1 6:=1 8:~0",
     true, true},
    {"a read above the block whose source need not have happened",
     "T2|w(x) T1|r(x) T1|begin T1|r(y) T1|w(z) T1|r(y) T1|end T3|r(z) T3|w(y) ; 2:n", true, true},
    {"a path over a read that may change", "T2|r(x) T2|r(y) T1|begin T1|w(x) T1|w(y) T1|end ; 1:n",
     true, true},
    {"a late access stays before a changed read", "T2|r(x)! T2|w(x) T1|begin T1|r(x) T1|w(x) ; 4:n",
     true, true},
    {"a late access does not come after a changed read",
     "T2|r(x)+ T2|r(y) T3|w(y)! T1|begin T1|w(x) T1|r(y) T1|end ; 1:n 2:n", false, false},
    {"it may come after one that is accepted",
     "T2|r(x)+ T2|r(y) T3|w(y)! T1|begin T1|w(x) T1|r(y) T1|end ; 1:n~1 2:n 5:=1", true, true},
};

const size_t known_case_count = sizeof known_cases / sizeof *known_cases;

bool known_case_has_rules(const known_case *known)
{
    return strchr(known->trace, ';');
}

void known_case_events(const known_case *known, event_list *events)
{
    const char *rules = strchr(known->trace, ';');
    size_t length = rules ? (size_t)(rules - known->trace) - 1 : strlen(known->trace);
    char text[1024];
    ser_check(length < sizeof text);
    memcpy(text, known->trace, length);
    text[length] = 0;
    small_trace trace = small_trace_of(text);
    for (size_t i = 0; i < trace.count; i++)
        ser_vector_push(events, trace.events[i]);
    small_trace_free(&trace);
    if (rules)
        set_reads(events, rules + 2);
}
