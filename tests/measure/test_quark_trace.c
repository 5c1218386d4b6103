/* test_quark_trace.c - traces of M^-2 and of the current of staggered quarks without noise: free quarks in closed form,
 * all eigenvalues of dense operators, and the derivative of their determinant by an imaginary chemical potential. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/quark_trace.h"
#include "src/operators/quark_current.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"

#include <math.h>

static const stop_rule fine = { 1e-13, 10000 };

/* Links of quarks and of their current, and solves. */
typedef struct {
    lattice *l;
    place where;
    staggered_links *links;
    quark_current *current;
    quark_tracer *tracer;
    staggered_terms terms, of_current;
} workplace;

static workplace workplace_create(const staggered_links_params *p, const gauge *u)
{
    workplace w = { .l = u->links.lattice, .where = u->links.where };
    w.links = staggered_links_create(p, u);
    w.current = quark_current_create(p->kind, u);
    w.tracer = quark_tracer_create(w.l, w.where, PRECISION_DOUBLE, 1);
    staggered_links_update(w.links, u);
    w.terms = (staggered_terms){ staggered_fat(w.links, 0), staggered_naik(w.links),
                                 staggered_naik_coefficient(w.links, 0) };
    w.of_current = quark_current_update(w.current, w.terms);
    return w;
}

static void workplace_free(workplace *w)
{
    quark_tracer_free(w->tracer);
    quark_current_free(w->current);
    staggered_links_free(w->links);
}

/* One component is 1; its site has the rank x + nx (y + ny (z + nz t)). */
static void set_point(vec *v, int64_t rank, int color)
{
    const int64_t reals = lattice_volume(v->f.lattice) * VEC_REALS;
    double *numbers = memory_alloc((size_t)reals * sizeof *numbers, "a point source");
    numbers[rank * VEC_REALS + 2 * color] = 1;
    vec_import(v, numbers);
    memory_free(numbers);
}

/* Sums of the traces over point sources: without noise.  One source has one component of an even and of an odd site. */
static quark_trace exact_trace(const workplace *w, double mass, int colors, int64_t sites)
{
    const int *n = lattice_global(w->l);
    quark_trace sum = { .residual = 0 };
    vec *eta[2] = { vec_create(w->l, ON_EVEN, w->where, PRECISION_DOUBLE),
                    vec_create(w->l, ON_ODD, w->where, PRECISION_DOUBLE) };
    int64_t iterations = 0;
    failure f = { .why = "" };
    bool ok = true;
    for (int64_t pair = 0; pair < sites; pair++)
        for (int color = 0; color < colors; color++) {
            const int64_t rank = 2 * pair, row = rank / n[0];
            const bool odd = (row % n[1] + row / n[1] % n[2] + row / n[1] / n[2]) % 2 != 0;
            quark_trace t;
            set_point(eta[odd], rank, color);
            set_point(eta[!odd], rank + 1, color);
            const quark_trace_task task = { .links = w->terms, .current = &w->of_current, .eta = eta, .mass = &mass,
                                            .count = 1, .stop = fine };
            ok &= quark_tracer_run(&t, w->tracer, &task, &iterations, &f);
            for (int parity = 0; parity < 2; parity++)
                sum.parity[parity].re += t.parity[parity].re;
            sum.square += t.square;
            sum.current += t.current;
        }
    require(ok, "%s", f.why);
    vec_free(eta[0]);
    vec_free(eta[1]);
    return sum;
}

/* ---- free quarks: D(p) = 2i sum_mu Gamma_mu (fat sin p_mu + naik sin 3p_mu), p_t = (2 pi k + pi boundary) / n_t */

typedef struct { double square, current; } free_traces;

/* (1/V) Tr M^-2 and Im (1/V) Tr M^-1 dM/dmu of one color. */
static free_traces free_quarks(const int n[4], double mass, double boundary, double fat, double naik)
{
    const double volume = (double)n[0] * n[1] * n[2] * n[3];
    free_traces sum = { 0, 0 };
    int k[4];
    for (k[0] = 0; k[0] < n[0]; k[0]++)
        for (k[1] = 0; k[1] < n[1]; k[1]++)
            for (k[2] = 0; k[2] < n[2]; k[2]++)
                for (k[3] = 0; k[3] < n[3]; k[3]++) {
                    double d2 = 0, in_t = 0, slope = 0;
                    for (int mu = 0; mu < 4; mu++) {
                        const double p = M_PI * (2 * k[mu] + (mu == 3 ? boundary : 0)) / n[mu];
                        in_t = 2 * (fat * sin(p) + naik * sin(3 * p));
                        slope = 2 * (fat * cos(p) + 3 * naik * cos(3 * p));
                        d2 += in_t * in_t;
                    }
                    const double below = 4 * mass * mass + d2;
                    sum.square += (4 * mass * mass - d2) / (below * below) / volume;
                    sum.current += -in_t * slope / below / volume;
                }
    return sum;
}

static void free_facts(place where)
{
    static const struct { staggered_kind kind; double boundary, epsilon; } of[] = {
        { STAGGERED_NAIVE, 1, 0 }, { STAGGERED_NAIVE, 1.4, 0 }, { STAGGERED_HISQ, 1, 0 },
        { STAGGERED_HISQ, 1.25, 0 }, { STAGGERED_HISQ, 0.7, -0.2 },
    };
    const int n[4] = { 4, 6, 4, 8 };
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const bool hisq = of[i].kind == STAGGERED_HISQ;
        const staggered_links_params p = { .kind = of[i].kind, .u0 = 1, .boundary = of[i].boundary, .epsilons = 1,
                                           .epsilon = { of[i].epsilon } };
        const double fat = hisq ? 1 + (1 + of[i].epsilon) / 8 : 1, naik = hisq ? -(1 + of[i].epsilon) / 24 : 0;
        workplace w = workplace_create(&p, u);
        for (double mass = 0.05; mass < 1; mass *= 8) {
            const quark_trace t = exact_trace(&w, mass, 1, 1);
            const free_traces want = free_quarks(n, mass, of[i].boundary, fat, naik);
            const double sites = (double)lattice_volume(l) / 2;                /* two sites have a source */
            fact_close(t.square * sites, want.square, 1e-10 * fabs(want.square) + 1e-12,
                       "%s: free quarks, %s, boundary %g, epsilon %g, m %g: M^-2 at a site", place_name(where),
                       staggered_kind_names[of[i].kind], of[i].boundary, of[i].epsilon, mass);
            fact_close(t.current * sites, want.current, 1e-12, "and their current in t (%g)", want.current);
        }
        workplace_free(&w);
    }
    gauge_free(u);
    lattice_free(l);
}

/* ---- random links: all eigenvalues lambda of K on even sites; M has the eigenvalues 2m +- i lambda^1/2 */

static gsl_vector *eigenvalues(const workplace *w)
{
    vec *like = vec_create(w->l, ON_EVEN, w->where, PRECISION_DOUBLE);
    const staggered_normal_op k = quark_tracer_operator(w->tracer, w->terms);
    gsl_matrix_complex *dense = dense_operator(&k.base, 0, like);
    gsl_vector *all = dense_eigenvalues(dense);
    gsl_matrix_complex_free(dense);
    vec_free(like);
    return all;
}

/* log det M of links with this phase. */
static double log_det(const gauge *u, const staggered_links_params *p, double boundary, double mass)
{
    staggered_links_params moved = *p;
    moved.boundary = boundary;
    workplace w = workplace_create(&moved, u);
    gsl_vector *all = eigenvalues(&w);
    double sum = 0;
    for (size_t i = 0; i < all->size; i++)
        sum += log(4 * mass * mass + gsl_vector_get(all, i));
    gsl_vector_free(all);
    workplace_free(&w);
    return sum;
}

/* By the phase pi boundary around the lattice; the error is O(h^6). */
static double log_det_slope(const gauge *u, const staggered_links_params *p, double mass)
{
    static const double weight[3] = { 45, -9, 1 };
    const double h = 0.004;
    double sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += weight[k - 1] * (log_det(u, p, p->boundary + k * h, mass) - log_det(u, p, p->boundary - k * h, mass));
    return sum / (60 * h * M_PI);
}

static void dense_facts(place where, const int n[4], const staggered_links_params *p)
{
    const double mass = 0.15;
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    workplace w = workplace_create(p, u);
    gsl_vector *all = eigenvalues(&w);
    double trace = 0, square = 0;
    for (size_t i = 0; i < all->size; i++) {
        const double lambda = gsl_vector_get(all, i), below = 4 * mass * mass + lambda;
        trace += 2 * 2 * mass / below;
        square += 2 * (4 * mass * mass - lambda) / (below * below);
    }
    gsl_vector_free(all);
    const double volume = (double)lattice_volume(l);
    const quark_trace t = exact_trace(&w, mass, 3, lattice_volume(l) / 2);
    fact_close((t.parity[0].re + t.parity[1].re) / 2 * volume / trace, 1, 1e-11,
               "%s, extent %d in t, boundary %g: Tr M^-1 of all eigenvalues, relative", place_name(where), n[3],
               p->boundary);
    fact_close(t.square * volume / square, 1, 1e-10, "Tr M^-2, relative");
    const double slope = log_det_slope(u, p, mass);
    fact(fabs(slope) > 1e-3, "the determinant depends on the phase (%g)", slope);
    fact_close(t.current * volume, -n[3] * slope, 1e-8, "Tr M^-1 dM/dmu is the derivative of log det M by i mu");
    workplace_free(&w);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    static const int small[][4] = { { 2, 2, 2, 2 }, { 2, 2, 2, 4 } };
    static const staggered_links_params params[] = {
        { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1, .epsilon = { -0.1 } },
        { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1.3, .epsilons = 1 },
        { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 0.8, .epsilons = 1 },
    };
    FOR_EVERY_PLACE(where) {
        free_facts(where);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                dense_facts(where, small[i], &params[k]);
    }
    return facts_end();
}
