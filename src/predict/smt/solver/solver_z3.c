/* SPDX-License-Identifier: MIT */
/*
 * Z3 in this process, one context per call. This is the only file that includes z3.h.
 *
 * Of the formula, Z3 first gets what is not deferred. Its model is held against the
 * other clauses, and those that it misses are handed over, until there is no model or
 * one that misses nothing (check_repeatedly). As points are numbered in the order
 * observed and Z3 leaves them alone where it can, few are ever missed: on long
 * segments this beats handing over everything at once more than tenfold.
 *
 * Memory: Z3 looks at its own limit in some of its phases only, so that the watch and the loops
 * here ask for its sum. It is that of all contexts in the process, and each of them may take its
 * share.
 *
 * Errors come back as codes: the handler notes them, and whatever is wrong makes the
 * answer unknown.
 */
#include "predict/smt/solver/solver.h"

#include <z3.h>

#include "predict/smt/solver/watch.h"

/*
 * The settings, in one place. On formulas of this kind the Bellman-Ford solver for
 * difference constraints (1) in the plain SMT core beats Z3's choice for QF_IDL and
 * its default by 3 to 10 times.
 */
enum { ARITHMETIC_SOLVER = 1 };
enum { BYTES_PER_MEGABYTE = 1 << 20, CLAUSES_BETWEEN_LOOKS = 4096 };

/* How many contexts there are. */
static atomic_size_t contexts;

typedef struct z3_run {
    Z3_context context;
    Z3_solver solver;
    const ser_formula *formula;
    const ser_search_options *options;
    Z3_sort place_sort;
    Z3_ast *points, *atoms; /* their terms, NULL if not made yet */
    bool *waiting;          /* by clause: not handed over yet */
    size_t memory;          /* bytes that Z3 may take; 0: no limit */
    SER_VECTOR(Z3_ast) terms;
} z3_run;

/* Z3 gives its error handler no place for data of ours. */
static _Thread_local Z3_error_code last_error;

/* Notes the first. When memory is at its limit, Z3 mostly says so in words only. */
static void note_error(Z3_context context, Z3_error_code code)
{
    if (last_error == Z3_OK)
        last_error = strstr(Z3_get_error_msg(context, code), "memory") ? Z3_MEMOUT_FAIL : code;
}

static void set_number(Z3_context context, Z3_params params, const char *name, size_t value)
{
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name),
                       value < UINT32_MAX ? (unsigned)value : UINT32_MAX);
}

/* What the limit leaves to Z3 beside the formula and the terms' places. */
static size_t share_of_z3(const z3_run *run)
{
    const ser_formula *formula = run->formula;
    size_t places = ((size_t)formula->points + formula->atoms.count) * sizeof(Z3_ast),
           taken = ser_formula_size(formula) + places + formula->ends.count,
           limit = run->options->memory;
    if (limit == 0)
        return 0;
    return limit > taken + BYTES_PER_MEGABYTE ? limit - taken : BYTES_PER_MEGABYTE;
}

static bool takes_too_much(void *argument)
{
    const z3_run *run = argument;
    return run->memory && Z3_get_estimated_alloc_size() / atomic_load(&contexts) > run->memory;
}

static void open_solver(z3_run *run)
{
    atomic_fetch_add(&contexts, 1);
    run->memory = share_of_z3(run);
    Z3_config config = Z3_mk_config();
    Z3_context context = run->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(context, note_error);
    run->solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, run->solver);
    Z3_params params = Z3_mk_params(context);
    Z3_params_inc_ref(context, params);
    /* Or it would take SIGINT away from the process whenever it solves. */
    Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
    if (!run->options->smt_bits)
        set_number(context, params, "arith.solver", ARITHMETIC_SOLVER);
    if (run->memory)
        set_number(context, params, "max_memory", run->memory / BYTES_PER_MEGABYTE + 1);
    Z3_solver_set_params(context, run->solver, params);
    run->place_sort = run->options->smt_bits ? Z3_mk_bv_sort(context, ser_smtlib_bits(run->formula))
                                             : Z3_mk_int_sort(context);
    Z3_params_dec_ref(context, params);
}

static void close_solver(z3_run *run)
{
    Z3_solver_dec_ref(run->context, run->solver);
    Z3_del_context(run->context);
    atomic_fetch_sub(&contexts, 1);
    free(run->points);
    free(run->atoms);
    free(run->waiting);
    ser_vector_free(&run->terms);
}

static Z3_ast make_constant(z3_run *run, size_t number, Z3_sort sort)
{
    return Z3_mk_const(run->context, Z3_mk_int_symbol(run->context, (int)number), sort);
}

static Z3_ast term_of_point(z3_run *run, uint32_t point)
{
    if (!run->points[point])
        run->points[point] = make_constant(run, point, run->place_sort);
    return run->points[point];
}

static Z3_ast term_of(z3_run *run, ser_literal literal);

static Z3_ast make_conjunction(z3_run *run, const ser_atom *atom)
{
    Z3_ast parts[SER_FORMULA_PARTS];
    unsigned count = 0;
    for (uint32_t i = atom->left; i < atom->right && last_error == Z3_OK; i++)
        parts[count++] = term_of(run, run->formula->parts.items[i]);
    return last_error == Z3_OK ? Z3_mk_and(run->context, count, parts) : NULL;
}

static Z3_ast make_atom(z3_run *run, uint32_t number)
{
    const ser_atom *atom = &run->formula->atoms.items[number];
    if (atom->kind == SER_ATOM_CONSTANT)
        return Z3_mk_true(run->context);
    if (atom->kind == SER_ATOM_ALL)
        return make_conjunction(run, atom);
    if (atom->kind != SER_ATOM_BEFORE)
        return make_constant(run, (size_t)run->formula->points + number,
                             Z3_mk_bool_sort(run->context));
    Z3_ast left = term_of_point(run, atom->left), right = term_of_point(run, atom->right);
    if (last_error != Z3_OK)
        return NULL;
    return run->options->smt_bits ? Z3_mk_bvult(run->context, right, left)
                                  : Z3_mk_lt(run->context, right, left);
}

/* Terms are made when they are first needed: most atoms of deferred clauses never are. */
static Z3_ast term_of(z3_run *run, ser_literal literal)
{
    Z3_ast *atom = &run->atoms[literal / 2];
    if (!*atom)
        *atom = make_atom(run, literal / 2);
    return last_error == Z3_OK && literal & 1 ? Z3_mk_not(run->context, *atom) : *atom;
}

static void assert_clause(z3_run *run, size_t clause)
{
    const ser_formula *formula = run->formula;
    size_t start = clause ? formula->ends.items[clause - 1] : 0;
    run->terms.count = 0;
    for (size_t i = start; i < formula->ends.items[clause] && last_error == Z3_OK; i++)
        ser_vector_push(&run->terms, term_of(run, formula->literals.items[i]));
    if (last_error != Z3_OK)
        return;
    Z3_ast term = run->terms.count == 1
                      ? run->terms.items[0]
                      : Z3_mk_or(run->context, (unsigned)run->terms.count, run->terms.items);
    if (last_error == Z3_OK)
        Z3_solver_assert(run->context, run->solver, term);
    run->waiting[clause] = false;
}

/* Is it time to look at the limits, and is one of them reached? */
static bool must_end(z3_run *run, size_t clause, ser_reason *reason)
{
    if ((clause + 1) % CLAUSES_BETWEEN_LOOKS != 0)
        return false;
    if (takes_too_much(run)) {
        *reason = SER_REASON_MEMORY;
        return true;
    }
    return ser_search_must_stop(run->options, reason);
}

/* Hands over what is not deferred. False if that failed or a limit is reached. */
static bool assert_formula(z3_run *run, ser_reason *reason)
{
    const ser_formula *formula = run->formula;
    run->points = ser_alloc((size_t)formula->points + 1, sizeof *run->points);
    run->atoms = ser_alloc(formula->atoms.count, sizeof *run->atoms);
    run->waiting = ser_alloc(formula->ends.count + 1, sizeof *run->waiting);
    for (size_t i = 0; i < formula->ends.count && last_error == Z3_OK; i++) {
        run->waiting[i] = true;
        if (!formula->deferred.items[i])
            assert_clause(run, i);
        if (must_end(run, i, reason))
            return false;
    }
    return last_error == Z3_OK;
}

/* The value of a constant in Z3's model; NULL: Z3 did not have to care. */
static Z3_ast value_of(z3_run *run, Z3_model values, Z3_ast constant)
{
    if (!constant)
        return NULL;
    Z3_func_decl name = Z3_get_app_decl(run->context, Z3_to_app(run->context, constant));
    return Z3_model_get_const_interp(run->context, values, name);
}

static int64_t read_place(z3_run *run, Z3_ast value)
{
    int64_t place = 0;
    uint64_t bits = 0;
    if (!value)
        return 0;
    if (!run->options->smt_bits)
        return Z3_get_numeral_int64(run->context, value, &place) ? place : 0;
    return Z3_get_numeral_uint64(run->context, value, &bits) ? (int64_t)bits : 0;
}

static bool read_model(z3_run *run, ser_smt_model *model)
{
    const ser_formula *formula = run->formula;
    Z3_model values = Z3_solver_get_model(run->context, run->solver);
    if (!values)
        return false;
    Z3_model_inc_ref(run->context, values);
    for (uint32_t point = 0; point < formula->points; point++)
        model->place[point] = read_place(run, value_of(run, values, run->points[point]));
    for (size_t i = 0; i < formula->atoms.count; i++) {
        if (!ser_atom_is_boolean(&formula->atoms.items[i]))
            continue;
        Z3_ast value = value_of(run, values, run->atoms[i]);
        model->truth[i] = value && Z3_get_bool_value(run->context, value) == Z3_L_TRUE;
    }
    Z3_model_dec_ref(run->context, values);
    return last_error == Z3_OK;
}

/* Hands over the clauses that do not hold in the model. False if there are none. If a limit is
 * reached, the rest is left to the watch. */
static bool assert_missed(z3_run *run, const ser_smt_model *model)
{
    bool missed = false;
    ser_reason reason = SER_REASON_NONE;
    for (size_t i = 0; i < run->formula->ends.count && !(missed && must_end(run, i, &reason));
         i++) {
        if (!run->waiting[i] || ser_smt_model_satisfies(model, run->formula, i))
            continue;
        assert_clause(run, i);
        missed = true;
    }
    return missed;
}

static Z3_lbool check_repeatedly(z3_run *run, ser_solver_watch *watch, ser_smt_model *model)
{
    while (ser_solver_watch_reason(watch) == SER_REASON_NONE) {
        Z3_lbool answer = Z3_solver_check(run->context, run->solver);
        if (answer != Z3_L_TRUE)
            return answer;
        if (!read_model(run, model))
            return Z3_L_UNDEF;
        if (!assert_missed(run, model))
            return Z3_L_TRUE;
    }
    return Z3_L_UNDEF;
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

static void interrupt(void *run)
{
    Z3_interrupt(((z3_run *)run)->context);
}

static ser_solution solve(z3_run *run, ser_smt_model *model)
{
    static const ser_watched watched = {.interrupt = interrupt, .takes_too_much = takes_too_much};
    ser_solver_watch watch;
    ser_reason reason = SER_REASON_NONE;
    Z3_lbool answer = Z3_L_UNDEF;
    if (assert_formula(run, &reason) &&
        ser_solver_watch_start(&watch, run->options, &watched, run)) {
        answer = check_repeatedly(run, &watch, model);
        reason = ser_solver_watch_reason(&watch);
        ser_solver_watch_end(&watch);
    }
    if (answer == Z3_L_UNDEF || last_error != Z3_OK)
        return (ser_solution){SER_UNKNOWN, why_unknown(run, reason)};
    return (ser_solution){answer == Z3_L_TRUE ? SER_VIOLATED : SER_NO_VIOLATION, SER_REASON_NONE};
}

ser_solution ser_solve_with_z3(const ser_formula *formula, const ser_search_options *options,
                               ser_smt_model *model)
{
    z3_run run = {.formula = formula, .options = options};
    last_error = Z3_OK;
    open_solver(&run);
    ser_solution solution = solve(&run, model);
    close_solver(&run);
    return solution;
}
