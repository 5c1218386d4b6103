/* force_facts.c - the force of quarks: as a derivative, under gauge transformations, added with weights, on links in
 * single precision; the same bits everywhere. */
#include "tests/operators/force_facts.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/operators/link_fields.h"

#include <math.h>
#include <string.h>

static double apart(const momentum *a, const momentum *b)
{
    double *x = momentum_matrices(a), *y = momentum_matrices(b), d = links_apart(a->f.lattice, x, y);
    memory_free(x);
    memory_free(y);
    return d;
}

/* The force of an action. */
typedef struct {
    quarks *q;
    const quark_action *a;
    const gauge *u;
    vec *phi;
    const momentum *f;
} known_force;

/* dS/dtau along dU/dtau = w U from values at +-h */
static double difference(const known_force *k, const momentum *w, double h)
{
    double s[2];
    gauge *moved = gauge_create(k->q->l, k->q->where, PRECISION_DOUBLE);
    for (int n = 0; n < 2; n++) {
        gauge_copy(moved, k->u);
        gauge_drift(moved, n ? h : -h, w);
        s[n] = quarks_value(k->q, k->a, moved, k->phi, NULL);
    }
    gauge_free(moved);
    return (s[1] - s[0]) / (2 * h);
}

/* Differences at h and h/10 are off by 100 to 1, and to fourth order not at all. */
static void derivative(const known_force *k, const momentum *w, double h, const char *along)
{
    const quarks *q = k->q;
    const quark_action *a = k->a;
    double *force = momentum_matrices(k->f), *direction = momentum_matrices(w);
    double want = -links_product(q->l, direction, force);
    double coarse = difference(k, w, h), fine = difference(k, w, h / 10);
    double scale = sqrt(links_product(q->l, direction, direction) * links_product(q->l, force, force));
    memory_free(force);
    memory_free(direction);
    fact_close((coarse - want) / (fine - want), 100, 2, "%s, %s: %s: symmetric differences of the action are off its "
               "force by O(h^2)", place_name(q->where), a->name, along);
    fact_close(((100 * fine - coarse) / 99 - want) / scale, 0, 1e-9, "%s, %s: %s: extrapolated they are the force",
               place_name(q->where), a->name, along);
}

/* i lambda_2 / 2 on one link, in t over the upper end of the lattice */
static momentum *one_link(const quarks *q)
{
    const int *n = lattice_global(q->l);
    momentum *w = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    double *m = memory_alloc(link_numbers(q->l) * sizeof *m, "matrices");
    size_t site = 1 + (size_t)n[0] * (1 + (size_t)n[1] * (2 + (size_t)n[2] * (size_t)(n[3] - 1)));
    double *link = m + 18 * (4 * site + 3);
    link[2] = 0.5;
    link[6] = -0.5;
    momentum_import(w, m);
    memory_free(m);
    return w;
}

static void derivatives(quarks *q, const quark_action *actions, int count, const gauge *u, vec *phi)
{
    momentum *everywhere = momentum_create(q->l, q->where, PRECISION_DOUBLE), *single = one_link(q);
    momentum_set_gaussian(everywhere, rng_key_for(9, 0, 0, RNG_MOMENTA));
    for (int n = 0; n < count; n++) {
        momentum *f = quarks_force(q, &actions[n], u, phi, NULL);
        const known_force k = { .q = q, .a = &actions[n], .u = u, .phi = phi, .f = f };
        derivative(&k, everywhere, 5e-3, "all links");
        derivative(&k, single, 0.2, "one link over the boundary");
        momentum_free(f);
    }
    momentum_free(single);
    momentum_free(everywhere);
}

static void covariance(quarks *q, const quark_action *a, const gauge *u, const vec *phi)
{
    gauge_rotation *g = gauge_rotation_create(q->l, q->where, PRECISION_DOUBLE, rng_key_for(4, 0, 0, RNG_TEST));
    gauge *turned = gauge_create(q->l, q->where, PRECISION_DOUBLE);
    vec *psi = q->odd[0];
    vec_copy(psi, phi);
    momentum *want = quarks_force(q, a, u, psi, NULL);
    momentum_rotate(want, g);
    gauge_copy(turned, u);
    gauge_rotate(turned, g);
    quarks_rotate(psi, g);
    momentum *f = quarks_force(q, a, turned, psi, NULL);
    fact_close(apart(f, want), 0, 1e-12, "%s, %s: the force turns with the links", place_name(q->where), a->name);
    momentum_free(f);
    momentum_free(want);
    gauge_free(turned);
    gauge_rotation_free(g);
}

static void weights_and_sizes(quarks *q, const quark_action *a, const gauge *u, vec *phi)
{
    momentum_size size, found;
    momentum *f = quarks_force(q, a, u, phi, &size), *p = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum *want = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    found = momentum_measure(f);
    fact_close(found.sum_norm2 / size.sum_norm2, 1, 1e-14, "%s: the size of a force, sum", place_name(q->where));
    fact_close(found.max_norm2 / size.max_norm2, 1, 1e-14, "%s: the size of a force, maximum", place_name(q->where));
    momentum_set_gaussian(p, rng_key_for(10, 0, 0, RNG_MOMENTA));
    momentum_copy(want, p);
    momentum_axpy(want, -0.5, f);
    quarks_begin_force(q, a, u, phi);
    quarks_finish(q, u, p, -0.5, &found);
    fact_close(apart(p, want), 0, 1e-15, "%s: a force with a weight adds so much of it to the momentum",
               place_name(q->where));
    fact_close(found.sum_norm2 / size.sum_norm2, 1, 1e-14, "%s: the weight is not in the size", place_name(q->where));
    momentum_free(want);
    momentum_free(p);
    momentum_free(f);
}

/* Links and momenta in single precision, all that is solved in double. */
static void single_links(quarks *q, const quark_action *a, const gauge *u, vec *phi)
{
    momentum *want = quarks_force(q, a, u, phi, NULL), *p = momentum_create(q->l, q->where, PRECISION_SINGLE);
    gauge *rough = gauge_create(q->l, q->where, PRECISION_SINGLE);
    hop_force *f = hop_force_create(rough, q->Ls);
    sum_array size = sums_create(q->l, q->where, 1, 1);
    field_convert(&rough->links, &u->links);
    hop_force_begin(f);
    quarks_value(q, a, u, phi, f);
    hop_force_finish(f, rough, p, 1, size.cells);
    fact_close(apart(p, want), 0, 1e-6, "%s: the force on links in single precision", place_name(q->where));
    sums_free(&size);
    hop_force_free(f);
    gauge_free(rough);
    momentum_free(p);
    momentum_free(want);
}

/* The force of every action: with its numbers kept in `first`, or compared with them. */
static void bits(quarks *q, const quark_action *actions, int count, const gauge *u, vec *phi, double **first)
{
    for (int n = 0; n < count; n++) {
        momentum *f = quarks_force(q, &actions[n], u, phi, NULL);
        double *m = momentum_matrices(f);
        momentum_free(f);
        if (!first[n]) {
            first[n] = m;
            continue;
        }
        fact(memcmp(m, first[n], link_numbers(q->l) * sizeof *m) == 0, "%s: the force of %s, bit for bit as on the CPU",
             place_name(q->where), actions[n].name);
        memory_free(m);
    }
}

void quark_force_facts(const quark_action *actions, int count, const quark_action *shown, place where, double **first)
{
    lattice *l = lattice_create_single((int[]){ 4, 2, 6, 6 });
    quarks q = quarks_open(l, where, shown->weights.Ls);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    vec *phi = quarks_vec(&q, ON_ODD, 0);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    derivatives(&q, actions, count, u, phi);
    covariance(&q, shown, u, phi);
    weights_and_sizes(&q, shown, u, phi);
    single_links(&q, shown, u, phi);
    bits(&q, actions, count, u, phi, first);
    vec_free(phi);
    gauge_free(u);
    quarks_close(&q);
    lattice_free(l);
}
