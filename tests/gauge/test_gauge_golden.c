/* test_gauge_golden.c - observables, actions and forces of the analytic field against golden numbers. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/gauge/golden_numbers.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>

static const int extents[4] = { 4, 4, 6, 8 };

static void observables(const golden_field *g, const gauge *u, const char *where, double tolerance)
{
    plaquette_means p = gauge_plaquette(u);
    fact_close(p.average, g->plaquette, tolerance, "%s, w %g: mean plaquette", where, g->width);
    fact_close(p.spatial, g->plaquette_s, tolerance, "%s, w %g: spatial plaquette", where, g->width);
    fact_close(p.temporal, g->plaquette_t, tolerance, "%s, w %g: temporal plaquette", where, g->width);
    fact_close(gauge_rectangle(u), g->rectangle, tolerance, "%s, w %g: rectangle", where, g->width);
    fact_close(gauge_parallelogram(u), g->parallelogram, tolerance, "%s, w %g: parallelogram", where, g->width);
    fact_close(gauge_link_quality(u).link_trace, g->link_trace, tolerance, "%s, w %g: link trace", where, g->width);
    for (int mu = 0; mu < 4; mu++) {
        polyakov_mean l = gauge_polyakov(u, mu);
        fact_close(l.re, g->polyakov[mu][0], tolerance, "%s, w %g: Re Polyakov %c", where, g->width, "xyzt"[mu]);
        fact_close(l.im, g->polyakov[mu][1], tolerance, "%s, w %g: Im Polyakov %c", where, g->width, "xyzt"[mu]);
    }
}

/* The largest difference between Kiln's force and -2 F at the golden site, relative to the largest force. */
static double force_difference(const golden_action *g, const double *force)
{
    double worst = 0;
    int site = 1 + extents[0] * (0 + extents[1] * (1 + extents[2] * 1));
    for (int mu = 0; mu < 4; mu++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int c = 0; c < 2; c++) {
                    double got = force[((site * 4 + mu) * 3 + i) * 6 + 2 * j + c];
                    worst = worse(worst, fabs(got + 2 * g->force[mu][i][j][c]));
                }
    return worst / g->force_max;
}

static void action(const golden_action *g, const gauge *u, const char *where, double tolerance)
{
    lattice *l = u->links.lattice;
    gauge_params params = { .action = gauge_action_find(g->action), .beta = 6, .u0 = g->u0, .flavors = g->flavors };
    monomial *m = monomial_create(&gauge_monomial, &params, u);
    monomial_call call = { .clock = NULL };
    double energy = 0;
    monomial_action(&energy, m, u, &call);
    fact_close(energy / g->energy, 1, tolerance, "%s: %s action, relative", where, g->action);

    momentum *p = momentum_create(l, u->links.where, u->links.precision);
    sum_array size = monomial_size_create(u);
    sum_cell sum;
    max_cell max;
    monomial_add_force(m, u, p, 1, size.cells, &call);
    sums_read((sum_cells){ &sum, &max }, &size);
    /* Tr F^+F = 4 (1/2) sum_a (D_aS)^2 */
    fact_close(sum_cell_value(&sum, SUM_BOUND) / (2 * g->force_total), 1, 2 * tolerance,
               "%s: %s force, sum of squares, relative", where, g->action);
    fact_close(sqrt(max_cell_value(&max) / 2) / g->force_max, 1, tolerance, "%s: %s force, largest, relative",
               where, g->action);
    fact_close(momentum_measure(p).sum_norm2 / (2 * g->force_total), 1, 2 * tolerance,
               "%s: %s force as left in the momentum, relative", where, g->action);

    double *force = memory_alloc(18 * 4 * (size_t)lattice_volume(l) * sizeof *force, "a force");
    momentum_export(force, p);
    fact_close(force_difference(g, force), 0, tolerance, "%s: %s force at one site, relative", where, g->action);
    memory_free(force);
    sums_free(&size);
    momentum_free(p);
    monomial_free(m);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
            for (int n = 0; n < 2; n++) {
                const golden_field *g = &golden_fields[n];
                double tolerance = p == PRECISION_DOUBLE ? 2e-14 : 4e-6;
                char name[32];
                snprintf(name, sizeof name, "%s, %s", place_name(where), p == PRECISION_DOUBLE ? "double" : "single");
                double *links = analytic_links(extents, g->width);
                gauge *u = gauge_create(l, where, p);
                gauge_import(u, links);
                observables(g, u, name, tolerance);
                for (int a = 0; a < 6; a++)
                    action(&g->action[a], u, name, tolerance);
                gauge_free(u);
                memory_free(links);
            }
    lattice_free(l);
    return facts_end();
}
