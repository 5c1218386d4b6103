/* test_dwf_determinants.c - one flavor of domain-wall quarks against dense linear algebra on a tiny lattice: what its
 * actions and refreshes are, and that they, and two flavors, stand for one determinant. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/dense_dwf.h"
#include "tests/actions/derivative.h"
#include "tests/actions/dwf_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */

#define TIGHT "residuals: { refresh: 1e-14, action: 1e-14 }\nLs: 4\n"
#define ONE(method) "determinants: [ { flavors: 1, mass: 0.1, method: " #method ", errors: { refresh: 1e-14, " \
    "action: 1e-14 } } ]"
static const struct { const char *name, *yaml; } weights[] = {
    { "Shamir", TIGHT },
    { "Moebius", TIGHT "action: mobius\n" },
    { "optimal and symmetric", TIGHT "action: optimal_symmetric\nlambda_min: 0.3\nlambda_max: 6\n" },
};
enum { ROWS = sizeof weights / sizeof weights[0] };

/* ---- what is to be as in dense algebra */

static monomial *quarks_of(const dense_dwf *a, const char *of_weights, const char *determinants)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml, "%s%s", of_weights, determinants);
    dwf_params p = dwf_from_text(yaml);
    monomial *m = monomial_create(&dwf_monomial, &p, a->u);
    dwf_input_free(&p);
    return m;
}

/* The fields of a monomial: those of the two parities added up; in five dimensions, on odd sites. */
static vector *fields_of(const dense_dwf *a, monomial *m, size_t count)
{
    vector *sum = gsl_vector_complex_calloc(count);
    for (int i = 0; monomial_pseudofermion(m, i, NULL); i++) {
        vector *x = dense_numbers_of((const vec *)monomial_pseudofermion(m, i, NULL), count);
        gsl_vector_complex_add(sum, x);
        gsl_vector_complex_free(x);
    }
    if (count == a->four)
        return sum;
    vector *odd = odd_of(a, sum);
    gsl_vector_complex_free(sum);
    return odd;
}

static void set_fields(monomial *m, rng_key key)
{
    for (int i = 0; monomial_pseudofermion(m, i, NULL); i++)
        vec_set_gaussian((vec *)monomial_pseudofermion(m, i, NULL), key, 0);
}

/* x <- M^-1/2 x and M x, for S = phi^+ M phi; of which matrices */
typedef void power_of(const hermitian *const s[2], vector *x);
typedef struct {
    const hermitian *s[2];
    power_of *half, *whole;
    size_t count;                                       /* numbers of phi */
} action_matrix;

static void exact_half(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], -0.5, x);
}

static void exact_whole(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], 1, x);
}

static void rational_half(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], 0.25, x);
    hermitian_power(s[1], -0.25, x);
}

static void rational_whole(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[1], 0.25, x);
    hermitian_power(s[0], -0.5, x);
    hermitian_power(s[1], 0.25, x);
}

static void refresh_and_action(const dense_dwf *a, monomial *m, const action_matrix *of, const char *name)
{
    const rng_key key = rng_key_for(81, 0, 1, RNG_PSEUDOFERMION), other = rng_key_for(82, 0, 1, RNG_PSEUDOFERMION);
    monomial_call call = { .clock = NULL };
    set_fields(m, key);
    vector *want = fields_of(a, m, of->count);
    of->half(of->s, want);
    require(monomial_refresh(m, a->u, key, &call), "%s", call.failure.why);
    vector *phi = fields_of(a, m, of->count);
    fact_close(dense_distance(phi, want), 0, 1e-11, "%s: the refresh, relative", name);
    action_of(m, a->u);
    set_fields(m, other);
    gsl_vector_complex_free(phi);
    phi = fields_of(a, m, of->count);
    gsl_vector_complex_memcpy(want, phi);
    of->whole(of->s, want);
    gsl_complex product;
    gsl_blas_zdotc(phi, want, &product);
    fact_close(action_of(m, a->u) / GSL_REAL(product), 1, 1e-11, "%s: the action of any fields, relative", name);
    gsl_vector_complex_free(phi);
    gsl_vector_complex_free(want);
}

static void on_weights(const gauge *u, int row)
{
    char name[96], yaml[512];
    snprintf(yaml, sizeof yaml, "%s%s", weights[row].yaml, ONE(exact));
    dense_dwf a = dense_dwf_open(u, yaml);
    snprintf(name, sizeof name, "%s: %s", place_name(u->links.where), weights[row].name);
    matrix *me = dense_me(&a, name);
    fact_close(asymmetry(me), 0, 1e-13, "%s: M_E is hermitian", name);
    hermitian of_me = hermitian_of(me), light = spectrum_of_c(&a, LIGHT), heavy = spectrum_of_c(&a, HEAVY);
    fact(gsl_vector_min(of_me.eigenvalue) > 0, "%s: and positive: from %g to %g", name,
         gsl_vector_min(of_me.eigenvalue), gsl_vector_max(of_me.eigenvalue));
    double two_flavors = log_det_d5(&a, &heavy, HEAVY) - log_det_d5(&a, &light, LIGHT);
    double of_y = (double)a.four * (log(dwf_weight(&a, LIGHT)) - log(dwf_weight(&a, HEAVY)));
    fact_close(hermitian_log_det(&of_me) - of_y, two_flavors, 1e-10,
               "%s: log det M_E is that of D5(M) / D5(m), even-odd as two flavors have it", name);

    snprintf(name, sizeof name, "%s: %s, exact", place_name(u->links.where), weights[row].name);
    monomial *m = quarks_of(&a, weights[row].yaml, ONE(exact));
    const action_matrix exact = { .s = { &of_me }, .half = exact_half, .whole = exact_whole, .count = a.four };
    refresh_and_action(&a, m, &exact, name);
    monomial_free(m);
    snprintf(name, sizeof name, "%s: %s, rational", place_name(u->links.where), weights[row].name);
    m = quarks_of(&a, weights[row].yaml, ONE(rational));
    const action_matrix rational = { .s = { &light, &heavy }, .half = rational_half, .whole = rational_whole,
                                     .count = a.five };
    refresh_and_action(&a, m, &rational, name);
    monomial_free(m);

    hermitian_free(&heavy);
    hermitian_free(&light);
    hermitian_free(&of_me);
    gsl_matrix_complex_free(me);
    hop_links_free(a.links);
}

int main(void)
{
    const int extents[4] = { 2, 2, 2, 2 };
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        double *numbers = analytic_links(extents, ROUGHNESS);
        gauge_import(u, numbers);
        memory_free(numbers);
        for (int row = 0; row < (where == PLACE_CPU ? ROWS : 1); row++)
            on_weights(u, row);
        gauge_free(u);
        lattice_free(l);
    }
    return facts_end();
}
