/* SPDX-License-Identifier: MIT */
/*
 * One case a rule: where it allows a violation, and where it forbids it.
 */
#include "known_cases.h"

#include "../unit/small_trace.h"

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
    {"a failed try needs whoever holds the lock",
     "T3|acq(l) T1|begin T1|rmw(x) T2|tryfail(l) T1|w(y) T2|w(x) T2|rmw(y)", true, true},
    {"a contested read above the block can run before the write",
     "T3|r(x) T2|w(x) T1|begin T1|r(x) T1|r(y) T1|r(y) T1|end T3|w(y)", true, true},
    {"a contested read above the block breaks",
     "T3|w(z) T3|r(x) T2|w(x) T1|begin T1|r(x) T1|w(z) T1|r(y) T1|end T3|w(y)", false, false},
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
    {"a block that stays open", "T1|begin T1|r(x) T1|r(x) T2|w(x)", true, true},
};

const size_t known_case_count = sizeof known_cases / sizeof *known_cases;

void known_case_events(const known_case *known, event_list *events)
{
    small_trace trace = small_trace_of(known->trace);
    for (size_t i = 0; i < trace.count; i++)
        ser_vector_push(events, trace.events[i]);
    small_trace_free(&trace);
}
