/* test_deflation_start.c - start vectors of solves from the lowest modes, where an eigenvalue cannot be told from
 * zero. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_operator.h"
#include "src/solvers/deflation.h"
#include "src/solvers/dirac_solver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>

/* sum of x_i (x_i^+ b) / (lambda_i + shift), but for what cannot be told from zero: lambda is known within `residual`
 * of the largest eigenvalue. */
static void start_vectors(place where)
{
    const eigen_goal p = { .count = 4, .residual = 1e-9, .max_restarts = 100 };
    lattice *l = lattice_create_single((const int[]){ 4, 2, 2, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(11, 0, 0, RNG_TEST));
    const staggered_operator_params of = { .links = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1,
                                                      .epsilons = 1 } };
    const dirac_plan plan = staggered_operator_plan(&of);
    dirac_operator *d = dirac_create(&plan, u, false);
    dirac_solver *w = dirac_solver_create(d, dirac_solver_spec_of(SOLVER_DOUBLE, 1));
    dirac_matrix *m = d->kind->matrix(d, 0);
    vec *b = dirac_vec_create(d, d->kind->home, dirac_full_storage(d)), *x = vec_create_like(b);
    deflation *modes = deflation_create(b, &p);
    failure why = { .why = "" };
    require(dirac_update(d, u, &why), "%s", why.why);
    const rng_key key = rng_key_for(3, 0, 0, RNG_TEST);
    require(deflation_compute(modes, dirac_solver_normal(w, m), key, 0, &why), "%s", why.why);
    const double largest = 4 * 16, zero = p.residual, weight[4] = { 1 };          /* |D|^2 <= 8^2 of the naive D */
    vec_set_gaussian(b, rng_key_for(4, 0, 0, RNG_TEST), 0);
    deflation_combine(x, modes, weight, b);
    const double part = vec_norm2(x);                                            /* |x_0^+ b|^2 */
    /* Shifts that move the lowest eigenvalue to zero, to what cannot be told from it, and well above. */
    const struct { double value; bool counts; } moved[] = { { 0, false }, { 3 * zero, false }, { -3 * zero, false },
                                                              { 2 * zero * largest, true } };
    for (size_t k = 0; k < sizeof moved / sizeof *moved; k++) {
        double others = 0;
        const double shift = moved[k].value - deflation_pairs(modes)[0].value;
        deflation_start(x, modes, shift, b);
        const complex_number along = vec_dot(x, b);                              /* sum |x_i^+ b|^2 / (lambda_i + s) */
        for (int i = 1; i < 4; i++) {
            double of_mode[4] = { 0 };
            vec *y = vec_create_like(b);
            of_mode[i] = 1;
            deflation_combine(y, modes, of_mode, b);
            others += vec_norm2(y) / (deflation_pairs(modes)[i].value + shift);
            vec_free(y);
        }
        const double want = others + (moved[k].counts ? part / moved[k].value : 0);
        fact(fabs(along.re / want - 1) < 1e-3, "%s: an eigenvalue of %g %s (%g, %g)", place_name(where),
             moved[k].value, moved[k].counts ? "begins the solve" : "cannot be told from zero", along.re, want);
    }
    deflation_free(modes);
    vec_free(b);
    vec_free(x);
    memory_free(m);
    dirac_solver_free(w);
    dirac_free(d);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        start_vectors(where);
    return facts_end();
}
