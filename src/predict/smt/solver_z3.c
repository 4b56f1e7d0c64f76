/* SPDX-License-Identifier: MIT */
/*
 * Z3 in this process, one context a call. This is the only file that knows z3.h.
 *
 * Z3 has no way to ask us whether it should go on, so a second thread watches the
 * deadline and the stop flag and interrupts it. (Z3's own timeout would start a
 * thread, too, and knows no flag.) Errors come back as codes: the handler notes
 * them, and whatever is wrong makes the answer unknown.
 */
#include "predict/smt/solver.h"

#include <pthread.h>
#include <time.h>
#include <z3.h>

/*
 * The settings, in one place. On formulas of this kind the Bellman-Ford solver for
 * difference constraints (1) in the plain SMT core beats Z3's choice for QF_IDL and
 * its default by 3 to 10 times.
 */
enum { ARITHMETIC_SOLVER = 1 };
enum { WATCH_NANOSECONDS = 5000000, BYTES_PER_MEGABYTE = 1 << 20 };

typedef struct z3_run {
    Z3_context context;
    Z3_solver solver;
    const ser_formula *formula;
    const ser_search_options *options;
    Z3_ast *points; /* by point mentioned */
    Z3_ast *atoms;
    SER_VECTOR(Z3_ast) clause;
} z3_run;

/* Z3 gives its error handler no place for data of ours. */
static _Thread_local Z3_error_code last_error;

/* Notes the first. When memory is at its limit, Z3 mostly says so in words only. */
static void note_error(Z3_context context, Z3_error_code code)
{
    if (last_error == Z3_OK)
        last_error = strstr(Z3_get_error_msg(context, code), "memory") ? Z3_MEMOUT_FAIL : code;
}

/* The watcher: interrupts Z3 when time is over or a stop is asked for. */
typedef struct watcher {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool started, over;
    ser_reason reason;
    Z3_context context;
    const ser_search_options *options;
} watcher;

static void wait_a_little(watcher *watch)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WATCH_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&watch->ended, &watch->mutex, &until);
}

/* An interrupt that comes while Z3 is between two phases may have no effect, so
 * it is repeated until the solver has come back. */
static void *keep_watch(void *argument)
{
    watcher *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->over) {
        if (watch->reason != SER_REASON_NONE ||
            ser_search_must_stop(watch->options, &watch->reason))
            Z3_interrupt(watch->context);
        wait_a_little(watch);
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

/* False if there is no thread to be had. */
static bool watcher_start(watcher *watch, Z3_context context, const ser_search_options *options)
{
    *watch = (watcher){.context = context, .options = options};
    if (!options->stop && options->deadline <= 0)
        return true;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&watch->mutex, NULL);
    pthread_cond_init(&watch->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    watch->started = pthread_create(&watch->thread, NULL, keep_watch, watch) == 0;
    return watch->started;
}

/* Why Z3 was interrupted, if it was. */
static ser_reason watcher_end(watcher *watch)
{
    if (!watch->started)
        return SER_REASON_NONE;
    pthread_mutex_lock(&watch->mutex);
    watch->over = true;
    pthread_cond_signal(&watch->ended);
    pthread_mutex_unlock(&watch->mutex);
    pthread_join(watch->thread, NULL);
    pthread_mutex_destroy(&watch->mutex);
    pthread_cond_destroy(&watch->ended);
    return watch->reason;
}

static void open_solver(z3_run *run)
{
    Z3_config config = Z3_mk_config();
    run->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(run->context, note_error);
    run->solver = Z3_mk_simple_solver(run->context);
    Z3_solver_inc_ref(run->context, run->solver);
    Z3_params params = Z3_mk_params(run->context);
    Z3_params_inc_ref(run->context, params);
    if (!run->options->smt_bits)
        Z3_params_set_uint(run->context, params, Z3_mk_string_symbol(run->context, "arith.solver"),
                           ARITHMETIC_SOLVER);
    if (run->options->memory) {
        size_t megabytes = run->options->memory / BYTES_PER_MEGABYTE + 1;
        Z3_params_set_uint(run->context, params, Z3_mk_string_symbol(run->context, "max_memory"),
                           megabytes < UINT32_MAX ? (unsigned)megabytes : UINT32_MAX);
    }
    Z3_solver_set_params(run->context, run->solver, params);
    Z3_params_dec_ref(run->context, params);
}

static void close_solver(z3_run *run)
{
    Z3_solver_dec_ref(run->context, run->solver);
    Z3_del_context(run->context);
    free(run->points);
    free(run->atoms);
    ser_vector_free(&run->clause);
}

static void make_points(z3_run *run)
{
    const ser_formula *formula = run->formula;
    Z3_sort sort = run->options->smt_bits ? Z3_mk_bv_sort(run->context, ser_smtlib_bits(formula))
                                          : Z3_mk_int_sort(run->context);
    run->points = ser_alloc((size_t)formula->points + 1, sizeof *run->points);
    for (uint32_t point = 0; point < formula->points && last_error == Z3_OK; point++)
        if (formula->mentioned[point])
            run->points[point] = Z3_mk_fresh_const(run->context, "x", sort);
}

static Z3_ast make_atom(z3_run *run, const ser_atom *atom)
{
    if (atom->kind == SER_ATOM_CONSTANT)
        return Z3_mk_true(run->context);
    if (atom->kind != SER_ATOM_BEFORE)
        return Z3_mk_fresh_const(run->context, "b", Z3_mk_bool_sort(run->context));
    Z3_ast left = run->points[atom->left], right = run->points[atom->right];
    return run->options->smt_bits ? Z3_mk_bvult(run->context, right, left)
                                  : Z3_mk_lt(run->context, right, left);
}

static void assert_clause(z3_run *run, const ser_literal *literals, size_t count)
{
    run->clause.count = 0;
    for (size_t i = 0; i < count; i++) {
        Z3_ast atom = run->atoms[literals[i] / 2];
        ser_vector_push(&run->clause, literals[i] & 1 ? Z3_mk_not(run->context, atom) : atom);
    }
    if (last_error != Z3_OK)
        return;
    Z3_ast clause = count == 1 ? run->clause.items[0]
                               : Z3_mk_or(run->context, (unsigned)count, run->clause.items);
    if (last_error == Z3_OK)
        Z3_solver_assert(run->context, run->solver, clause);
}

/* Hands the formula over. False if that failed or there is no time left. */
static bool assert_formula(z3_run *run, ser_reason *reason)
{
    const ser_formula *formula = run->formula;
    make_points(run);
    run->atoms = ser_alloc(formula->atoms.count, sizeof *run->atoms);
    for (size_t i = 0; i < formula->atoms.count && last_error == Z3_OK; i++)
        run->atoms[i] = make_atom(run, &formula->atoms.items[i]);
    size_t start = 0;
    for (size_t i = 0; i < formula->ends.count && last_error == Z3_OK; i++) {
        size_t end = formula->ends.items[i];
        assert_clause(run, formula->literals.items + start, end - start);
        start = end;
        if (i % 4096 == 4095 && ser_search_must_stop(run->options, reason))
            return false;
    }
    return last_error == Z3_OK;
}

static bool read_place(z3_run *run, Z3_model values, Z3_ast point, int64_t *place)
{
    Z3_ast value;
    uint64_t bits;
    if (!Z3_model_eval(run->context, values, point, true, &value))
        return false;
    if (!run->options->smt_bits)
        return Z3_get_numeral_int64(run->context, value, place);
    bool good = Z3_get_numeral_uint64(run->context, value, &bits);
    *place = (int64_t)bits;
    return good;
}

static bool read_model(z3_run *run, ser_model *model)
{
    const ser_formula *formula = run->formula;
    Z3_model values = Z3_solver_get_model(run->context, run->solver);
    if (!values)
        return false;
    Z3_model_inc_ref(run->context, values);
    bool good = true;
    for (uint32_t point = 0; point < formula->points && good; point++)
        if (formula->mentioned[point])
            good = read_place(run, values, run->points[point], &model->place[point]);
    for (size_t i = 0; i < formula->atoms.count && good; i++) {
        Z3_ast value;
        if (formula->atoms.items[i].kind != SER_ATOM_HAPPENS)
            continue;
        good = Z3_model_eval(run->context, values, run->atoms[i], true, &value);
        model->happens[i] = good && Z3_get_bool_value(run->context, value) == Z3_L_TRUE;
    }
    Z3_model_dec_ref(run->context, values);
    return good && last_error == Z3_OK;
}

static ser_reason why_unknown(const z3_run *run, ser_reason interrupted)
{
    if (interrupted != SER_REASON_NONE)
        return interrupted;
    if (last_error == Z3_MEMOUT_FAIL)
        return SER_REASON_MEMORY;
    const char *text = Z3_solver_get_reason_unknown(run->context, run->solver);
    return text && strstr(text, "memory") ? SER_REASON_MEMORY : SER_REASON_SOLVER;
}

static ser_solution check(z3_run *run, ser_model *model)
{
    watcher watch;
    ser_solution unknown = {SER_UNKNOWN, SER_REASON_NONE};
    if (!assert_formula(run, &unknown.reason)) {
        unknown.reason = why_unknown(run, unknown.reason);
        return unknown;
    }
    if (!watcher_start(&watch, run->context, run->options))
        return (ser_solution){SER_UNKNOWN, SER_REASON_SOLVER};
    Z3_lbool answer = Z3_solver_check(run->context, run->solver);
    ser_reason interrupted = watcher_end(&watch);
    if (last_error == Z3_OK && answer == Z3_L_FALSE)
        return (ser_solution){SER_NO_VIOLATION, SER_REASON_NONE};
    if (last_error == Z3_OK && answer == Z3_L_TRUE && read_model(run, model))
        return (ser_solution){SER_VIOLATED, SER_REASON_NONE};
    unknown.reason = why_unknown(run, interrupted);
    return unknown;
}

ser_solution ser_solve_with_z3(const ser_formula *formula, const ser_search_options *options,
                               ser_model *model)
{
    z3_run run = {.formula = formula, .options = options};
    last_error = Z3_OK;
    open_solver(&run);
    ser_solution solution = check(&run, model);
    close_solver(&run);
    return solution;
}
