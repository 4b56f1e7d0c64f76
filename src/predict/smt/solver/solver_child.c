/* SPDX-License-Identifier: MIT */
/*
 * A dialogue with an SMT-LIB 2 solver (ser_solve_with_child): the formula, its
 * answer, and if that is sat, the question for values and its answer.
 *
 * Solvers that refuse a command print (error "...") and go on without it; their answer is then that
 * for another formula. So an error anywhere, and anything that is no answer, makes the outcome
 * unknown. A wrong `sat` could do no harm, since every witness is checked; a wrong `unsat` could,
 * so all output of the solver is read.
 */
#include "predict/smt/solver/solver.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/output/log.h"
#include "predict/smt/solver/child.h"

/* A solver that prints so much without an answer will give none. */
enum { LONGEST_PREFACE = 1 << 20 };

typedef enum reply { REPLY_NONE, REPLY_SAT, REPLY_UNSAT, REPLY_OTHER } reply;

/* What was heard so far. Lines are looked at once, when they are complete. */
typedef struct dialogue {
    ser_child child;
    size_t heard; /* bytes received that were looked at */
    reply reply;
    bool error;
    size_t depth; /* open parentheses of the values */
} dialogue;

static bool is_word(const char *line, size_t length, const char *word)
{
    while (length && (line[length - 1] == '\r' || line[length - 1] == ' '))
        length--;
    return length == strlen(word) && memcmp(line, word, length) == 0;
}

static void hear_line(dialogue *talk, const char *line, size_t length)
{
    if (memmem(line, length, "(error", 6))
        talk->error = true;
    if (talk->reply != REPLY_NONE)
        return;
    if (is_word(line, length, "sat"))
        talk->reply = REPLY_SAT;
    else if (is_word(line, length, "unsat"))
        talk->reply = REPLY_UNSAT;
    else if (is_word(line, length, "unknown") || is_word(line, length, "timeout"))
        talk->reply = REPLY_OTHER;
}

static bool hear_answer(void *listener, const ser_text *received)
{
    dialogue *talk = listener;
    const char *start = received->items + talk->heard, *end = received->items + received->count;
    for (const char *newline; talk->reply == REPLY_NONE && start < end &&
                              (newline = memchr(start, '\n', (size_t)(end - start)));) {
        hear_line(talk, start, (size_t)(newline - start));
        start = newline + 1;
    }
    talk->heard = (size_t)(start - received->items);
    return talk->error || talk->reply != REPLY_NONE || received->count > LONGEST_PREFACE;
}

static bool hear_values(void *listener, const ser_text *received)
{
    dialogue *talk = listener;
    while (talk->heard < received->count) {
        char c = received->items[talk->heard++];
        talk->depth += c == '(';
        if (c == ')' && talk->depth && --talk->depth == 0)
            return true;
    }
    return false;
}

static bool hear_rest(void *listener, const ser_text *received)
{
    (void)listener;
    (void)received;
    return false;
}

static double soon(double seconds)
{
    return ser_clock_work() + seconds;
}

/* After unsat: is there an error among the last words? One that does not end within
 * a second has said all there is. */
static void hear_out(dialogue *talk, const ser_search_options *options)
{
    ser_search_options patience = *options;
    ser_reason ignored;
    patience.deadline = soon(1);
    ser_child_hang_up(&talk->child);
    ser_child_talk(&talk->child, NULL, hear_rest, talk, &patience, &ignored);
    talk->error |= strstr(talk->child.received.items, "(error") != NULL;
}

static bool ask_values(dialogue *talk, const ser_formula *formula,
                       const ser_search_options *options, ser_smt_model *model, ser_reason *reason)
{
    ser_text question = {0};
    size_t start = talk->heard;
    ser_smtlib_ask_values(&question, formula);
    bool good = ser_child_talk(&talk->child, &question, hear_values, talk, options, reason);
    ser_vector_free(&question);
    return good && !strstr(talk->child.received.items, "(error") &&
           ser_smtlib_read_values(talk->child.received.items + start, formula, model);
}

/* Says once a process what is wrong with the solver, as it will be with every block. */
static void explain_failure(const char *command, const ser_text *received)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&said))
        return;
    const char *text = received->count ? received->items : "";
    const char *error = strstr(text, "(error");
    text = error ? error : text;
    int length = (int)strcspn(text, "\r\n");
    if (length > 0)
        ser_warning("the solver '%s' did not solve a formula: %.*s", command, length, text);
    else
        ser_warning("the solver '%s' ended without an answer", command);
}

static ser_solution converse(dialogue *talk, const ser_formula *formula, const ser_text *text,
                             const ser_search_options *options, ser_smt_model *model)
{
    ser_solution unknown = {SER_UNKNOWN, SER_REASON_NONE};
    if (!ser_child_talk(&talk->child, text, hear_answer, talk, options, &unknown.reason))
        return unknown;
    if (talk->reply == REPLY_UNSAT)
        hear_out(talk, options);
    if (talk->reply == REPLY_UNSAT && !talk->error)
        return (ser_solution){SER_NO_VIOLATION, SER_REASON_NONE};
    if (talk->reply == REPLY_SAT && !talk->error &&
        ask_values(talk, formula, options, model, &unknown.reason))
        return (ser_solution){SER_VIOLATED, SER_REASON_NONE};
    if (unknown.reason == SER_REASON_NONE)
        unknown.reason = SER_REASON_SOLVER;
    return unknown;
}

ser_solution ser_solve_with_child(const ser_formula *formula, const ser_text *text,
                                  const ser_search_options *options, ser_smt_model *model)
{
    dialogue talk = {.heard = 0};
    ser_solution solution = {SER_UNKNOWN, SER_REASON_SOLVER};
    if (ser_child_start(&talk.child, options->solver_command, options->memory)) {
        solution = converse(&talk, formula, text, options, model);
        ser_child_end(&talk.child);
    }
    if (solution.reason == SER_REASON_SOLVER)
        explain_failure(options->solver_command, &talk.child.received);
    ser_child_fini(&talk.child);
    return solution;
}
