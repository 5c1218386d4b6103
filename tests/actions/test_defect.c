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
#include "tests/actions/closed_paths.h"
#include "tests/actions/derivative.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>

#define LARGEST_STEP 0.05       /* in units where P has norm sqrt(8) a link */

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 0, .beta = 5.5, .xi_0 = 2.2, .given = { .xi_0 = true } },
    { .action = 2, .beta = 2.6 },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4 },
};
static const link_defect defects[] = {
    { { 0, 2, { 3, 0, 0, 0 } }, 0.37 },
    { { 1, 3, { 3, 2, 2, 5 } }, 0.8 },          /* goes around the lattice */
    { { 3, 2, { 1, 3, 2, 2 } }, 0 },
};
enum { ACTIONS = sizeof actions / sizeof *actions, DEFECTS = sizeof defects / sizeof *defects };

static double factor_at(const link_defect *d, const int n[4], const int x[4], int mu)
{
    const defect_box *b = &d->box;
    bool inside = mu == b->direction && x[mu] == b->corner[mu];
    for (int nu = 0; nu < 4 && inside; nu++) {
        bool along = nu == mu;
        for (int i = 0; i < b->size; i++)
            along |= x[nu] == (b->corner[nu] + i) % n[nu];
        inside = along;
    }
    return inside ? d->factor : 1;
}

/* The factor of the link that has the real number `i` of an exported field. */
static double factor_of_real(const link_defect *d, const int n[4], size_t i)
{
    const int mu = (int)(i / 18 % 4), site = (int)(i / GAUGE_REALS);
    const int x[4] = { site % n[0], site / n[0] % n[1], site / n[0] / n[1] % n[2], site / n[0] / n[1] / n[2] };
    return factor_at(d, n, x, mu);
}

typedef struct { const gauge_params *p; double action; } path_sum;

static void add_path(void *out, const closed_path *path)
{
    path_sum *s = out;
    const loop_coefficients c = gauge_action_coefficients(s->p);
    const double of_kind[] = { c.plaquette, c.rectangle, c.parallelogram }, xi = s->p->given.xi_0 ? s->p->xi_0 : 1;
    s->action += s->p->beta * of_kind[path->kind] * (path->steps_in_t ? xi : 1 / xi) * (1 - path->trace);
}

/* The sum over closed paths of links that each have their factor. */
static double sum_paths(const gauge_params *p, const link_defect *d, const gauge *u)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t reals = (size_t)lattice_volume(u->links.lattice) * GAUGE_REALS;
    double *links = memory_alloc(reals * sizeof *links, "links");
    path_sum s = { p, 0 };
    gauge_export(links, u);
    for (size_t i = 0; i < reals; i++)
        links[i] *= factor_of_real(d, n, i);
    walk_paths_of(n, links, add_path, &s);
    memory_free(links);
    return s.action;
}

/* The largest change of a real of the links that the defect has (or has not). */
static double largest_change(const gauge *u, const gauge *v, const link_defect *d, bool of_defect)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t reals = (size_t)lattice_volume(u->links.lattice) * GAUGE_REALS;
    double *a = memory_alloc(reals * sizeof *a, "links"), *b = memory_alloc(reals * sizeof *b, "links"), most = 0;
    const link_defect half = { d->box, 0.5 };
    gauge_export(a, u);
    gauge_export(b, v);
    for (size_t i = 0; i < reals; i++)
        if ((factor_of_real(&half, n, i) != 1) == of_defect)
            most = worse(most, fabs(a[i] - b[i]));
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
