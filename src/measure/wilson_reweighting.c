/* wilson_reweighting.c - reweighting factors of two flavors of Wilson quarks that were simulated with the regulator
 * rho on odd sites, from Gaussian sources.
 *
 * With C(rho) = Mhat + i rho gamma5 and A(rho) = C(rho)^+ C(rho) (clover_operator.h), the weight of the theory over
 * the weight that was simulated is
 *     type 1    W = det A(0) / det A(rho)
 *     type 2    W = det A(0) det A(sqrt2 rho) / det A(rho)^2,   mu = 0
 * (M. Luescher and F. Palombi, arXiv:0810.0946; M. Luescher and S. Schaefer, arXiv:1206.2809).  W is 1 / det K with a
 * K > 0, which is the mean of exp(-s), s = eta^+ (K - 1) eta, over eta of weight exp(-|eta|^2) on odd sites.
 *
 * Type 1, in n steps of rho_k = k rho / n, with d = rho / n, W the product of the means:
 *     K = C' (C^+ C)^-1 C'^+,   C = C(rho_k),   C' = C + i d gamma5
 *     s = |C^-+ C'^+ eta|^2 - |eta|^2 = d^2 |y|^2 + 2 d Im eta^+ y,   y = C^-+ gamma5 eta
 * At mu = 0, gamma5 Mhat is hermitian, and this is s = (rho_(k+1)^2 - rho_k^2) |y|^2 >= 0.
 * Type 2: A(rho)^2 = A(0) A(sqrt2 rho) + rho^4 at mu = 0, hence
 *     s = rho^4 |z|^2,   z = C(sqrt2 rho)^-+ gamma5 C(0)^-+ gamma5 eta */
#include "src/measure/wilson_reweighting.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/lattice/rng.h"
#include "src/measure/quark_sources.h"
#include "src/measure/reweighting_action.h"
#include "src/measure/wilson_masses.h"
#include "src/operators/dwf_embed.h"
#include "src/measure/quark_members.h"

#include <math.h>

enum { STEPS_MAX = 64 };

typedef struct {
    measurement_params common;
    wilson_quarks quarks;                    /* masses: of regulated_mass */
    int64_t sources;
} reweighting_params;

static const regulated_mass *mass_at(const reweighting_params *p, int index)
{
    return (const regulated_mass *)p->quarks.masses.item + index;
}

/* matrix: the index of each mass in its list, or NULL */
static clover_operator_params operator_of(const reweighting_params *p, int matrix[WILSON_MASSES_MAX])
{
    return wilson_quarks_operator(&p->quarks, sizeof(regulated_mass), matrix);
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const reweighting_params *p = params;
    const char *name = p->common.name;
    if (!wilson_quarks_check(&p->quarks, sizeof(regulated_mass), shape, name, f))
        return false;
    for (int m = 0; m < p->quarks.masses.count; m++) {
        const regulated_mass *mass = mass_at(p, m);
        if (mass->type == 2 && mass->of.mu != 0)
            return fail(f, "%s: masses.%d: type 2 is for mu = 0", name, m);
        if (mass->type == 2 && mass->steps > 1)
            return fail(f, "%s: masses.%d: type 2 has a single step", name, m);
    }
    return true;
}

static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    reweighting_compare(&((const reweighting_params *)params)->quarks.masses, monomials, emit, out);
}

/* ---- memory */

/* Numbers of the scratch vectors of the solver, two for each source; and of its spare ones. */
enum { AT_RIGHT, AT_SOLUTION = AT_RIGHT + BATCH_MAX_RHS };
enum { AT_IMAGE, AT_TURNED, SPARE };

typedef struct {
    measurement base;
    const reweighting_params *params;
    clover_operator_params op;
    int matrix[WILSON_MASSES_MAX];           /* index of each mass in the list of the operator */
    solver_precision precision;
    dirac_operator *d;
    dirac_solver *solver;
    double *exponent;                        /* s of the sources of a mass, step after step */
    solve_totals solves;
} reweighting;

static dirac_solver_spec spec_of(const reweighting_params *p, solver_precision kind)
{
    dirac_solver_spec spec = dirac_solver_spec_of(kind, (int)p->quarks.max_rhs);
    spec.scratch = 2 * (int)p->quarks.max_rhs;
    spec.spare = SPARE;
    return spec;
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    reweighting *w = memory_alloc(sizeof *w, "reweighting factors of Wilson quarks");
    const reweighting_params *p = w->params = params;
    w->base = (measurement){ &wilson_reweighting, w };
    w->op = operator_of(p, w->matrix);
    w->precision = wilson_quarks_solver(&p->quarks, lattice_shape_of(u->links.lattice));
    const dirac_plan plan = wilson_operator_plan(&w->op, &p->quarks.of);
    w->d = dirac_create(&plan, u, false);
    w->solver = dirac_solver_create(w->d, spec_of(p, w->precision));
    w->exponent = memory_alloc(STEPS_MAX * (size_t)p->sources * sizeof(double), "exponents of sources");
    return &w->base;
}

static void free_reweighting(measurement *m)
{
    reweighting *w = m->data;
    memory_free(w->exponent);
    dirac_solver_free(w->solver);
    dirac_free(w->d);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const reweighting_params *p = params;
    const clover_operator_params op = operator_of(p, NULL);
    const dirac_plan plan = wilson_operator_plan(&op, &p->quarks.of);
    return dirac_solver_bytes(&plan, shape, spec_of(p, wilson_quarks_solver(&p->quarks, shape)));
}

/* ---- solves */

static vec *right(reweighting *w, int i)
{
    return dirac_solver_scratch(w->solver, ON_ODD, AT_RIGHT + i);
}

/* Numbers of a solution y = C^-+ b for a right-hand side b = gamma5 v. */
typedef struct { double norm2, imaginary; } solution_numbers;       /* |y|^2, Im v^+ y */

/* Computes y for right-hand sides i < count, and replaces each right-hand side by gamma5 y. */
static bool solve(reweighting *w, solution_numbers *numbers, const regulated_mass *mass, double rho, int count,
                  failure *f)
{
    const reweighting_params *p = w->params;
    const double bare = wilson_bare_mass(&mass->of.bare);
    const dirac_goal goal = { .precision = w->precision, .residual = p->quarks.residual,
                              .max_iterations = (int)p->quarks.max_iterations };
    dirac_matrix *m = clover_operator_matrix_with(w->d, w->matrix[mass - mass_at(p, 0)], rho);
    dirac_task task[BATCH_MAX_RHS];
    for (int i = 0; i < count; i++) {
        task[i] = (dirac_task){ .x = dirac_solver_scratch(w->solver, ON_ODD, AT_SOLUTION + i), .b = right(w, i) };
        vec_zero(task[i].x);
    }
    dirac_solve_all(w->solver, m, task, count, &goal);
    bool ok = true;
    for (int i = 0; i < count; i++) {
        vec *y = dirac_solver_spare(w->solver, ON_ODD, AT_IMAGE);
        vec *turned = dirac_solver_spare(w->solver, ON_ODD, AT_TURNED);
        ok = ok && solve_totals_add(&w->solves, &task[i].solved, bare, &goal, f);
        dirac_solver_apply(y, w->solver, m, false, task[i].x);
        dwf_reflect(turned, y);
        numbers[i] = (solution_numbers){ vec_norm2(y), vec_dot(right(w, i), turned).im };
        vec_copy(right(w, i), turned);
    }
    memory_free(m);
    return ok;
}

/* s of `count` sources, whose gamma5 eta are the right-hand sides. */
static bool exponents(reweighting *w, double *s, const regulated_mass *mass, int step, int count, failure *f)
{
    solution_numbers y[BATCH_MAX_RHS];
    if (mass->type == 2) {
        const double rho2 = mass->rho * mass->rho;
        if (!solve(w, y, mass, 0, count, f) || !solve(w, y, mass, sqrt(2 * rho2), count, f))
            return false;
        for (int i = 0; i < count; i++)
            s[i] = rho2 * rho2 * y[i].norm2;
        return true;
    }
    const double d = mass->rho / (double)mass->steps;
    if (!solve(w, y, mass, step * d, count, f))
        return false;
    for (int i = 0; i < count; i++)
        s[i] = d * d * y[i].norm2 + 2 * d * y[i].imaginary;
    return true;
}

/* All sources of a step; `first`: the number of the first of them among all sources of the measurement.  The source is
 * gamma5 eta, which has the weight of eta. */
static bool measure_step(reweighting *w, double *s, const regulated_mass *mass, int step, int first, rng_key key,
                         failure *f)
{
    const int sources = (int)w->params->sources, at_once = (int)w->params->quarks.max_rhs;
    for (int done = 0, count; done < sources; done += count) {
        count = sources - done < at_once ? sources - done : at_once;
        for (int i = 0; i < count; i++)
            vec_set_gaussian(right(w, i), key, (uint32_t)(first + done + i) * SOURCE_DRAWS);
        if (!exponents(w, s + done, mass, step, count, f))
            return false;
    }
    return true;
}

/* ---- results */

/* The log of a product of means, and its error, the relative error of the product; NaN for a single source. */
typedef struct { double log, error; } log_weight;

/* The log of the mean of exp(-s); the smallest s is a separate factor, so that nothing underflows. */
static log_weight mean_weight(const double *s, int count)
{
    double smallest = s[0], weight[SOURCES_MAX];
    for (int i = 1; i < count; i++)
        smallest = fmin(smallest, s[i]);
    for (int i = 0; i < count; i++)
        weight[i] = exp(smallest - s[i]);
    const source_mean mean = source_mean_of(weight, count);
    return (log_weight){ log(mean.value) - smallest, mean.error / mean.value };
}

static log_weight times(log_weight a, log_weight b)
{
    return (log_weight){ a.log + b.log, hypot(a.error, b.error) };
}

static void weight_to_json(json *j, log_weight w)
{
    json_real(j, "log_weight", w.log);
    json_real(j, "log_weight_error", w.error);
    json_real(j, "weight", exp(w.log));
    json_real(j, "weight_error", exp(w.log) * w.error);
}

/* `first` as above. */
static bool measure_mass(log_weight *weight, json *j, reweighting *w, const regulated_mass *mass, int first,
                         rng_key key, failure *f)
{
    const int sources = (int)w->params->sources, steps = (int)mass->steps;
    bool ok = true;
    *weight = (log_weight){ 0, 0 };
    w->solves.residual = 0;
    for (int k = 0; ok && k < steps; k++) {
        progress_set_part(k + 1, steps);
        double *s = w->exponent + (size_t)k * (size_t)sources;
        ok = measure_step(w, s, mass, k, first + k * sources, key, f);
        *weight = ok ? times(*weight, mean_weight(s, sources)) : *weight;
    }
    if (!ok)
        return false;
    json_open(j, NULL, '{');
    wilson_mass_to_json(j, &mass->of);
    json_real(j, "rho", mass->rho);
    weight_to_json(j, *weight);
    json_reals(j, "exponents", w->exponent, steps * sources);
    json_real(j, "residual", w->solves.residual);
    json_close(j);
    return true;
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    reweighting *w = m->data;
    const reweighting_params *p = w->params;
    log_weight all = { 0, 0 };
    clock_begin(clock, "links");
    bool ok = dirac_update(w->d, u, f);
    device_wait();
    clock_end(clock);
    clock_begin(clock, "solves");
    json_open(j, "masses", '[');
    for (int k = 0, first = 0; ok && k < p->quarks.masses.count; k++) {
        log_weight one;
        ok = measure_mass(&one, j, w, mass_at(p, k), first, key, f);
        all = ok ? times(all, one) : all;
        first += (int)(mass_at(p, k)->steps * p->sources);
    }
    json_close(j);
    clock_end(clock);
    if (ok)
        weight_to_json(j, all);
    wilson_quarks_xi_to_json(j, &w->params->quarks);
    json_int(j, "iterations", w->solves.iterations);
    return ok;
}

/* ---- input */

#define AT(member) offsetof(regulated_mass, member)
#define OF_AT(member) AT(of.member)
#define BARE_AT(member) AT(of.bare.member)

static const param_spec mass_specs[] = {
    WILSON_MASS_SPECS(BARE_AT),
    WILSON_MU_SPEC(OF_AT),
    { .key = "rho", .type = PARAM_REAL, .offset = AT(rho), .min = 0, .max = 100,
      .doc = "the regulator of the simulation: Mhat + i rho gamma5" },
    { .key = "type", .type = PARAM_INT, .offset = AT(type), .fallback = "1", .min = 1, .max = 2,
      .doc = "weight of the theory over that of the simulation: 1: det A(0) / det A(rho), A = Mhat^+ Mhat; "
             "2: det A(0) det A(sqrt2 rho) / det A(rho)^2, for mu = 0" },
    { .key = "steps", .type = PARAM_INT, .offset = AT(steps), .fallback = "1", .min = 1, .max = STEPS_MAX,
      .doc = "type 1: number of factors, rho_k over rho_(k+1), whose means are multiplied; rho_k = k rho / steps" },
    { 0 }
};

#undef AT
#define AT(member) offsetof(reweighting_params, member)
#define QUARKS_AT(member) offsetof(reweighting_params, quarks.member)
#define OPERATOR_AT(member) QUARKS_AT(of.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("reweighting"),
    WILSON_OPERATOR_SPECS(OPERATOR_AT),
    WILSON_OPEN_SPEC(OPERATOR_AT),
    WILSON_ANISOTROPY_SPECS(OPERATOR_AT),
    { .key = "masses", .type = PARAM_LIST, .offset = QUARKS_AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(regulated_mass), .doc = "doublets with a regulator",
      .example = "[ { kappa: 0.137, rho: 0.01 } ]", .see = "observables.md#reweighting-factors-of-wilson-quarks" },
    { .key = "sources", .type = PARAM_INT, .offset = AT(sources), .fallback = "12", .min = 1, .max = SOURCES_MAX,
      .doc = "number of Gaussian sources of each factor" },
    WILSON_SOLVE_SPECS(QUARKS_AT, ""),
    { 0 }
};

static const char *const quark_keys[] = WILSON_QUARK_KEYS;

static double anisotropy_of(const void *params)
{
    return wilson_quarks_anisotropy(&((const reweighting_params *)params)->quarks);
}

#define WEIGHT_MEMBERS(is_headline)                                                                                    \
    MEMBER("weight", NULL, NULL, "W; it has no bias"),                                                                 \
    MEMBER("weight_error", NULL, NULL, "its error over the sources of this configuration (`null` for one source)"),    \
    MEMBER("log_weight", NULL, NULL, "log W, also where W itself underflows", .headline = is_headline),                \
    MEMBER("log_weight_error", NULL, NULL, "the relative error of W")

static const result_member of_all[] = { WEIGHT_MEMBERS(true), WILSON_XI_MEMBER, ITERATIONS_MEMBER,
                                         { 0 } };
static const result_member of_mass[] = {
    MEMBER("mass", "1/a_t", NULL, "the bare mass"),
    MEMBER("kappa", NULL, NULL, "1/(8 + 2 mass)"),
    MEMBER("mu", "1/a_t", NULL, "the twisted mass"),
    MEMBER("rho", "1/a_t", NULL, "the regulator"),
    WEIGHT_MEMBERS(false),
    MEMBER("exponents", NULL, "[source]", "s of all sources, step after step"),
    RESIDUAL_MEMBER,
    { 0 }
};
static const result_group results[] = {
    { "Reweighting factors of Wilson quarks", NULL, NULL, of_all },
    { NULL, "masses", "kappa [mu] [rho=]", of_mass },
    { 0 }
};

const measurement_kind wilson_reweighting = {
    .input = { .name = "wilson_reweighting",
               .doc = "reweighting factors of two flavors of Wilson quarks that were simulated with a regulator `rho`",
               .params = specs,
               .example = "every: 5\nc_sw: 1.715\nmasses: [ { kappa: 0.137, rho: 0.01, steps: 2 } ]",
               .see = "observables.md#reweighting-factors-of-wilson-quarks",
               .size = sizeof(reweighting_params) },
    .open_in_time = true,
    .anisotropy = anisotropy_of,
    .quarks = "wilson",
    .quark_keys = quark_keys,
    .compare = compare_action,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_reweighting,
    .run = run_measurement,
    .bytes = count_bytes,
};
