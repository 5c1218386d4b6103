/* test_eigensolver.c - the lowest eigenpairs of K: all eigenvalues of the dense matrix, degenerate ones, residuals,
 * filters, what cannot converge; the same bits on every grid of ranks. */
#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/solvers/chebyshev.h"
#include "src/solvers/eigensolver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/solvers/small_system.h"

#include <math.h>
#include <string.h>

static const eigen_goal goal_of_ten = { .count = 10, .basis = 36, .residual = 1e-11, .max_restarts = 200 };

static rng_key key_of(unsigned seed)
{
    return rng_key_for(seed, 0, 0, RNG_TEST);
}

/* The largest deviation of the pairs from the dense eigenvalues, over the largest of these. */
static double deviation(const eigen_pair *pair, const gsl_vector *all, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        worst = worse(worst, fabs(pair[i].value - gsl_vector_get(all, (size_t)i)));
    return worst / gsl_vector_get(all, all->size - 1);
}

/* The largest |A x - lambda x| / upper, computed anew, and |x_i^+ x_j - delta_ij|. */
static void check_pairs(const linop *a, const eigen_pair *pair, int count, double upper, double *residual, double *gram)
{
    vec *ax = vec_create_native(pair[0].x, PRECISION_DOUBLE);
    *residual = *gram = 0;
    for (int i = 0; i < count; i++) {
        a->apply(a, ax, 0, pair[i].x);
        vec_axpy(ax, -pair[i].value, pair[i].x);
        *residual = fmax(*residual, sqrt(vec_norm2(ax)) / upper);
        for (int j = 0; j <= i; j++) {
            const complex_number dot = vec_dot(pair[j].x, pair[i].x);
            *gram = worse(*gram, hypot(dot.re - (i == j), dot.im));
        }
    }
    vec_free(ax);
}

static void facts_of(const char *what, const small_system *s, const eigen_goal *goal, unsigned seed)
{
    gsl_matrix_complex *m = dense_operator(&s->k.base, 0, s->b);
    gsl_vector *all = dense_eigenvalues(m);
    eigen_space *space = eigen_space_create(s->b, goal->count, goal->basis);
    const eigen_result r = eigen_lowest(&s->k.base, space, goal, key_of(seed), 0);
    const eigen_pair *pair = eigen_pairs(space);
    double residual, gram, reported = 0;
    check_pairs(&s->k.base, pair, r.found, r.upper, &residual, &gram);
    for (int i = 0; i < r.found; i++)
        reported = fmax(reported, pair[i].residual);
    fact(r.converged && r.found == goal->count, "%s: converged (%d of %d; %s)", what, r.found, goal->count, r.why.why);
    fact(deviation(pair, all, r.found) < 1e-12, "%s: the eigenvalues of the dense matrix, none is missing (%g)", what,
         deviation(pair, all, r.found));
    fact(residual <= goal->residual && fabs(residual - reported) < 1e-13,
         "%s: residuals are those requested and those reported (%g, %g)", what, residual, reported);
    fact(gram < 1e-12, "%s: orthonormal vectors (%g)", what, gram);
    fact(r.upper >= gsl_vector_get(all, all->size - 1) * (1 - 1e-12), "%s: the interval ends above the spectrum", what);
    note("%s: degree %d, cut %g of %g, %d restarts, %d applications", what, r.degree, r.cut, r.upper, r.restarts,
         (int)r.applications);
    eigen_space_free(space);
    gsl_vector_free(all);
    gsl_matrix_complex_free(m);
}

static void random_links(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 2, 2 }, where, PRECISION_DOUBLE);
    eigen_goal goal = goal_of_ten;
    facts_of("the filter is chosen", &s, &goal, 1);
    goal.degree = 8;
    facts_of("degree 8", &s, &goal, 2);
    goal.cut = 1.5;
    facts_of("degree 8, cut 1.5", &s, &goal, 3);
    goal.degree = 1;
    facts_of("no filter", &s, &goal, 4);
    goal = (eigen_goal){ .count = 1, .basis = 12, .residual = 1e-12, .max_restarts = 200 };
    facts_of("one pair", &s, &goal, 5);
    small_free(&s);
}

/* Free quarks: K of unit links has the same eigenvalue for each color and for all signs of the momenta. */
static void degenerate(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 2, 4, 2 }, where, PRECISION_DOUBLE);
    gauge_set_unit(s.fat);
    gauge_set_unit(s.naik);
    eigen_goal goal = { .count = 24, .basis = 40, .residual = 1e-11, .max_restarts = 400 };
    facts_of("degenerate eigenvalues, zero modes among them", &s, &goal, 6);
    small_free(&s);
}

/* A long, narrow lattice of unit links: K has 24 eigenvalues 0, then many small ones.  The first Krylov space has one
 * of the zero modes.  The second needs many steps without a filter until its smallest Ritz value is among the known
 * ones. */
static void slow_degenerate(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 2, 2, 2, 128 }, where, PRECISION_DOUBLE);
    gauge_set_unit(s.fat);
    gauge_set_unit(s.naik);
    const eigen_goal goal = { .count = 2, .basis = 40, .residual = 1e-9, .degree = 1, .max_restarts = 200 };
    eigen_space *space = eigen_space_create(s.b, goal.count, goal.basis);
    const eigen_result r = eigen_lowest(&s.k.base, space, &goal, key_of(16), 0);
    const eigen_pair *pair = eigen_pairs(space);
    fact(r.converged && fabs(pair[0].value) < 1e-9 * r.upper && fabs(pair[1].value) < 1e-9 * r.upper,
         "two zero modes that a filter of degree 1 finds slowly (%g, %g; %s)", pair[0].value, pair[1].value, r.why.why);
    eigen_space_free(space);
    small_free(&s);
}

/* As many as there are. */
static void whole_space(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 2, 2, 2, 2 }, where, PRECISION_DOUBLE);
    eigen_goal goal = { .count = 24, .basis = 30, .residual = 1e-12, .max_restarts = 10 };
    facts_of("all eigenvalues", &s, &goal, 7);
    gauge_set_unit(s.fat);
    facts_of("all eigenvalues of free quarks", &s, &goal, 8);
    small_free(&s);
}

static void mishaps(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 2, 2 }, where, PRECISION_DOUBLE);
    eigen_space *space = eigen_space_create(s.b, 10, 36);
    eigen_goal goal = goal_of_ten;
    goal.max_restarts = 1;
    eigen_result r = eigen_lowest(&s.k.base, space, &goal, key_of(9), 0);
    fact(!r.converged && strstr(r.why.why, "of 10 eigenpairs"), "too few restarts: %s", r.why.why);
    goal = goal_of_ten;
    goal.cut = 0.01;
    goal.degree = 60;
    r = eigen_lowest(&s.k.base, space, &goal, key_of(9), 0);
    fact(!r.converged && strstr(r.why.why, "cut"), "a cut among the eigenvalues that are requested: %s", r.why.why);
    goal.cut = 1000;
    r = eigen_lowest(&s.k.base, space, &goal, key_of(9), 0);
    fact(!r.converged && strstr(r.why.why, "not below"), "a cut above all eigenvalues: %s", r.why.why);
    field_zero(&s.fat->links);
    field_zero(&s.naik->links);
    r = eigen_lowest(&s.k.base, space, &goal_of_ten, key_of(9), 0);
    fact(!r.converged && strstr(r.why.why, "positive"), "an operator that is zero: %s", r.why.why);
    eigen_space_free(space);
    small_free(&s);
}

/* Pairs from elsewhere are accepted if they are what eigen_lowest promises: small residuals, norm 1, ascending. */
static void accepted(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 2, 2 }, where, PRECISION_DOUBLE);
    eigen_space *space = eigen_space_create(s.b, 10, 36);
    const eigen_result r = eigen_lowest(&s.k.base, space, &goal_of_ten, key_of(15), 0);
    const eigen_pair *pair = eigen_pairs(space);
    const int last = goal_of_ten.count - 1;
    eigen_goal loose = goal_of_ten;
    loose.residual = 1e-6;
    vec *first = vec_create_native(s.b, PRECISION_DOUBLE), *other = vec_create_native(s.b, PRECISION_DOUBLE);
    require(r.converged, "%s", r.why.why);
    fact(eigen_accept(&s.k.base, space, &goal_of_ten, r.upper), "pairs of the eigensolver are accepted");
    vec_copy(first, pair[0].x);
    vec_copy(other, pair[last].x);
    vec_axpy(pair[0].x, 1e-8, first);
    fact(!eigen_accept(&s.k.base, space, &loose, r.upper), "a vector whose norm is not 1 is not accepted");
    vec_copy(pair[0].x, first);
    vec_axpy(pair[0].x, 1e-3, other);
    vec_axpy(pair[0].x, -5e-7, first);
    fact(!eigen_accept(&s.k.base, space, &goal_of_ten, r.upper), "nor one that is no eigenvector");
    vec_copy(pair[0].x, other);
    vec_copy(pair[last].x, first);
    fact(!eigen_accept(&s.k.base, space, &goal_of_ten, r.upper), "nor pairs that do not ascend");
    vec_copy(pair[0].x, first);
    vec_copy(pair[last].x, other);
    fact(eigen_accept(&s.k.base, space, &goal_of_ten, r.upper), "in their places again, they are");
    vec_free(first);
    vec_free(other);
    eigen_space_free(space);
    small_free(&s);
}

/* The polynomial itself, on eigenvectors, and its inverse. */
static void filter(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 2, 2, 2, 2 }, where, PRECISION_DOUBLE);
    eigen_space *space = eigen_space_create(s.b, 24, 30);
    const eigen_goal goal = { .count = 24, .basis = 30, .residual = 1e-12, .max_restarts = 10 };
    const eigen_result r = eigen_lowest(&s.k.base, space, &goal, key_of(10), 0);
    vec *px = vec_create_native(s.b, PRECISION_DOUBLE);
    for (int degree = 1; degree <= 9; degree += 4) {
        const chebyshev p = { degree, 2, r.upper };
        double worst = 0, inverse = 0, filtered = 0;
        for (int i = 0; i < 24; i++) {
            const eigen_pair *pair = eigen_pairs(space) + i;
            const double value = chebyshev_value(&p, pair->value);
            chebyshev_apply(&p, &s.k.base, px, pair->x, (vec *const[]){ s.x, s.b });
            vec_axpy(px, -value, pair->x);
            worst = worse(worst, sqrt(vec_norm2(px)));
            if (pair->value < p.cut)
                inverse = worse(inverse, fabs(chebyshev_inverse(&p, value) - pair->value));
            else
                filtered = worse(filtered, fabs(value) / chebyshev_value(&p, p.cut));
        }
        fact(worst < 1e-12, "degree %d: p(A) x = p(lambda) x (%g)", degree, worst);
        fact(inverse < 1e-11, "degree %d: and back (%g)", degree, inverse);
        fact(filtered <= 1 + 1e-12, "degree %d: small in the interval (%g)", degree, filtered);
        for (int i = 0; i < (degree > 1 ? 4 : 0); i++) {
            const double value = (1 - 0.25 * i) * chebyshev_value(&p, p.cut);
            fact_close(chebyshev_inverse(&p, value), p.cut, 1e-12, "degree %d: and %g of p(cut) gives the cut", degree,
                       1 - 0.25 * i);
        }
        fact_close(chebyshev_value(&p, 0), 1, 1e-15, "degree %d: p(0) = 1", degree);
    }
    fact(chebyshev_degree(0.1, 20) > 2 * chebyshev_degree(1, 20), "a lower cut needs a larger degree");
    vec_free(px);
    eigen_space_free(space);
    small_free(&s);
}

/* ---- grids of ranks */

enum { RANKS_MOST = 4 };
typedef struct { place where; const int *grid; uint64_t of[RANKS_MOST]; } grid_task;

/* A digest of all eigenvalues, residuals and vectors. */
static int digest_pairs(void *of)
{
    static const int extents[4] = { 2, 4, 8, 8 };
    const eigen_goal goal = { .count = 3, .basis = 14, .residual = 1e-8, .max_restarts = 100 };
    grid_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_MOST);
    lattice *l = lattice_create(&shape);
    gauge *fat = gauge_create(l, t->where, PRECISION_DOUBLE);
    gauge *naik = gauge_create_straight(l, t->where, PRECISION_DOUBLE);
    vec *between = vec_create(l, ON_ODD, t->where, PRECISION_DOUBLE);
    vec *like = vec_create(l, ON_EVEN, t->where, PRECISION_DOUBLE);
    gauge_set_random(fat, key_of(12));
    gauge_set_random(naik, key_of(13));
    const staggered_normal_op k = staggered_normal_operator_with((staggered_terms){ fat, naik, -0.1 }, between);
    eigen_space *space = eigen_space_create(like, goal.count, goal.basis);
    const eigen_result r = eigen_lowest(&k.base, space, &goal, key_of(14), 0);
    const size_t reals = (size_t)lattice_volume(l) * VEC_REALS;
    double *numbers = memory_alloc(reals * sizeof *numbers, "an eigenvector");
    uint64_t digest = DIGEST64_START;
    require(r.converged, "%s", r.why.why);
    for (int i = 0; i < r.found; i++) {
        const eigen_pair *pair = eigen_pairs(space) + i;
        const double both[2] = { pair->value, pair->residual };
        vec_export(numbers, pair->x);
        digest = digest64(digest64(digest, both, sizeof both), numbers, reals * sizeof *numbers);
    }
    t->of[comm_rank(comm_world())] = digest;
    memory_free(numbers);
    eigen_space_free(space);
    vec_free(like);
    vec_free(between);
    gauge_free(naik);
    gauge_free(fat);
    lattice_free(l);
    return 0;
}

static void grids_of_ranks(place where)
{
    static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
    grid_task single = { where, NULL, { 0 } };
    digest_pairs(&single);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const int *n = grids[g], ranks = n[0] * n[1] * n[2] * n[3];
        grid_task task = { where, n, { 0 } };
        int different = 0;
        comm_run_threads(ranks, digest_pairs, &task);
        for (int r = 0; r < ranks; r++)
            different += task.of[r] != single.of[0];
        fact(different == 0, "%s, %d ranks: the bits of eigenvalues and eigenvectors are those of one rank (%d differ)",
             place_name(where), ranks, different);
    }
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        accepted(where);
        random_links(where);
        degenerate(where);
        slow_degenerate(where);
        whole_space(where);
        mishaps(where);
        filter(where);
        grids_of_ranks(where);
    }
    return facts_end();
}
