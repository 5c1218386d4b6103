/* test_force_chain.c - the force of S' = -sum_k a_k |D_oe X_k|^2 at fixed X_k, which is all of the force of staggered
 * quarks but the solver: against MILC, as a derivative, under gauge transformations, in both precisions. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered_force.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FILTER 5e-5
enum { TERMS_MAX = 15 };

/* S': vectors on even sites, to each its number and set of links; what D makes of them. */
typedef struct {
    int count;
    double a[TERMS_MAX];
    int set[TERMS_MAX];
    vec *x[TERMS_MAX], *y[TERMS_MAX];
} terms;

static terms random_terms(const gauge *u, int count, int sets)
{
    const field *f = &u->links;
    terms t = { .count = count };
    for (int k = 0; k < count; k++) {
        t.a[k] = k % 3 == 1 ? -0.3 : 0.5 + 0.1 * k;
        t.set[k] = k * sets / count;
        t.x[k] = vec_create(f->lattice, ON_EVEN, f->where, f->precision);
        t.y[k] = vec_create(f->lattice, ON_ODD, f->where, f->precision);
        vec_set_gaussian(t.x[k], rng_key_for(8, 0, (uint64_t)k, RNG_TEST), 0);
    }
    return t;
}

static void terms_free(terms *t)
{
    for (int k = 0; k < t->count; k++) {
        vec_free(t->x[k]);
        vec_free(t->y[k]);
    }
}

/* S' on the links of s; y is left behind. */
static double action(terms *t, const staggered_links *s)
{
    double sum = 0;
    for (int k = 0; k < t->count; k++) {
        staggered_hop(t->y[k], s, t->set[k], t->x[k]);
        sum -= t->a[k] * vec_norm2(t->y[k]);
    }
    return sum;
}

/* A force begins with the terms, whose y are there. */
static void begin_force(staggered_force *f, const terms *t)
{
    staggered_force_begin(f);
    for (int first = 0, next; first < t->count; first = next) {
        for (next = first; next < t->count && t->set[next] == t->set[first]; next++)
            ;
        staggered_force_add(f, t->set[first], t->a + first, t->x + first, t->y + first, next - first);
    }
}

/* The force, and what was met on the way. */
static momentum *force_of(terms *t, const staggered_links_params *params, const gauge *u, precision chain,
                          force_facts *facts)
{
    const field *g = &u->links;
    momentum *p = momentum_create(g->lattice, g->where, g->precision);
    staggered_links *s = staggered_links_create(params, u);
    staggered_force *f = staggered_force_create(params, FILTER, u, chain);
    sum_array size = sums_create(g->lattice, g->where, 1, 1);
    staggered_links_update(s, u);
    action(t, s);
    begin_force(f, t);
    staggered_force_finish(f, s, u, p, 1, size.cells);
    if (facts)
        *facts = staggered_force_facts(f);
    sums_free(&size);
    staggered_force_free(f);
    staggered_links_free(s);
    return p;
}

/* |a - b| of the elements farthest apart, relative to the largest of b; at any places, in any precisions. */
static double apart(const momentum *a, const momentum *b)
{
    size_t n = link_numbers(a->f.lattice);
    double *x = memory_alloc(n * sizeof *x, "a momentum"), *y = memory_alloc(n * sizeof *y, "a momentum");
    momentum_export(x, a);
    momentum_export(y, b);
    double d = links_apart(a->f.lattice, x, y);
    memory_free(x);
    memory_free(y);
    return d;
}

static const struct {
    const char *name;
    staggered_links_params params;
} actions[] = {
    { "naive, phase 0.3 pi", { STAGGERED_NAIVE, 1, PROJECTION_U3, 0.3, 1, { 0 } } },
    { "naive with an epsilon", { STAGGERED_NAIVE, 1, PROJECTION_U3, 1, 1, { 0.4 } } },
    { "Asqtad", { STAGGERED_ASQTAD, 0.87, PROJECTION_U3, 0.3, 1, { 0 } } },
    { "HISQ", { STAGGERED_HISQ, 1, PROJECTION_U3, 1, 1, { 0 } } },
    { "HISQ, three epsilons, phase 0.3 pi", { STAGGERED_HISQ, 1, PROJECTION_U3, 0.3, 3, { -0.2, 0, 0.3 } } },
    { "HISQ to SU(3), two epsilons", { STAGGERED_HISQ, 1, PROJECTION_SU3, 0, 2, { 0, -0.17 } } },
};
enum { ACTIONS = sizeof actions / sizeof actions[0], TERMS = 5 };

/* S'(exp(h P) U) */
static double moved_action(terms *t, staggered_links *s, const gauge *u, const momentum *p, double h)
{
    gauge *moved = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    gauge_copy(moved, u);
    gauge_drift(moved, h, p);
    staggered_links_update(s, moved);
    double value = action(t, s);
    gauge_free(moved);
    return value;
}

/* dS'/dtau = -sum Re Tr P^+F: differences are wrong by O(h^2), O(h^4) and O(h^6) where extrapolated. */
static void derivative(terms *t, const staggered_links_params *params, const gauge *u, const char *name)
{
    enum { HALVINGS = 5 };
    lattice *l = u->links.lattice;
    momentum *f = force_of(t, params, u, PRECISION_DOUBLE, NULL), *p, *sum;
    staggered_links *s = staggered_links_create(params, u);
    p = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    sum = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(9, 0, 0, RNG_MOMENTA));
    momentum_copy(sum, p);
    momentum_axpy(sum, 1, f);
    double want = (momentum_measure(p).sum_norm2 + momentum_measure(f).sum_norm2 - momentum_measure(sum).sum_norm2) / 2;
    double d2[HALVINGS], e2[HALVINGS], e4[HALVINGS] = { 0 };
    for (int n = 0; n < HALVINGS; n++) {
        double h = ldexp(0.02, -n);
        d2[n] = (moved_action(t, s, u, p, h) - moved_action(t, s, u, p, -h)) / (2 * h);
        e2[n] = d2[n] / want - 1;
        if (n > 0)
            e4[n] = (4 * d2[n] - d2[n - 1]) / 3 / want - 1;
    }
    fact_close((16 * e4[4] - e4[3]) / 15, 0, 1e-10, "%s: the force is minus the derivative (%.10g), relative", name,
               want);
    fact_close(log2(e2[2] / e2[3]), 2, 0.1, "%s: the symmetric difference differs by O(h^2)", name);
    fact_close(log2(e4[1] / e4[2]), 4, 0.1, "%s: its extrapolation by O(h^4)", name);
    momentum_free(sum);
    momentum_free(p);
    staggered_links_free(s);
    momentum_free(f);
}

/* v(x) <- g(x) v(x) */
static void rotate(vec *v, const gauge_rotation *g)
{
    size_t sites = (size_t)lattice_volume(v->f.lattice);
    double complex *numbers = memory_alloc(sites * sizeof(double complex[3]), "a vector");
    double complex *matrices = memory_alloc(sites * sizeof(double complex[9]), "a gauge rotation");
    vec_export((double *)numbers, v);
    field_export((double *)matrices, &g->f);
    for (size_t site = 0; site < sites; site++) {
        double complex old[3], *now = numbers + 3 * site;
        memcpy(old, now, sizeof old);
        for (int i = 0; i < 3; i++) {
            now[i] = 0;
            for (int j = 0; j < 3; j++)
                now[i] += matrices[9 * site + (size_t)(3 * i + j)] * old[j];
        }
    }
    vec_import(v, (double *)numbers);
    memory_free(matrices);
    memory_free(numbers);
}

static void covariance(const staggered_links_params *params, const gauge *u, const char *name)
{
    lattice *l = u->links.lattice;
    terms t = random_terms(u, TERMS, params->epsilons);
    gauge_rotation *g = gauge_rotation_create(l, u->links.where, PRECISION_DOUBLE, rng_key_for(4, 0, 0, RNG_TEST));
    gauge *turned = gauge_create(l, u->links.where, PRECISION_DOUBLE);
    momentum *f = force_of(&t, params, u, PRECISION_DOUBLE, NULL);
    momentum_rotate(f, g);
    gauge_copy(turned, u);
    gauge_rotate(turned, g);
    for (int k = 0; k < t.count; k++)
        rotate(t.x[k], g);
    momentum *there = force_of(&t, params, turned, PRECISION_DOUBLE, NULL);
    fact_close(apart(there, f), 0, 2e-12, "%s: the force turns with the gauge, relative", name);
    momentum_free(there);
    momentum_free(f);
    gauge_free(turned);
    gauge_rotation_free(g);
    terms_free(&t);
}

/* A weight, its size, a second force from the same memory; many solutions at once, or one by one. */
static void bookkeeping(const staggered_links_params *params, const gauge *u, const char *name)
{
    const field *g = &u->links;
    lattice *l = g->lattice;
    terms t = random_terms(u, TERMS_MAX, 1);
    staggered_links *s = staggered_links_create(params, u);
    staggered_force *f = staggered_force_create(params, FILTER, u, PRECISION_DOUBLE);
    momentum *once = momentum_create(l, g->where, PRECISION_DOUBLE), *twice;
    twice = momentum_create(l, g->where, PRECISION_DOUBLE);
    sum_array size = sums_create(g->lattice, g->where, 1, 1);
    sum_cell sum;
    max_cell largest;
    staggered_links_update(s, u);
    action(&t, s);
    begin_force(f, &t);
    staggered_force_finish(f, s, u, once, 1, size.cells);
    sums_read((sum_cells){ &sum, &largest }, &size);
    momentum_size measured = momentum_measure(once);
    fact_close(sum_cell_value(&sum, SUM_BOUND) / measured.sum_norm2, 1, 1e-14, "%s: sum of Tr F^+F", name);
    fact_close(max_cell_value(&largest) / measured.max_norm2, 1, 1e-14, "%s: the largest Tr F^+F of a link", name);
    device_traffic before = device_traffic_so_far();
    begin_force(f, &t);
    staggered_force_finish(f, s, u, twice, -0.25, size.cells);
    fact(device_traffic_so_far().from_device == before.from_device, "%s: nothing is read from the device", name);
    staggered_force_begin(f);
    for (int k = 0; k < t.count; k++)
        staggered_force_add(f, t.set[k], t.a + k, t.x + k, t.y + k, 1);
    staggered_force_finish(f, s, u, twice, 1.25, size.cells);
    fact_close(apart(twice, once), 0, 1e-13, "%s: forces with weights that add up to 1, of solutions one by one", name);
    bool projects = staggered_has_projection(params), reported = staggered_force_facts(f).smallest_eigenvalue > 0;
    fact(reported == projects && staggered_force_facts(f).smallest_eigenvalue == 0,
         "%s: eigenvalues are told once, where there is a projection", name);
    sums_free(&size);
    momentum_free(twice);
    momentum_free(once);
    staggered_force_free(f);
    staggered_links_free(s);
    terms_free(&t);
}

static size_t bytes_now(place where) { return where == PLACE_GPU ? device_bytes_now() : memory_bytes_now(); }

/* Chains in single precision, solutions and links in either; the memory that each takes. */
static void precisions(const staggered_links_params *params, const gauge *u, const double *links, const char *name)
{
    lattice *l = u->links.lattice;
    place where = u->links.where;
    gauge *single = links_on(l, where, PRECISION_SINGLE, links);
    terms wide = random_terms(u, TERMS_MAX, params->epsilons);
    terms narrow = random_terms(single, TERMS_MAX, params->epsilons);
    for (int k = 0; k < wide.count; k++)
        vec_convert(narrow.x[k], wide.x[k]);
    momentum *want = force_of(&wide, params, u, PRECISION_DOUBLE, NULL);
    for (int n = 0; n < 8; n++) {
        precision chain = n & 1 ? PRECISION_SINGLE : PRECISION_DOUBLE;
        const gauge *of = n & 2 ? single : u;
        terms *t = n & 4 ? &narrow : &wide;
        staggered_links *s = staggered_links_create(params, u), *s1 = staggered_links_create(params, single);
        staggered_links_update(s, u);
        staggered_links_update(s1, single);
        action(&wide, s);
        action(&narrow, s1);
        size_t before = bytes_now(where), expected;
        staggered_force *f = staggered_force_create(params, FILTER, of, chain);
        size_t taken = bytes_now(where) - before;
        expected = memory_need_sum(staggered_force_bytes(params, lattice_shape_of(l), chain, of->links.precision));
        fact(where == PLACE_GPU ? taken == expected : taken - expected < 8192, "%s: %zu bytes are taken, as planned",
             name, expected);
        momentum *got = momentum_create(l, where, of->links.precision);
        sum_array size = sums_create(l, where, 1, 1);
        begin_force(f, t);
        staggered_force_finish(f, n & 2 ? s1 : s, of, got, 1, size.cells);
        fact_close(apart(got, want), 0, n ? 5e-6 : 1e-14, "%s: %s chain, %s links, %s solutions", name,
                   n & 1 ? "single" : "double", n & 2 ? "single" : "double", n & 4 ? "single" : "double");
        sums_free(&size);
        momentum_free(got);
        staggered_force_free(f);
        staggered_links_free(s1);
        staggered_links_free(s);
    }
    momentum_free(want);
    terms_free(&narrow);
    terms_free(&wide);
    gauge_free(single);
}

static void same_on_the_cpu(const staggered_links_params *params, const gauge *u, const double *links, precision p,
                            const char *name)
{
    gauge *there = links_on(u->links.lattice, u->links.where, p, links);
    gauge *here = links_on(u->links.lattice, PLACE_CPU, p, links);
    terms t = random_terms(there, TERMS, params->epsilons), at_home = random_terms(here, TERMS, params->epsilons);
    momentum *f = force_of(&t, params, there, p, NULL), *g = force_of(&at_home, params, here, p, NULL);
    fact_close(apart(f, g), 0, 0, "%s, %s: the same bits as on the CPU", name,
               p == PRECISION_DOUBLE ? "double" : "single");
    momentum_free(g);
    momentum_free(f);
    terms_free(&at_home);
    terms_free(&t);
    gauge_free(here);
    gauge_free(there);
}

typedef struct {
    const char *folder, *force;
    int extents[4];
    double epsilon, tolerance, filtered;
} milc_force;
static const milc_force milc_forces[] = {
    { "f211b670.l6666", "hisq_force1term_eps0", { 6, 6, 6, 6 }, 0, 2e-12, 0 },
    { "f211b670.l6666", "hisq_force1term_eps1", { 6, 6, 6, 6 }, -0.16875, 2e-12, 0 },
    { "l4448hot", "hisq_force1term_eps0", { 4, 4, 4, 8 }, 0, 5e-10, 20 },       /* MILC's digits there */
};

static double *reference(const milc_force *m, const char *name, int dimensions)
{
    const int *n = m->extents;
    const size_t t = (size_t)n[3], z = (size_t)n[2], y = (size_t)n[1], x = (size_t)n[0];
    const size_t links[] = { t, z, y, x, 4, 3, 3, 2 }, vectors[] = { t, z, y, x, 3, 2 };
    char path[1024];
    failure why;
    snprintf(path, sizeof path, "%s/reference/milc/%s/%s.npy", reference_folder(), m->folder, name);
    double *a = npy_read(path, dimensions, dimensions == 8 ? links : vectors, &why);
    require(a != NULL, "%s", why.why);
    return a;
}

/* S' = -|D_oe X|^2 with X the even part of MILC's source. */
static void against_milc(const milc_force *m, place where)
{
    lattice *l = lattice_create_single(m->extents);
    double *links = reference(m, "U", 8), *source = reference(m, "src_lcg", 6), *f = reference(m, m->force, 8);
    const staggered_links_params params = { STAGGERED_HISQ, 1, PROJECTION_U3, 1, 1, { m->epsilon } };
    gauge *u = links_on(l, where, PRECISION_DOUBLE, links);
    momentum *want = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_import(want, f);
    terms t = random_terms(u, 1, 1);
    t.a[0] = 1;
    vec_import(t.x[0], source);
    for (precision chain = PRECISION_SINGLE; chain <= PRECISION_DOUBLE; chain = (precision)(chain + 1)) {
        const bool wide = chain == PRECISION_DOUBLE;
        force_facts facts;
        char name[128];
        snprintf(name, sizeof name, "%s, MILC %s/%s, %s", place_name(where), m->folder, m->force,
                 wide ? "double" : "single");
        momentum *got = force_of(&t, &params, u, chain, &facts);
        fact_close(apart(got, want), 0, wide ? m->tolerance : 1e-5, "%s: force, relative", name);
        fact_close(facts.filtered, m->filtered, 0, "%s: links filtered", name);
        fact((facts.first_filtered >= 0) == (m->filtered > 0), "%s: a filtered link is found where there is one", name);
        note("smallest eigenvalue %.3g, links below 1e-2, ..., 1e-6: %g %g %g %g %g; first filtered at %d",
             facts.smallest_eigenvalue, facts.below[0], facts.below[1], facts.below[2], facts.below[3], facts.below[4],
             (int)facts.first_filtered);
        momentum_free(got);
    }
    terms_free(&t);
    momentum_free(want);
    gauge_free(u);
    memory_free(f);
    memory_free(source);
    memory_free(links);
    lattice_free(l);
}

int main(void)
{
    const int extents[4] = { 4, 2, 4, 6 };
    lattice *l = lattice_create_single(extents);
    double *links = analytic_links(extents, 0.9);
    FOR_EVERY_PLACE(where) {
        gauge *u = links_on(l, where, PRECISION_DOUBLE, links);
        for (int i = 0; i < ACTIONS; i++) {
            char name[96];
            const staggered_links_params *params = &actions[i].params;
            snprintf(name, sizeof name, "%s, %s", place_name(where), actions[i].name);
            terms t = random_terms(u, TERMS, params->epsilons);
            derivative(&t, params, u, name);
            terms_free(&t);
            covariance(params, u, name);
            bookkeeping(params, u, name);
            precisions(params, u, links, name);
            same_on_the_cpu(params, u, links, PRECISION_SINGLE, name);
            same_on_the_cpu(params, u, links, PRECISION_DOUBLE, name);
        }
        gauge_free(u);
        for (int i = 0; reference_folder() && i < 3; i++)
            against_milc(&milc_forces[i], where);
    }
    if (!reference_folder())
        skip("the force is MILC's", "there is no folder of reference data");
    memory_free(links);
    lattice_free(l);
    return facts_end();
}
