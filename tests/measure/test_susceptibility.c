/* test_susceptibility.c - chiral susceptibilities and the quark number density of staggered quarks: free quarks in
 * closed form, all eigenvalues of dense operators and their derivatives by mass and phase, imaginary chemical potential
 * and the centre of the gauge group, what the record has, the same bits on ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/condensate.h"
#include "src/measure/quark_trace.h"
#include "src/operators/quark_current.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    failure f = { "" };
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

/* (1/V) Tr M^-2 and Im (1/V) Tr M^-1 dM/dmu of one colour. */
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
    gsl_vector *all = dense_eigenvalues(dense_operator(&k.base, 0, like));
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

/* ---- the measurement */

enum { SOURCES = 5 };
#define TIGHT "kind: condensate, name: q, residual: 1e-13, sources: 5"
#define MASSES "masses: [ { mass: 0.1 }, { mass: 0.3, naik_epsilon: -0.1 }, { mass: 0.2 } ]"

static gauge *random_links(lattice *l, place where)
{
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(6, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    gauge_free(u);
    return v;
}

/* Mean and error of the single values of a list. */
static void facts_of_mean(const yaml_node *tree, int m, const char *name, const double *value)
{
    char error[96];
    double mean = 0, square = 0;
    snprintf(error, sizeof error, "%s_error", name);
    for (int i = 0; i < SOURCES; i++)
        mean += value[i] / SOURCES;
    for (int i = 0; i < SOURCES; i++)
        square += (value[i] - mean) * (value[i] - mean);
    fact_close(measured_real(tree, m, name), mean, 1e-14, "mass %d: %s is the mean of the sources", m, name);
    fact_close(measured_real(tree, m, error), sqrt(square / SOURCES / (SOURCES - 1)), 1e-14, "and its error");
}

static void record_facts(const gauge *u)
{
    yaml_node *tree = measured(u, TIGHT ", strange: 0.3, number_density: true, imaginary_mu: 0.2, " MASSES);
    yaml_node *bare = measured(u, "kind: condensate, name: q, residual: 1e-13, sources: 1, imaginary_mu: 0.2, " MASSES);
    for (int m = 0; m < 3; m++) {
        const double ratio = measured_real(tree, m, "mass") / 0.3;
        double c[SOURCES], subtracted[SOURCES], connected[SOURCES], density[SOURCES], pairs = 0;
        for (int i = 0; i < SOURCES; i++) {
            c[i] = measured_item(tree, m, "pbp_sources", i) / 2;
            subtracted[i] = c[i] - ratio * measured_item(tree, 1, "pbp_sources", i) / 2;
            connected[i] = measured_item(tree, m, "susceptibility_connected_sources", i);
            density[i] = measured_item(tree, m, "number_density_sources", i);
        }
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < SOURCES; k++)
                pairs += i != k ? c[i] * c[k] / (SOURCES * (SOURCES - 1)) : 0;
        fact_close(measured_real(tree, m, "condensate_squared") / pairs, 1, 1e-12,
                   "mass %d: the square of the condensate has products of different sources only", m);
        facts_of_mean(tree, m, "susceptibility_connected", connected);
        facts_of_mean(tree, m, "number_density", density);
        if (m != 1)
            facts_of_mean(tree, m, "subtracted", subtracted);
        fact(measured_item(bare, m, "pbp_sources", 0) == 2 * c[0], "the condensate is the same without them");
        fact(!measured_of_mass(bare, m, "number_density") && !measured_of_mass(bare, m, "subtracted"),
             "neither density nor subtracted condensate unless requested");
        const yaml_node *square = measured_of_mass(bare, m, "condensate_squared");
        fact(square && strcmp(square->scalar, "null") == 0, "a single source gives no square of the condensate");
    }
    fact(!measured_of_mass(tree, 1, "subtracted"), "the strange quark has no subtracted condensate");
    yaml_tree_free(bare);
    yaml_tree_free(tree);
}

/* Each source by itself: differences by the mass, with the error O(h^6). */
static void mass_derivative(const gauge *u)
{
    static const double weight[3] = { 45, -9, 1 };
    const double h = 0.001;
    double slope[SOURCES] = { 0 };
    yaml_node *tree = measured(u, TIGHT ", imaginary_mu: 0.2, masses: [ { mass: 0.1 } ]");
    for (int k = -3; k <= 3; k++) {
        char keys[160];
        if (k == 0)
            continue;
        snprintf(keys, sizeof keys, TIGHT ", imaginary_mu: 0.2, masses: [ { mass: %.17g } ]", 0.1 + k * h);
        yaml_node *moved = measured(u, keys);
        for (int i = 0; i < SOURCES; i++)
            slope[i] += (k > 0 ? 1 : -1) * weight[abs(k) - 1] / (60 * h) * measured_item(moved, 0, "pbp_sources", i) / 2;
        yaml_tree_free(moved);
    }
    for (int i = 0; i < SOURCES; i++)
        fact_close(measured_item(tree, 0, "susceptibility_connected_sources", i) / slope[i], 1, 1e-7,
                   "source %d: the connected susceptibility is the derivative of the condensate by the mass", i);
    yaml_tree_free(tree);
}

/* Links in t of the last time slice times exp(2 pi i/3), the centre of SU(3). */
static gauge *turned_by_centre(const gauge *u)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t links = (size_t)lattice_volume(u->links.lattice) * 4, slice = links / (size_t)n[3];
    double complex *numbers = memory_alloc(links * 9 * sizeof *numbers, "links of a field");
    gauge *turned = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge_export((double *)numbers, u);
    for (size_t link = links - slice; link < links; link++)
        for (int e = 0; e < 9 && link % 4 == 3; e++)
            numbers[link * 9 + (size_t)e] *= cexp(2 * M_PI / 3 * I);
    gauge_import(turned, (double *)numbers);
    memory_free(numbers);
    return turned;
}

static double apart(const yaml_node *a, const yaml_node *b, const char *key)
{
    double most = 0;
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < SOURCES; i++)
            most = fmax(most, fabs(measured_item(a, m, key, i) - measured_item(b, m, key, i)));
    return most;
}

static void phase_facts(const gauge *u)
{
#define AT(words) TIGHT ", number_density: true, " words ", " MASSES
    gauge *turned = turned_by_centre(u);
    yaml_node *zero = measured(u, AT("imaginary_mu: 0.1")), *centre = measured(turned, AT("imaginary_mu: 0.1"));
    yaml_node *third = measured(u, AT("imaginary_mu: 0.7666666666666666"));
    fact(apart(centre, third, "pbp_sources") < 1e-10 && apart(centre, third, "number_density_sources") < 1e-10,
         "imaginary_mu + 2/3 is an element of the centre on the links: Roberge-Weiss");
    fact(apart(centre, zero, "number_density_sources") > 1e-3, "which changes the quarks");
    yaml_node *periodic = measured(u, AT("boundary: 0, imaginary_mu: 1")), *other = measured(u, AT("boundary: 1"));
    fact(apart(periodic, other, "number_density_sources") == 0, "boundary and imaginary_mu are one phase");
    yaml_tree_free(zero);
    yaml_tree_free(third);
    yaml_tree_free(centre);
    yaml_tree_free(periodic);
    yaml_tree_free(other);
    gauge_free(turned);
#undef AT
}

static void refusals(void)
{
    const int n[4] = { 4, 4, 4, 4 };
    measurement_refused(&condensate_measurement, n, "masses: [ { mass: 0.1 }, { mass: 0.3 } ]\nstrange: 0.2",
                        "strange: 0.2 is not one of the masses");
    measurement_refused(&condensate_measurement, n, "masses: [ { mass: 0.1 } ]\nstrange: 0.1",
                        "strange: no mass is below 0.1");
}

static uint64_t digest_measured(lattice *l, place where)
{
    gauge *u = random_links(l, where);
    yaml_node *tree = measured(u, "kind: condensate, name: q, sources: 2, strange: 0.5, number_density: true, "
                               "imaginary_mu: 0.2, masses: [ { mass: 0.3 }, { mass: 0.5 } ]");
    static const char *const keys[] = { "condensate_squared", "susceptibility_connected", "subtracted",
                                        "number_density" };
    uint64_t digest = DIGEST64_START;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const double number = measured_real(tree, 0, keys[k]);
        require(isfinite(number), "%s was not measured", keys[k]);
        digest = digest64(digest, &number, sizeof number);
    }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

int main(void)
{
    static const int small[][4] = { { 2, 2, 2, 2 }, { 2, 2, 2, 4 } };
    static const staggered_links_params params[] = {
        { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1, .epsilon = { -0.1 } },
        { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1.3, .epsilons = 1 },
        { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 0.8, .epsilons = 1 },
    };
    const int extents[4] = { 4, 4, 4, 4 };
    refusals();
    FOR_EVERY_PLACE(where) {
        free_facts(where);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                dense_facts(where, small[i], &params[k]);
        lattice *l = lattice_create_single(extents);
        gauge *u = random_links(l, where);
        record_facts(u);
        mass_derivative(u);
        phase_facts(u);
        gauge_free(u);
        lattice_free(l);
        same_on_grids_with_hops(where, (const int[]){ 8, 8, 8, 8 }, 3, digest_measured, "susceptibilities and number density");
    }
    return facts_end();
}
