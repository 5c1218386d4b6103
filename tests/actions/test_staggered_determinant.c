/* test_staggered_determinant.c - the action of staggered quarks against dense linear algebra on tiny lattices: the
 * spectrum of D, functions of K, and the determinants that pseudofermions stand for. */
#include "actions/staggered_rationals.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"
#include "src/solvers/solver.h"
#include "tests/actions/staggered_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/hermitian.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n" \
              "errors: { refresh: 1e-14, action: 1e-14, force: 1e-14 }\n"
#define QUARKS "{ mass: 0.1, flavors: 2 }, { mass: 0.3, flavors: 1 }"

/* The same determinant in several ways. */
static const struct { const char *name, *yaml; } ways[] = {
    { "as it is", TIGHT "determinants: [ { quarks: [ " QUARKS " ] } ]" },
    { "quark by quark", TIGHT "determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ] },"
                              " { quarks: [ { mass: 0.3, flavors: 1 } ] } ]" },
    { "with Hasenbusch masses",
      TIGHT "determinants: [ { quarks: [ " QUARKS " ], hasenbusch: [ { mass: 0.4 }, { mass: 1.1 } ] } ]" },
    { "in roots",
      TIGHT "determinants: [ { quarks: [ " QUARKS " ], fields: 2, hasenbusch: [ { mass: 0.5, fields: 3 } ] } ]" },
};
enum { WAYS = sizeof ways / sizeof ways[0] };
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
#define NEARBY 0.05             /* how far other links are, where P has norm sqrt(8) a link */

/* K on even sites, taken apart: K = sum_i |v_i> eigenvalue_i <v_i|. */
typedef struct { gsl_vector *eigenvalue; gsl_matrix_complex *v; size_t count; } spectrum;

static spectrum spectrum_create(const linop *k, const vec *like)
{
    gsl_matrix_complex *m = dense_operator(k, 0, like);
    const hermitian h = hermitian_of(m);
    const spectrum s = { h.eigenvalue, h.v, m->size1 };
    gsl_matrix_complex_free(m);
    return s;
}

static void spectrum_free(spectrum *s)
{
    gsl_vector_free(s->eigenvalue);
    gsl_matrix_complex_free(s->v);
}

/* prod_j (K + 4 m_j^2)^(power flavors_j / roots) of a field at eigenvalue i */
static double function_at(const spectrum *s, size_t i, const pseudofermion_plan *pf, double power)
{
    double f = 1;
    for (int j = 0; j < pf->count; j++)
        f *= pow(gsl_vector_get(s->eigenvalue, i) + 4 * pf->quark[j].mass * pf->quark[j].mass,
                 power * pf->quark[j].flavors / pf->roots);
    return f;
}

/* f(K) b, f as above */
static gsl_vector_complex *function_of(const spectrum *s, const pseudofermion_plan *pf, double power, const vec *b)
{
    gsl_vector_complex *in = dense_vector(b), *parts = gsl_vector_complex_alloc(s->count);
    gsl_complex one = gsl_complex_rect(1, 0), zero = gsl_complex_rect(0, 0);
    gsl_blas_zgemv(CblasConjTrans, one, s->v, in, zero, parts);
    for (size_t i = 0; i < s->count; i++)
        gsl_vector_complex_set(parts, i, gsl_complex_mul_real(gsl_vector_complex_get(parts, i),
                                                             function_at(s, i, pf, power)));
    gsl_blas_zgemv(CblasNoTrans, one, s->v, parts, zero, in);
    gsl_vector_complex_free(parts);
    return in;
}

/* D on all sites, as an operator. */
typedef struct { linop base; const staggered_links *links; } hop_operator;

static void apply_hop(const linop *a, vec *out, double shift, const vec *in)
{
    (void)shift;
    staggered_hop(out, ((const hop_operator *)a)->links, 0, in);
}

/* iD is hermitian; its eigenvalues come in pairs, and their squares are those of K, once from either parity. */
static void spectrum_of_hops(const spectrum *k, const staggered_links *links, const vec *like_all, const char *name)
{
    hop_operator d = { { .apply = apply_hop }, links };
    gsl_matrix_complex *m = dense_operator(&d.base, 0, like_all);
    size_t n = m->size1;
    double worst = 0, size = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            gsl_complex a = gsl_matrix_complex_get(m, i, j), b = gsl_matrix_complex_get(m, j, i);
            worst = worse(worst, gsl_complex_abs(gsl_complex_add(a, gsl_complex_conjugate(b))));
            size = fmax(size, gsl_complex_abs(a));
        }
    fact_close(worst / size, 0, 1e-14, "%s: D is antihermitian", name);

    gsl_matrix_complex_scale(m, gsl_complex_rect(0, 1));
    gsl_vector *eigenvalue = dense_eigenvalues(m);
    gsl_matrix_complex_free(m);
    worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = worse(worst, fabs(gsl_vector_get(eigenvalue, i) + gsl_vector_get(eigenvalue, n - 1 - i)));
    double largest = gsl_vector_max(eigenvalue);
    fact_close(worst / largest, 0, 1e-13, "%s: eigenvalues of D come in pairs", name);
    fact(gsl_vector_min(k->eigenvalue) > -1e-13 * largest * largest, "%s: K is not negative", name);

    static const double masses[] = { 0.01, 0.1, 1 };
    for (int which = 0; which < 3; which++) {
        double whole = 0, half = 0, m2 = 4 * masses[which] * masses[which];
        for (size_t i = 0; i < n; i++)
            whole += 0.5 * log(m2 + pow(gsl_vector_get(eigenvalue, i), 2));
        for (size_t i = 0; i < k->count; i++)
            half += log(m2 + gsl_vector_get(k->eigenvalue, i));
        fact_close(half / whole, 1, 1e-12, "%s: det(2m + D) of the lattice is det(4m^2 + K) of its even sites, m = %g",
                   name, masses[which]);
    }
    gsl_vector_free(eigenvalue);
}

static void bound_of_spectrum(const spectrum *s, const linop *k, vec *start, const char *name)
{
    const field *f = &start->f;
    cg_space *space = cg_space_create(f->lattice, f->on, f->where, f->precision);
    double largest = gsl_vector_max(s->eigenvalue);
    vec_set_gaussian(start, rng_key_for(3, 0, 0, RNG_TEST), 0);
    double bound = lanczos_spectrum(k, start, 40, space).largest;
    fact(bound > largest * (1 - 1e-12) && bound < 1.02 * largest,
         "%s: Lanczos bounds the spectrum from above, and not by far (%.6f, %.6f)", name, bound, largest);
    cg_space_free(space);
}

/* The end of the range in the report, after trajectory 1 was prepared with functions that end at `before`; 0: none. */
static double range_end_of(const char *yaml, const gauge *u, double before, double *found)
{
    staggered_params p = staggered_from_text(yaml);
    monomial *m = monomial_create(&staggered_monomial, &p, u);
    monomial_call call = { .clock = NULL };
    json j = { 0 };
    double end;
    if (before > 0)
        monomial_set_memory(m, &before, 1);
    require(monomial_prepare(m, u, 1, &call), "%s", call.failure.why);
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    const char *said = strstr(json_string(&j), "\"spectrum\": ");
    require(said && sscanf(said, "\"spectrum\": {\"largest_eigenvalue\": %lf, \"range_end\": %lf", found, &end) == 2,
            "no spectrum in the report: %s", json_string(&j));
    json_free(&j);
    monomial_free(m);
    staggered_input_free(&p);
    return end;
}

static double range_end(const gauge *u, double before, double *found)
{
    return range_end_of("determinants: [ { quarks: [ " QUARKS " ] } ]", u, before, found);
}

/* Reports of trajectory 1, and of 2, which measures nothing: is the range said to be renewed? */
static void renewals(const gauge *u, double before, bool first, const char *sentence)
{
    staggered_params p = staggered_from_text("determinants: [ { quarks: [ " QUARKS " ] } ]");
    monomial *m = monomial_create(&staggered_monomial, &p, u);
    monomial_call call = { .clock = NULL };
    bool right = true;
    if (before > 0)
        monomial_set_memory(m, &before, 1);
    for (int n = 1; n <= 2; n++) {
        json j = { 0 };
        right &= monomial_prepare(m, u, n, &call);
        monomial_report(m, &j);
        right &= (strstr(json_string(&j), "\"range_renewed\": true") != NULL) == (first && n == 1);
        json_free(&j);
    }
    fact(right, "%s", sentence);
    monomial_free(m);
    staggered_input_free(&p);
}

/* Quarks with different naik_epsilon have different operators: the range holds the spectra of all. */
static void range_of_all_operators(const gauge *u, const char *name)
{
#define LIGHT "{ quarks: [ { mass: 0.1, flavors: 2 } ] }"
#define CHARM "{ quarks: [ { mass: 0.6, flavors: 1 } ], naik_epsilon: -0.25 }"
    double light, charm, both, turned;
    range_end_of("determinants: [ " LIGHT " ]", u, 0, &light);
    range_end_of("determinants: [ " CHARM " ]", u, 0, &charm);
    range_end_of("determinants: [ " LIGHT ", " CHARM " ]", u, 0, &both);
    range_end_of("determinants: [ " CHARM ", " LIGHT " ]", u, 0, &turned);
    fact(light != charm && both == fmax(light, charm) && turned == both,
         "%s: the largest eigenvalue is that of all operators, in any order (%g, %g: %g, %g)", name, light, charm, both,
         turned);
}

/* Eigenvalues move as trajectories go: the functions reach a tenth further than the largest one, and are renewed before
 * it is within two hundredths of their end. */
static void range_of_functions(const gauge *u, double largest, const char *name)
{
    double found;
    const double end = range_end(u, 0, &found);
    fact(end >= 1.1 * largest, "%s: the functions reach a tenth beyond the largest eigenvalue (%g, %g)", name, end,
         largest);
    const double near = range_end(u, 1.01 * found, &found), far = range_end(u, 1.05 * found, &found);
    fact(near >= 1.1 * largest, "%s: they are renewed when it comes near their end (%g)", name, near);
    fact(far == 1.05 * found, "%s: and not before (%g)", name, far);
    renewals(u, 0, false, "the first range is not a renewal");
    renewals(u, 1.01 * found, true, "a renewal is reported once");
    renewals(u, 1.05 * found, false, "nor is a range that stays");
}

/* log det of what the rational functions of all fields stand for: the weight of a field is |det r_A|^-2. */
static double log_weight(const rational_set *sets, const staggered_plan *plan, const spectrum *s, int role)
{
    double sum = 0;
    for (int n = 0; n < plan->count; n++)
        for (size_t i = 0; i < s->count; i++)
            sum += log(rational_value(rational_of(&sets[n], role), gsl_vector_get(s->eigenvalue, i)));
    return role == ROLE_REFRESH ? 2 * sum : role == ROLE_ACTION ? -2 * sum : -sum;
}

/* log det of QUARKS. */
static double log_determinant(const spectrum *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        double x = gsl_vector_get(s->eigenvalue, i);
        sum += 0.5 * log(x + 0.04) + 0.25 * log(x + 0.36);
    }
    return sum;
}

static void determinant_in_every_way(const spectrum *s, const char *name)
{
    double want = log_determinant(s), largest = ceil(gsl_vector_max(s->eigenvalue));
    for (int way = 0; way < WAYS; way++) {
        staggered_params p = staggered_from_text(ways[way].yaml);
        staggered_plan plan;
        rational_set sets[PSEUDOFERMIONS_MAX];
        failure f = { .why = "" };
        require(staggered_plan_make(&plan, &p, &f) && staggered_rationals(sets, &plan, &p, largest, &f), "%s", f.why);
        for (int role = 0; role < ROLES; role++)
            fact_close(log_weight(sets, &plan, s, role), want, 1e-11, "%s: det, %s, in the functions of %s", name,
                       ways[way].name, role_names[role]);
        staggered_input_free(&p);
    }
}

static double distance(const gsl_vector_complex *want, const vec *v)
{
    gsl_vector_complex *d = dense_vector(v);
    double size = gsl_blas_dznrm2(want);
    gsl_vector_complex_sub(d, want);
    double apart = gsl_blas_dznrm2(d);
    gsl_vector_complex_free(d);
    return apart / size;
}

/* Refresh and action, field by field. */
static void functions_of_links(const spectrum *s, const gauge *u, int way, const char *name)
{
    staggered_params p = staggered_from_text(ways[way].yaml);
    staggered_plan plan;
    failure f;
    monomial_call call = { .clock = NULL };
    rng_key key = rng_key_for(5, 2, 9, RNG_PSEUDOFERMION);
    require(staggered_plan_make(&plan, &p, &f), "%s", f.why);
    monomial *m = monomial_create(&staggered_monomial, &p, u);
    vec *eta = vec_create(u->links.lattice, ON_EVEN, u->links.where, PRECISION_DOUBLE);
    require(monomial_refresh(m, u, key, &call), "%s", call.failure.why);
    double worst = 0, eta_norm2 = 0, action;
    for (int n = 0; n < plan.count; n++) {
        vec_set_gaussian(eta, key, (uint32_t)n * VECTOR_DRAWS);
        eta_norm2 += vec_norm2(eta);
        gsl_vector_complex *want = function_of(s, &plan.field[n], 1. / 8, eta);
        worst = worse(worst, distance(want, (const vec *)monomial_pseudofermion(m, n, NULL)));
        gsl_vector_complex_free(want);
    }
    fact_close(worst, 0, 1e-11, "%s, %s: the refresh is prod (K + 4m^2)^(n/8) eta", name, ways[way].name);
    require(monomial_action(&action, m, u, &call), "%s", call.failure.why);
    fact_close(action / eta_norm2, 1, 1e-11, "%s, %s: whose action is |eta|^2", name, ways[way].name);

    double want = 0;
    for (int n = 0; n < plan.count; n++) {              /* fields that have nothing to do with the refresh */
        vec *phi = (vec *)monomial_pseudofermion(m, n, NULL);
        vec_set_gaussian(phi, rng_key_for(6, 0, (uint64_t)n, RNG_TEST), 0);
        gsl_vector_complex *half = function_of(s, &plan.field[n], -1. / 8, phi);
        want += pow(gsl_blas_dznrm2(half), 2);
        gsl_vector_complex_free(half);
    }
    require(monomial_action(&action, m, u, &call), "%s", call.failure.why);
    fact_close(action / want, 1, 1e-11, "%s, %s: the action is phi^+ prod (K + 4m^2)^(-n/4) phi", name, ways[way].name);
    vec_free(eta);
    monomial_free(m);
    staggered_input_free(&p);
}

/* With phi from the refresh at U, <exp(S_U - S_V)> = det_V / det_U. */
static void ratio_of_determinants(const gauge *u, const gauge *v, double log_ratio, int way, const char *name)
{
    enum { SAMPLES = 200 };
    staggered_params p = staggered_from_text(ways[way].yaml);
    monomial_call call = { .clock = NULL };
    monomial *at_u = monomial_create(&staggered_monomial, &p, u), *at_v = monomial_create(&staggered_monomial, &p, v);
    double sum = 0, squares = 0;
    for (int n = 0; n < SAMPLES; n++) {
        double before, after;
        bool done = monomial_refresh(at_u, u, rng_key_for(7, 0, (uint64_t)n, RNG_PSEUDOFERMION), &call)
                    && monomial_action(&before, at_u, u, &call);
        for (int i = 0; monomial_pseudofermion(at_u, i, NULL); i++)
            field_copy(monomial_pseudofermion(at_v, i, NULL), monomial_pseudofermion(at_u, i, NULL));
        require(done && monomial_action(&after, at_v, v, &call), "%s", call.failure.why);
        double ratio = exp(before - after - log_ratio);
        sum += ratio / SAMPLES;
        squares += ratio * ratio / SAMPLES;
    }
    double error = sqrt((squares - sum * sum) / (SAMPLES - 1));
    fact_close(sum, 1, 4.5 * error, "%s, %s: <exp(S_U - S_V)> is the ratio of determinants, over it", name,
               ways[way].name);
    fact(error < 0.05 && fabs(exp(-log_ratio) - 1) > 9 * error,
         "%s, %s: which shows: the ratio is exp(%.3f), its error %.3g", name, ways[way].name, log_ratio, error);
    monomial_free(at_v);
    monomial_free(at_u);
    staggered_input_free(&p);
}

/* The links' operator, apart. */
static spectrum spectrum_of_links(staggered_links *links, const gauge *u)
{
    vec *like = vec_create(u->links.lattice, ON_EVEN, u->links.where, PRECISION_DOUBLE);
    vec *between = vec_create(u->links.lattice, ON_ODD, u->links.where, PRECISION_DOUBLE);
    staggered_links_update(links, u);
    staggered_normal_op k = staggered_normal_operator(links, 0, between);
    spectrum s = spectrum_create(&k.base, like);
    vec_free(between);
    vec_free(like);
    return s;
}

static void on_lattice(const int n[4], place where)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %dx%dx%dx%d", place_name(where), n[0], n[1], n[2], n[3]);
    lattice *l = lattice_create_single(n);
    double *numbers = analytic_links(n, ROUGHNESS);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, numbers);
    gauge_copy(v, u);
    momentum_set_gaussian(p, rng_key_for(8, 0, 0, RNG_MOMENTA));
    gauge_drift(v, NEARBY, p);
    staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 };
    staggered_links *links = staggered_links_create(&hisq, u);
    spectrum at_v = spectrum_of_links(links, v), at_u = spectrum_of_links(links, u);

    vec *all = vec_create(l, ON_ALL, where, PRECISION_DOUBLE), *start = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    staggered_normal_op k = staggered_normal_operator(links, 0, between);
    spectrum_of_hops(&at_u, links, all, name);
    bound_of_spectrum(&at_u, &k.base, start, name);
    range_of_functions(u, gsl_vector_max(at_u.eigenvalue), name);
    range_of_all_operators(u, name);
    determinant_in_every_way(&at_u, name);
    for (int way = 0; way < WAYS; way++)
        functions_of_links(&at_u, u, way, name);
    double log_ratio = log_determinant(&at_v) - log_determinant(&at_u);
    for (int way = 0; fabs(log_ratio) > 0.1 && way < WAYS; way += WAYS - 1)
        ratio_of_determinants(u, v, log_ratio, way, name);

    vec_free(between);
    vec_free(start);
    vec_free(all);
    spectrum_free(&at_u);
    spectrum_free(&at_v);
    staggered_links_free(links);
    momentum_free(p);
    gauge_free(v);
    gauge_free(u);
    memory_free(numbers);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        on_lattice((const int[]){ 2, 2, 2, 2 }, where);
        on_lattice((const int[]){ 4, 2, 2, 2 }, where);
    }
    return facts_end();
}
