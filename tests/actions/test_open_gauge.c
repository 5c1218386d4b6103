/* test_open_gauge.c - gauge actions with open boundaries in time: against a sum over closed paths, link by link, and
 * the force against its derivative.
 *
 *     a path through the link in t from slice T - 1 to slice 0        weight 0
 *     a path within slice 0 or slice T - 1                            weight c_G / 2
 *     all others                                                      weight 1 */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"
#include "tests/actions/closed_paths.h"
#include "tests/actions/derivative.h"
#include "tests/actions/gauge_action_facts.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 0, .beta = 6, .c_G = 1.3, .given = { .c_G = true } },
    { .action = 1, .beta = 4.2, .c_G = 0.9, .given = { .c_G = true } },
    { .action = 2, .beta = 2.6 },
    { .action = 4, .beta = 5, .c1 = -0.2, .c_G = 1.2, .given = { .c_G = true } },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4, .c_G = 1.1, .given = { .c_G = true } },
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* Of all closed paths of a kind: sum of w (1 - Re Tr / 3), and mean of Re Tr / 3 of those with a weight. */
typedef struct { double ends; struct { double deficit, mean, paths; } of[3]; } path_sums;

static void add_path(void *out, const closed_path *p)
{
    path_sums *s = out;
    const double weight = p->wraps ? 0 : p->at_end ? s->ends : 1;
    s->of[p->kind].deficit += weight * (1 - p->trace);
    s->of[p->kind].mean += weight != 0 ? p->trace : 0;
    s->of[p->kind].paths += weight != 0;
}

static path_sums sum_paths(const gauge *u, double ends)
{
    path_sums s = { .ends = ends };
    walk_closed_paths(u, add_path, &s);
    for (int k = 0; k < 3; k++)
        s.of[k].mean /= s.of[k].paths;
    return s;
}

static void against_paths(const gauge_params *p, monomial *m, const gauge *u, const char *name)
{
    const loop_coefficients c = gauge_action_coefficients(p);
    const path_sums s = sum_paths(u, (p->given.c_G ? p->c_G : 1) / 2);
    const double want = p->beta * (c.plaquette * s.of[0].deficit + c.rectangle * s.of[1].deficit
                                   + c.parallelogram * s.of[2].deficit);
    fact_close(action_of(m, u) / want, 1, 1e-13, "%s: the action is the weighted sum over closed paths, %.6g", name,
               want);
}

static void observables(const gauge *u, const char *name)
{
    const path_sums s = sum_paths(u, 1);
    fact_close(gauge_plaquette(u).average, s.of[0].mean, 1e-14, "%s: plaquette, mean over active paths", name);
    fact_close(gauge_rectangle(u), s.of[1].mean, 1e-14, "%s: rectangle", name);
    fact_close(gauge_parallelogram(u), s.of[2].mean, 1e-14, "%s: parallelogram", name);
    const plaquette_means p = gauge_plaquette(u);
    const int times = lattice_global(u->links.lattice)[3];
    fact_close((p.spatial * times + p.temporal * (times - 1)) / (2 * times - 1), p.average, 1e-14,
               "%s: spatial and temporal plaquettes make the mean", name);
}

/* The largest difference of inactive links to the unit matrix. */
static double largest_off_unit(const gauge *u)
{
    const int *n = lattice_global(u->links.lattice);
    const size_t sites = (size_t)(n[0] * n[1] * n[2]);
    double *links = memory_alloc(sites * (size_t)n[3] * GAUGE_REALS * sizeof *links, "links"), off = 0;
    gauge_export(links, u);
    for (size_t x = sites * (size_t)(n[3] - 1); x < sites * (size_t)n[3]; x++)
        for (int i = 0; i < MATRIX_REALS; i++)
            off = worse(off, fabs(links[x * GAUGE_REALS + 3 * MATRIX_REALS + (size_t)i] - (i % 8 == 0)));
    memory_free(links);
    return off;
}

static double largest_inactive(const momentum *p)
{
    const slice_source s = momentum_matrix_slices(p);
    double *slice = slice_alloc(s.reals), largest = 0;
    s.get(slice, s.from, s.count - 1);
    for (size_t x = 0; x < s.reals / GAUGE_REALS; x++)
        for (int i = 0; i < MATRIX_REALS; i++)
            largest = worse(largest, fabs(slice[x * GAUGE_REALS + 3 * MATRIX_REALS + (size_t)i]));
    memory_free(slice);
    return largest;
}

static void inactive_links(monomial *m, const gauge *u, const momentum *p, const char *name)
{
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    gauge *moved = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    force_of(f, m, u, 1);
    fact(largest_inactive(f) == 0 && largest_inactive(p) == 0, "%s: no force and no momentum on inactive links", name);
    gauge_copy(moved, u);
    gauge_drift(moved, 0.3, p);
    gauge_reunitarize(moved);
    fact(largest_off_unit(moved) == 0, "%s: inactive links stay unit matrices, to the last bit", name);
    gauge_free(moved);
    momentum_free(f);
}

static void updated(const gauge_params *p, monomial *m, const gauge *u, const char *name)
{
    const loop_weights w = gauge_monomial.link_weights(p, NULL, true);
    const int *n = lattice_global(u->links.lattice);
    if (!link_colors_are_possible(lattice_shape_of(u->links.lattice), link_colors_loops(&w), NULL) || n[0] < 4)
        return;
    gauge *v = overrelaxation_facts(&w, m, u, name);
    heatbath *h = heatbath_create(u, &w);
    heatbath_sweep(h, v, rng_key_for(6, 0, 0, RNG_HEATBATH), 0);
    fact(largest_off_unit(v) == 0, "%s: sweeps leave inactive links as they are", name);
    heatbath_free(h);
    gauge_free(v);
}

static void check(const gauge_params *p, const gauge *u, const momentum *momenta, const double *links, const char *name)
{
    monomial *m = monomial_create(&gauge_monomial, p, u);
    against_paths(p, m, u, name);
    gauge_action_facts(p, m, u, momenta, links, name);
    inactive_links(m, u, momenta, name);
    updated(p, m, u, name);
    monomial_free(m);
}

int main(void)
{
    static const int shapes[][4] = { { 4, 4, 4, 6 }, { 2, 2, 2, 2 }, { 2, 4, 2, 6 } };
    for (int s = 0; s < 3; s++) {
        lattice_shape shape = lattice_shape_single(shapes[s]);
        shape.open_in_time = true;
        lattice *l = lattice_create(&shape);
        double *links = analytic_links(shapes[s], 1.5);
        FOR_EVERY_PLACE(where) {
            gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
            momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
            gauge_import(u, links);
            momentum_set_gaussian(p, rng_key_for(61, 0, (uint64_t)s, RNG_MOMENTA));
            observables(u, place_name(where));
            for (int a = 0; a < ACTIONS; a++) {
                char name[96];
                snprintf(name, sizeof name, "%s, %s, %s, c_G %g", place_name(where), extents_to_text(shapes[s]).s,
                         gauge_action_names[actions[a].action], actions[a].given.c_G ? actions[a].c_G : 1);
                check(&actions[a], u, p, links, name);
            }
            momentum_free(p);
            gauge_free(u);
        }
        memory_free(links);
        lattice_free(l);
    }
    return facts_end();
}
