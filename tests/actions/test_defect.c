/* test_defect.c - gauge actions with a defect of the boundary: against a sum over closed paths, link by link; the force
 * against its derivative; updates of weighted links.
 *
 *     weight of a path: c for each of its links in direction mu that begins in the cube of the slice x_mu = corner_mu,
 *     forward or backward */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_STEP 0.05       /* in units where P has norm sqrt(8) a link */

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 2, .beta = 2.6 },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4 },
};
static const link_defect defects[] = {
    { { 0, 2, { 3, 0, 0, 0 } }, 0.37 },
    { { 1, 3, { 3, 2, 2, 5 } }, 0.8 },          /* goes around the lattice */
    { { 3, 2, { 1, 3, 2, 2 } }, 0 },
};
enum { ACTIONS = sizeof actions / sizeof *actions, DEFECTS = sizeof defects / sizeof *defects, BACK = 4 };

/* Links [t][z][y][x][mu][3][3] on a lattice of extents n, and their defect. */
typedef struct { const int *n; const double complex *links; const link_defect *d; } numbers;

static double factor_at(const numbers *u, const int x[4], int mu)
{
    const defect_box *b = &u->d->box;
    bool inside = mu == b->direction && x[mu] == b->corner[mu];
    for (int nu = 0; nu < 4 && inside; nu++) {
        bool along = nu == mu;
        for (int i = 0; i < b->size; i++)
            along |= x[nu] == (b->corner[nu] + i) % u->n[nu];
        inside = along;
    }
    return inside ? u->d->factor : 1;
}

/* K Re Tr / 3 of a closed path of `length` steps from x. */
static double path_trace(const numbers *u, const int from[4], const int *steps, int length)
{
    double complex w[3][3] = { { 1 }, { 0, 1 }, { 0, 0, 1 } };
    double weight = 1;
    int x[4];
    memcpy(x, from, sizeof x);
    for (int s = 0; s < length; s++) {
        const int mu = steps[s] % BACK, *n = u->n;
        const bool back = steps[s] >= BACK;
        double complex product[3][3] = { { 0 } };
        if (back)
            x[mu] = (x[mu] + n[mu] - 1) % n[mu];
        const size_t site = (size_t)(((x[3] * n[2] + x[2]) * n[1] + x[1]) * n[0] + x[0]);
        const double complex *m = u->links + (site * 4 + (size_t)mu) * 9;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    product[i][j] += w[i][k] * (back ? conj(m[3 * j + k]) : m[3 * k + j]);
        memcpy(w, product, sizeof w);
        weight *= factor_at(u, x, mu);
        if (!back)
            x[mu] = (x[mu] + 1) % n[mu];
    }
    return weight * creal(w[0][0] + w[1][1] + w[2][2]) / 3;
}

/* Sums of 1 - K Re Tr / 3 over plaquettes, rectangles and parallelograms that begin at x. */
static void add_paths_from(double s[3], const numbers *u, const int x[4])
{
    for (int mu = 0; mu < 4; mu++)
        for (int nu = 0; nu < 4; nu++) {
            if (mu < nu)
                s[0] += 1 - path_trace(u, x, (int[]){ mu, nu, mu + BACK, nu + BACK }, 4);
            if (mu != nu)
                s[1] += 1 - path_trace(u, x, (int[]){ mu, mu, nu, mu + BACK, mu + BACK, nu + BACK }, 6);
            for (int rho = nu + 1; mu < nu && rho < 4; rho++)
                for (int signs = 0; signs < 4; signs++) {
                    const int b = signs & 1 ? nu + BACK : nu, c = signs & 2 ? rho + BACK : rho;
                    s[2] += 1 - path_trace(u, x, (int[]){ mu, b, c, mu + BACK, (b + BACK) % 8, (c + BACK) % 8 }, 6);
                }
        }
}

static double sum_paths(const gauge_params *p, const link_defect *d, const gauge *u)
{
    const int *n = lattice_global(u->links.lattice);
    double *links = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *links, "links");
    const numbers all = { n, (const double complex *)links, d };
    const loop_coefficients c = gauge_action_coefficients(p);
    double s[3] = { 0 };
    int x[4];
    gauge_export(links, u);
    for (x[3] = 0; x[3] < n[3]; x[3]++)
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++)
                    add_paths_from(s, &all, x);
    memory_free(links);
    return p->beta * (c.plaquette * s[0] + c.rectangle * s[1] + c.parallelogram * s[2]);
}

/* The largest change of a real of the links that the defect has (or has not). */
static double largest_change(const gauge *u, const gauge *v, const link_defect *d, bool of_defect)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t reals = (size_t)lattice_volume(u->links.lattice) * GAUGE_REALS;
    double *a = memory_alloc(reals * sizeof *a, "links"), *b = memory_alloc(reals * sizeof *b, "links"), most = 0;
    const numbers half = { n, NULL, &(link_defect){ d->box, 0.5 } };
    gauge_export(a, u);
    gauge_export(b, v);
    for (size_t i = 0; i < reals; i++) {
        const int mu = (int)(i / 18 % 4), site = (int)(i / GAUGE_REALS);
        const int x[4] = { site % n[0], site / n[0] % n[1], site / n[0] / n[1] % n[2], site / n[0] / n[1] / n[2] };
        if ((factor_at(&half, x, mu) != 1) == of_defect)
            most = fmax(most, fabs(a[i] - b[i]));
    }
    memory_free(a);
    memory_free(b);
    return most;
}

/* Overrelaxation of weighted links keeps the action: their staples have the factors. */
static void overrelaxed(const gauge_params *p, monomial *m, const link_defect *d, const gauge *u, const char *name)
{
    const loop_weights w = gauge_monomial.link_weights(p, NULL, false);
    gauge *v = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    heatbath *h = heatbath_create(u, &w);
    gauge_copy(v, u);
    defect_weight_links(v, d);
    heatbath_overrelax(h, v);
    defect_restore_links(v, d, rng_key_for(6, 0, 0, RNG_DEFECT));
    fact(gauge_distance(u, v) > 0.5, "%s: overrelaxation moves the links", name);
    fact_close(action_of(m, v) / action_of(m, u), 1, 1e-12, "%s: and keeps the action", name);
    fact(gauge_link_quality(v).unitarity < 1e-13, "%s: and the links are in SU(3)", name);
    heatbath_free(h);
    gauge_free(v);
}

/* Weights alone, and back. */
static void weighted(const link_defect *d, const gauge *u, const char *name)
{
    gauge *v = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge_copy(v, u);
    defect_weight_links(v, d);
    fact(largest_change(u, v, d, false) == 0 && largest_change(u, v, d, true) > 0.01,
         "%s: the factor changes the links of the defect alone", name);
    defect_restore_links(v, d, rng_key_for(6, 0, 0, RNG_DEFECT));
    fact(largest_change(u, v, d, false) == 0, "%s: back: other links never change", name);
    if (d->factor > 0)
        fact(largest_change(u, v, d, true) < 1e-15, "%s: back: links of the defect are those before", name);
    else
        fact(largest_change(u, v, d, true) > 0.01 && gauge_link_quality(v).unitarity < 1e-13,
             "%s: back: links of the defect are new ones of SU(3)", name);
    gauge_free(v);
}

static void check(const gauge_params *p, const link_defect *d, const gauge *u, const momentum *momenta,
                  const char *name)
{
    monomial *m = monomial_create(&gauge_monomial, p, u);
    gauge *memory = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    const double without = action_of(m, u);
    gauge_monomial.set_defect(m, d, memory);
    const double want = sum_paths(p, d, u);
    fact_close(action_of(m, u) / want, 1, 1e-13, "%s: the action is the weighted sum over closed paths", name);
    fact(fabs(without / want - 1) > 1e-5, "%s: the factor counts", name);
    derivative_facts(m, u, momenta, LARGEST_STEP, 5e-10, name);
    weight_facts(m, u, momenta, name);
    weighted(d, u, name);
    overrelaxed(p, m, d, u, name);
    gauge_monomial.set_defect(m, &(link_defect){ d->box, 1 }, memory);
    fact(action_of(m, u) == without, "%s: with c = 1 the action has the bits of the action without a defect", name);
    monomial_free(m);
    gauge_free(memory);
}

/* The mean over many draws of Re Tr / 3 and |Tr|^2 of links with factor 0: 0 and 1 with the Haar measure. */
static void haar(place where)
{
    enum { DRAWS = 50 };
    static const int extents[] = { 4, 4, 4, 4 };
    const link_defect d = { { 2, 4, { 0, 0, 3, 0 } }, 0 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *links = memory_alloc((size_t)lattice_volume(l) * GAUGE_REALS * sizeof *links, "links");
    double re = 0, norm2 = 0;
    const int count = DRAWS * 4 * 4 * 4;
    gauge_set_unit(u);
    for (int n = 0; n < DRAWS; n++) {
        defect_restore_links(u, &d, rng_key_for(9, 0, (uint64_t)n, RNG_DEFECT));
        gauge_export(links, u);
        for (int t = 0; t < 4; t++)
            for (int i = 0; i < 16; i++) {
                const double *m = links + ((size_t)((t * 4 + 3) * 16 + i) * 4 + 2) * 18;
                const double tr[2] = { m[0] + m[8] + m[16], m[1] + m[9] + m[17] };
                re += tr[0] / 3 / count;
                norm2 += (tr[0] * tr[0] + tr[1] * tr[1]) / count;
            }
    }
    fact_close(re, 0, 4.5 * sqrt(0.5 / 9 / count), "%s: links of factor 0: mean trace 0", place_name(where));
    fact_close(norm2, 1, 4.5 / sqrt(count), "%s: links of factor 0: <|Tr|^2> = 1", place_name(where));
    memory_free(links);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    static const int extents[] = { 4, 4, 4, 6 };
    lattice *l = lattice_create_single(extents);
    double *links = analytic_links(extents, 1.5);
    FOR_EVERY_PLACE(where) {
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
        gauge_import(u, links);
        momentum_set_gaussian(p, rng_key_for(61, 0, 0, RNG_MOMENTA));
        for (int a = 0; a < ACTIONS; a++)
            for (int d = 0; d < DEFECTS; d++) {
                char name[96];
                snprintf(name, sizeof name, "%s, %s, direction %d, c = %g", place_name(where),
                         gauge_action_names[actions[a].action], defects[d].box.direction, defects[d].factor);
                check(&actions[a], &defects[d], u, p, name);
            }
        haar(where);
        momentum_free(p);
        gauge_free(u);
    }
    fact(!defect_is_possible(&(defect_box){ 0, 5, { 0 } }, extents, NULL)
         && defect_is_possible(&(defect_box){ 3, 4, { 0 } }, extents, NULL), "a cube must fit into the lattice");
    memory_free(links);
    lattice_free(l);
    return facts_end();
}
