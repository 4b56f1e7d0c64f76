/* SPDX-License-Identifier: MIT */
/*
 * The engine "smt": the task becomes one formula (encoding.h), a solver decides it
 * (solver.h), and a model of it is a run that violates the block (decode.c). Where the task has
 * values, runs that these do not let happen are taken out of the formula one after the other
 * (refine.h).
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/log.h"
#include "predict/search.h"
#include "predict/smt/encode/encoding.h"
#include "predict/smt/refine.h"
#include "predict/smt/solver/solver.h"

/* Of a formula for which a solver takes tens of megabytes, so that limits of memory matter. */
enum { MANY_CONSTRAINTS = 1 << 15 };

static bool write_file(const char *path, const ser_text *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = fwrite(text->items, 1, text->count, file) == text->count;
    return fclose(file) == 0 && good;
}

/* DIR/block-EVENT.smt2, complete or not at all. */
static void dump(const ser_task *task, const char *folder, const ser_text *text)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    size_t size = strlen(folder) + 64;
    char *path = ser_alloc(size, 1), *temporary = ser_alloc(size, 1);
    snprintf(path, size, "%s/block-%u.smt2", folder,
             task->steps.items[task->first_block_step].event);
    snprintf(temporary, size, "%s.new", path);
    if (mkdir(folder, 0777) < 0 && errno != EEXIST && !atomic_flag_test_and_set(&said))
        ser_warning("cannot make the folder %s: %s", folder, strerror(errno));
    if (!write_file(temporary, text) || rename(temporary, path) < 0) {
        if (!atomic_flag_test_and_set(&said))
            ser_warning("cannot write %s: %s", path, strerror(errno));
        unlink(temporary);
    }
    free(path);
    free(temporary);
}

static ser_solution solve(const ser_encoding *encoding, const ser_search_options *options,
                          ser_smt_model *model)
{
    ser_text text = {0};
    ser_solution solution = {SER_NO_VIOLATION, SER_REASON_NONE};
    if (options->dump || options->solver_command)
        ser_smtlib_write(&text, encoding->task, encoding->point, &encoding->formula,
                         options->smt_bits);
    if (options->dump)
        dump(encoding->task, options->dump, &text);
    if (!encoding->formula.contradiction && options->solver_command)
        solution = ser_solve_with_child(&encoding->formula, &text, options, model);
    else if (!encoding->formula.contradiction)
        solution = ser_solve_with_z3(&encoding->formula, options, model);
    ser_vector_free(&text);
    return solution;
}

/* Is what the solver has found real with values? Else it has to look again, unless that is of no
 * use. */
static bool must_refine(ser_encoding *encoding, const ser_smt_model *model, ser_answer *answer)
{
    if (!encoding->task->values)
        return false;
    ser_refined refined = ser_refine(encoding, model, answer);
    if (refined == SER_REFINED_HOLDS)
        return false;
    answer->outcome = SER_UNKNOWN;
    answer->reason = SER_REASON_VALUES;
    answer->order.count = 0;
    return refined == SER_REFINED_TAKEN &&
           !ser_search_must_stop(encoding->options, &answer->reason);
}

/* One question for the solver. True: another one is to be asked. */
static bool decide(ser_encoding *encoding, const ser_search_options *options, ser_answer *answer)
{
    ser_smt_model model;
    ser_smt_model_init(&model, &encoding->formula);
    ser_solution solution = solve(encoding, options, &model);
    bool again = false;
    answer->outcome = solution.outcome;
    answer->reason = solution.reason;
    answer->constraints = encoding->formula.ends.count;
    if (solution.outcome == SER_VIOLATED) {
        ser_encoding_read_order(encoding, &model, answer);
        answer->explored++;
        again = must_refine(encoding, &model, answer);
    }
    ser_smt_model_fini(&model);
    return again;
}

static void run(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    ser_encoding encoding;
    *answer = (ser_answer){.outcome = SER_UNKNOWN};
    if (task->first_block_step == SER_TASK_NONE) { /* no access, so no path and no cycle */
        answer->outcome = SER_NO_VIOLATION;
        return;
    }
    if (options->memory && ser_must_bytes(task) > options->memory) {
        answer->reason = SER_REASON_MEMORY;
        return;
    }
    ser_encode(&encoding, task, options);
    answer->constraints = encoding.formula.ends.count;
    if (options->memory && answer->constraints > MANY_CONSTRAINTS)
        ser_return_large_pieces();
    answer->reason = encoding.stopped;
    bool again = encoding.stopped == SER_REASON_NONE;
    while (again)
        again = decide(&encoding, options, answer);
    ser_encoding_fini(&encoding);
}

const ser_search_engine ser_search_smt = {.name = "smt", .run = run};
