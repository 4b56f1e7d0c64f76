/* SPDX-License-Identifier: MIT */
/*
 * A trace is written as words "THREAD operation OPERAND" without spaces between,
 * one character each: `0b` begins a block of thread 0, `1wx` is a write of x by
 * thread 1. Answers are event numbers, 0 for none.
 */
#include "known_traces.h"

#include <stdio.h>

#include "compare.h"
#include "prepare.h"

typedef struct known_trace {
    const char *what;
    const char *words;
    size_t first_cycle, one_open, forward;
    size_t blocks; /* reported with --all */
} known_trace;

/* The first four are the examples of the AeroDrome paper. */
static const known_trace known[] = {
    {"rho 1", "0b 0wx 1b 1rx 1e 2b 2wz 2e 0rz 0e", 0, 0, 0, 0},
    {"rho 2", "0b 1b 0wx 1rx 1wy 0ry 0e 1e", 6, 7, 6, 1},
    {"rho 3", "0b 1b 0wx 1wy 0ry 1rx 0e 1e", 6, 7, 7, 1},
    {"rho 4", "0b 0wx 1b 1wy 1rx 1e 2b 2ry 2wz 2e 0rz 0e", 11, 11, 11, 1},
    {"an unguarded access between two", "0b 0rx 1wx 0rx 0e", 4, 4, 4, 1},
    {"reads do not conflict", "0b 0rx 1rx 0rx 0e", 0, 0, 0, 0},
    {"a write after a read does", "0b 0wx 1rx 0wx 0e", 4, 4, 4, 1},
    {"rmw is a write", "0b 0rx 1mx 0rx 0e", 4, 4, 4, 1},
    {"one lock twice in a block", "0b 0al 0ll 1al 1ll 0al 0ll 0e", 6, 6, 6, 1},
    {"inner acquires order nothing", "0b 0al 0al 0ll 0ll 1al 1al 1ll 1ll 0e", 0, 0, 0, 0},
    {"shared sections do not conflict", "0b 0Al 0Ll 1Al 1Ll 0Al 0Ll 0e", 0, 0, 0, 0},
    {"shared and exclusive ones do", "0b 0Al 0Ll 1al 1ll 0Al 0Ll 0e", 6, 6, 6, 1},
    {"fork and join in one block", "0b 0f1 1wx 0j1 0e", 4, 4, 4, 1},
    {"joining a thread without events", "0b 0f1 0j1 0e", 0, 0, 0, 0},
    {"only the outermost block counts", "0b 0b 0rx 0e 1wx 0b 0rx 0e 0e", 7, 7, 7, 1},
    {"blocks in a row", "0b 0rx 0e 1wx 0b 0rx 0e", 0, 0, 0, 0},
    {"notify and wake-up", "0b 1Wc 0nc 1wx 0rx 0e", 5, 5, 5, 1},
    {"a notify wakes one", "0b 2Wc 1Wc 0nc 2wy 1wx 0rx 0e", 0, 0, 0, 0},
    {"a notifyall wakes all", "0b 2Wc 1Wc 0Nc 2wy 1wx 0rx 0e", 7, 7, 7, 1},
    {"a notify before the wait", "0b 0nc 1Wc 1wx 0rx 0e", 0, 0, 0, 0},
    {"arrival and departure", "0b 0Rb 1Rb 1Db 1wx 0rx 0e", 6, 6, 6, 1},
    {"the next round", "0b 1Rb 1Db 0Rb 1wx 0rx 0e", 0, 0, 0, 0},
    {"a post and its take", "0b 0ps 1ts 1wx 0rx 0e", 5, 5, 5, 1},
    {"a take served by another post", "2ps 0b 0ps 1ts 1wx 0rx 0e", 0, 0, 0, 0},
    {"a failed try within the section", "0al 0b 0wy 1b 1ry 1Tl 0ll 0e", 7, 8, 7, 1},
    {"a try that failed on an acquire", "0b 0al 1Tl 1wx 0rx 0ll 0e", 5, 5, 5, 1},
    {"two blocks one after the other", "0b 0rx 1wx 0wx 0e 0b 0rx 1wx 0wx 0e", 4, 4, 4, 2},
};

static const struct {
    char letter;
    ser_op op;
} letters[] = {
    {'b', SER_OP_BEGIN},
    {'e', SER_OP_END},
    {'r', SER_OP_READ},
    {'w', SER_OP_WRITE},
    {'m', SER_OP_RMW},
    {'a', SER_OP_ACQUIRE},
    {'l', SER_OP_RELEASE},
    {'A', SER_OP_SHARED_ACQUIRE},
    {'L', SER_OP_SHARED_RELEASE},
    {'T', SER_OP_TRY_FAILED},
    {'f', SER_OP_FORK},
    {'j', SER_OP_JOIN},
    {'W', SER_OP_WAIT},
    {'n', SER_OP_NOTIFY},
    {'N', SER_OP_NOTIFY_ALL},
    {'R', SER_OP_ARRIVE},
    {'D', SER_OP_DEPART},
    {'p', SER_OP_POST},
    {'t', SER_OP_TAKE},
};

static ser_op operation_of(char letter)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            return letters[i].op;
    return SER_OP_COUNT;
}

static void parse_words(event_list *events, const char *words)
{
    while (*words) {
        ser_event event = {.object = SER_NO_OBJECT, .site = SER_NO_SITE};
        event.thread = (uint32_t)(words[0] - '0');
        event.op = (uint8_t)operation_of(words[1]);
        words += 2;
        if (*words && *words != ' ') {
            bool is_thread = event.op == SER_OP_FORK || event.op == SER_OP_JOIN;
            event.object = (uint32_t)(*words++ - (is_thread ? '0' : 'a'));
        }
        ser_vector_push(events, event);
        while (*words == ' ')
            words++;
    }
}

static bool holds(const known_trace *trace, const event_list *marked)
{
    expectation right;
    expectation_init(&right, marked, false);
    const definition *d = &right.definition;
    bool good = d->first_cycle == trace->first_cycle && d->first_with_one_open == trace->one_open &&
                d->first_forward == trace->forward && right.all.count == trace->blocks;
    if (!good)
        printf("%s: cycle at %zu, with one open at %zu, forward at %zu, %zu blocks\n", trace->what,
               d->first_cycle, d->first_with_one_open, d->first_forward, right.all.count);
    expectation_fini(&right);
    return good;
}

bool known_traces_hold(void)
{
    bool good = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        event_list raw = {0}, marked = {0};
        ser_error error;
        parse_words(&raw, known[i].words);
        if (prepare_trace(&marked, &raw, "markers", &error)) {
            good &= holds(&known[i], &marked);
        } else {
            printf("%s: %s\n", known[i].what, error.text);
            good = false;
        }
        ser_vector_free(&raw);
        ser_vector_free(&marked);
    }
    return good;
}
