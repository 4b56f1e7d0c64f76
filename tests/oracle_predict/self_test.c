/* SPDX-License-Identifier: MIT */
/*
 * The known cases, answered by brute force with memory and without.
 */
#include "self_test.h"

#include <stdio.h>

#include "known_cases.h"
#include "sample.h"

static bool answer_is_right(const known_case *known, const sample *s, int criterion)
{
    bool expected = criterion ? known->serializability : known->path;
    bool violated = s->blocks[0].answer[criterion] == AVP_VIOLATION;
    if (violated == expected)
        return true;
    printf("%s: %s by %s\n", known->what, violated ? "violation" : "none",
           criterion_names[criterion]);
    return false;
}

static bool case_is_right(const known_case *known)
{
    event_list raw = {0};
    sample s;
    difference found;
    known_case_events(known, &raw);
    bool good = sample_init(&s, &raw, "markers", 0);
    if (!good) {
        printf("%s: not a trace\n", known->what);
    } else {
        for (int criterion = 0; criterion < CRITERIA; criterion++)
            good &= answer_is_right(known, &s, criterion);
        if (trial_witnesses.fails(&trial_witnesses, &s, &found)) {
            printf("%s: %s\n", known->what, found.text);
            good = false;
        }
        sample_fini(&s);
    }
    ser_vector_free(&raw);
    return good;
}

bool self_test(void)
{
    bool good = true;
    for (size_t i = 0; i < known_case_count; i++)
        good &= case_is_right(&known_cases[i]);
    return good;
}
