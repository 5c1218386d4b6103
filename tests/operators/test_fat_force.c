/* test_fat_force.c - the chain rule of smearing and of three links in a row is their derivative.
 *
 * For complex matrices U, D, h on the links, g(t) = Re sum Tr L(U + t D) h^+ is a polynomial in t of degree 7 at most,
 * and its slope at 0 is Re sum Tr D k^+ with k the h of the thin links.  Symmetric differences of step t differ from
 * it by c t^2 + d t^4 + e t^6; three extrapolations leave rounding. */
#include "src/base/memory.h"
#include "src/operators/smearing.h"
#include "src/operators/staggered_links.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"

#include <math.h>
#include <stdio.h>

#define LARGEST_STEP 0.4
enum { HALVINGS = 4 };

typedef struct { const char *name; path_table c; bool naik; } level;
static const level levels[] = {
    { "one link", { .one = 0.7 }, false },
    { "staples of three links", { .three = 0.3 }, false },
    { "staples of five", { .five = 0.2 }, false },
    { "staples of seven", { .seven = 0.1 }, false },
    { "Lepage's term", { .lepage = -0.4 }, false },
    { "five, seven and Lepage", { .five = 0.2, .seven = -0.1, .lepage = 0.5 }, false },
    { "Fat7", { 1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0, 0 }, false },
    { "Fat7 and Lepage", { 1, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8, 0 }, false },
    { "long links", { .naik = 1 }, true },
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* Links U, and how they are smeared. */
typedef struct {
    const level *v;
    lattice *l;
    place where;
    const double *u;
} thin_links;

/* U + t D, smeared */
static double *smeared_at(const thin_links *a, double t, const double *d)
{
    const level *v = a->v;
    lattice *l = a->l;
    const place where = a->where;
    double *moved = links_sum(l, a->u, t, d);
    gauge *in = links_on(l, where, PRECISION_DOUBLE, moved), *out = gauge_create(l, where, PRECISION_DOUBLE);
    if (v->naik) {
        smearing_three_hops(out, in, 0);
        smearing_remove_phases(out, 0, 3);
    } else {
        smearing *work = smearing_create(in, PRECISION_DOUBLE, false);
        smearing_apply(work, out, in, &v->c);
        smearing_free(work);
    }
    double *smeared = links_of(out);
    gauge_free(out);
    gauge_free(in);
    memory_free(moved);
    return smeared;
}

static double slope(const thin_links *a, const double *d, const double *h, double t)
{
    double *after = smeared_at(a, t, d), *before = smeared_at(a, -t, d);
    double *difference = links_sum(a->l, after, -1, before), product = links_product(a->l, difference, h);
    memory_free(difference);
    memory_free(before);
    memory_free(after);
    return product / (2 * t);
}

/* start + h of the thin links */
static double *reversed(const thin_links *a, precision p, const double *h, const double *start)
{
    const level *v = a->v;
    lattice *l = a->l;
    const place where = a->where;
    gauge *in = links_on(l, where, p, a->u), *smeared_h = links_on(l, where, p, h);
    gauge *thin_h = links_on(l, where, p, start);
    if (v->naik) {
        smearing_naik_reverse(thin_h, smeared_h, in);
    } else {
        smearing *work = smearing_create(in, p, true);
        smearing_reverse(work, thin_h, smeared_h, in, &v->c);
        smearing_free(work);
    }
    double *thin = links_of(thin_h);
    gauge_free(thin_h);
    gauge_free(smeared_h);
    gauge_free(in);
    return thin;
}

static void check(const thin_links *a, const char *name)
{
    const level *v = a->v;
    lattice *l = a->l;
    double *d = any_links(l, 1), *h = any_links(l, 2), *start = any_links(l, 3);
    double *nothing = links_sum(l, d, -1, d), *k = reversed(a, PRECISION_DOUBLE, h, nothing);
    double want = links_product(l, d, k), size = sqrt(links_product(l, d, d) * links_product(l, k, k));
    double romberg[HALVINGS], e[HALVINGS];
    for (int n = 0; n < HALVINGS; n++) {
        romberg[n] = slope(a, d, h, ldexp(LARGEST_STEP, -n));
        e[n] = romberg[n] - want;
    }
    if (v->c.one == 0)
        fact_close(log2(e[2] / e[3]), 2, 0.25, "%s: the symmetric difference differs by O(t^2)", name);
    for (int order = 1; order < HALVINGS; order++)
        for (int n = HALVINGS - 1; n >= order; n--)
            romberg[n] += (romberg[n] - romberg[n - 1]) / (pow(4, order) - 1);
    fact_close((romberg[HALVINGS - 1] - want) / size, 0, 1e-14, "%s: the slope, relative to |D| |h|", name);

    double *added = reversed(a, PRECISION_DOUBLE, h, start), *sum = links_sum(l, start, 1, k);
    fact_close(links_apart(l, added, sum), 0, 1e-14, "%s: h of thin links is added to what there is", name);
    double *single = reversed(a, PRECISION_SINGLE, h, nothing);
    fact_close(links_apart(l, single, k), 0, 2e-6, "%s: in single precision, relative", name);

    double *to_free[] = { single, sum, added, k, nothing, start, h, d };
    for (int i = 0; i < 8; i++)
        memory_free(to_free[i]);
}

/* Phases of unit size: their adjoint is their inverse. */
static void phases(lattice *l, place where, const char *shape)
{
    double *x = any_links(l, 4), *h = any_links(l, 5);
    for (int hop = 1; hop <= 3; hop += 2) {
        gauge *with = links_on(l, where, PRECISION_DOUBLE, x), *h_with = links_on(l, where, PRECISION_DOUBLE, h);
        smearing_put_phases(with, with, 0.3, hop);
        double *phased = links_of(with), product = links_product(l, phased, h);
        smearing_remove_phases(h_with, 0.3, hop);
        double *plain = links_of(h_with);
        fact_close(links_product(l, x, plain) / product, 1, 1e-12, "%s: phases over %d sites out of h are the adjoint",
                   shape, hop);
        smearing_remove_phases(with, 0.3, hop);
        fact_close(gauge_apart(with, x), 0, 1e-15, "%s: phases over %d sites in, then out, are none", shape, hop);
        memory_free(plain);
        memory_free(phased);
        gauge_free(h_with);
        gauge_free(with);
    }
    memory_free(h);
    memory_free(x);
}

int main(void)
{
    static const int shapes[][4] = { { 4, 4, 4, 4 }, { 2, 4, 2, 6 }, { 4, 2, 6, 2 } };
    for (int shape = 0; shape < 3; shape++) {
        const int *n = shapes[shape];
        lattice *l = lattice_create_single(n);
        double *unitary = analytic_links(n, 1.5), *noise = any_links(l, 0), *u = links_sum(l, unitary, 0.1, noise);
        FOR_EVERY_PLACE(where) {
            char name[96];
            for (int v = 0; v < LEVELS; v++) {
                snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                         levels[v].name);
                check(&(thin_links){ .v = &levels[v], .l = l, .where = where, .u = u }, name);
            }
            snprintf(name, sizeof name, "%s, %dx%dx%dx%d", place_name(where), n[0], n[1], n[2], n[3]);
            phases(l, where, name);
        }
        memory_free(u);
        memory_free(noise);
        memory_free(unitary);
        lattice_free(l);
    }
    return facts_end();
}
