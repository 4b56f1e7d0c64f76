/* SPDX-License-Identifier: MIT */
/*
 * What an entry of `run` says to the owner of the program: what to change in the code, and why the
 * block is taken for atomic.
 */
#include "report/text/run_advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output/print.h"
#include "report/run_report.h"
#include "report/short_function.h"
#include "report/text/dossier_rows.h"
#include "report/text/wrapped.h"

/* Why it is taken for atomic, where that may be doubted: what the program did otherwise leaves no
 * doubt. */
static const char *why_atomic(const ser_bug *bug)
{
    if (bug->intention == SER_INTENTION_MARKED)
        return "The block is marked as atomic.";
    if (bug->is_named)
        return "The function is named as atomic.";
    if (bug->was_felt)
        return NULL;
    if (bug->intention == SER_INTENTION_ROUND)
        return "It is assumed that one round of a thread's loop is meant to be atomic.";
    if (bug->after_wait)
        return "It is assumed that what a function does after a wait is meant to be atomic.";
    if (bug->intention == SER_INTENTION_FUNCTION)
        return "It is assumed that a function which uses shared data several times is meant to be "
               "atomic.";
    return NULL;
}

/* Of a check and an act: which functions are to be made one critical section. */
static char *advise_halves(const ser_bug *bug)
{
    char *text = NULL, *check = ser_short_function(bug->check), *act = ser_short_function(bug->act);
    if (asprintf(&text,
                 "hold one lock over both the check in %s() and the act in %s(), or check again in "
                 "%s()",
                 check, act, act) < 0)
        ser_out_of_memory(0);
    free(check);
    free(act);
    return text;
}

char *ser_run_advice(const ser_bug *bug)
{
    if (bug->check)
        return advise_halves(bug);
    return bug->advice ? ser_copy_text(bug->advice, strlen(bug->advice)) : NULL;
}

void ser_run_advice_text(const ser_bug *bug, FILE *file)
{
    const char *why = why_atomic(bug);
    char *advice = ser_run_advice(bug), *text = NULL;
    if (advice) {
        if (asprintf(&text, "What to change: %s.", advice) < 0)
            ser_out_of_memory(0);
        ser_print_wrapped(file, text, SER_TEXT_WIDTH);
    }
    if (why)
        ser_print(file, "   %s\n", why);
    free(text);
    free(advice);
}
