/* test_force_derivative.c - every action's force is minus its derivative.
 *
 * Along dU/dtau = P U, dS/dtau = -sum Re Tr P^+F.  The derivative is taken from actions alone, by
 *     D2(h) = (S(h) - S(-h)) / 2h                      wrong by O(h^2)
 *     D4(h) = (4 D2(h) - D2(2h)) / 3                   wrong by O(h^4)
 *     D6(h) = (16 D4(h) - D4(2h)) / 15                 wrong by O(h^6)
 * so the differences of the first two from the force must fall by 4 and by 16 when h is halved, and the
 * third is the force to many digits. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>

#define LARGEST_STEP 0.08       /* in units where P has norm sqrt(8) a link */
enum { HALVINGS = 5 };

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 1, .beta = 4.2 },
    { .action = 2, .beta = 2.6 },
    { .action = 3, .beta = 1.04 },
    { .action = 4, .beta = 5, .c1 = -0.2 },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4 },
    { .action = 5, .beta = 8, .u0 = 0.8788, .flavors = 0 },
};

/* S(exp(h P) U) */
static double action_at(monomial *m, const gauge *u, const momentum *p, double h)
{
    gauge *moved = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    gauge_copy(moved, u);
    gauge_drift(moved, h, p);
    double s;
    monomial_action(&s, m, moved, &(monomial_call){ .clock = NULL });
    gauge_free(moved);
    return s;
}

static double derivative(monomial *m, const gauge *u, const momentum *p, double h)
{
    return (action_at(m, u, p, h) - action_at(m, u, p, -h)) / (2 * h);
}

/* -sum Re Tr P^+F = (|P|^2 + |F|^2 - |P + F|^2) / 2 */
static double minus_product(const momentum *p, const momentum *f)
{
    momentum *sum = momentum_create(p->f.lattice, p->f.where, p->f.precision);
    momentum_copy(sum, p);
    momentum_axpy(sum, 1, f);
    double apart = momentum_measure(p).sum_norm2 + momentum_measure(f).sum_norm2;
    double together = momentum_measure(sum).sum_norm2;
    momentum_free(sum);
    return (apart - together) / 2;
}

static void force(momentum *f, monomial *m, const gauge *u, double weight)
{
    sum_cell *cells = sum_cells_create(u->links.where, FORCE_CELLS);
    monomial_add_force(m, u, f, weight, cells, &(monomial_call){ .clock = NULL });
    sum_cells_free(cells, u->links.where);
}

static void check(const gauge_params *params, const gauge *u, const momentum *p, const char *name)
{
    monomial *m = gauge_monomial.create(params, u);
    momentum *f = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    force(f, m, u, 1);
    double want = minus_product(p, f), d2[HALVINGS], e2[HALVINGS], e4[HALVINGS];
    for (int n = 0; n < HALVINGS; n++) {
        d2[n] = derivative(m, u, p, ldexp(LARGEST_STEP, -n));
        e2[n] = d2[n] / want - 1;
        e4[n] = n ? (4 * d2[n] - d2[n - 1]) / 3 / want - 1 : 0;
    }
    fact_close((16 * e4[4] - e4[3]) / 15, 0, 5e-10, "%s: dS/dtau = -sum Re Tr P^+F (%.10g), relative", name, want);
    fact_close(log2(e2[2] / e2[3]), 2, 0.05, "%s: the symmetric difference differs by O(h^2)", name);
    fact_close(log2(e4[2] / e4[3]), 4, 0.1, "%s: its extrapolation by O(h^4)", name);

    momentum *half = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    momentum_copy(half, p);
    force(half, m, u, -0.5);
    momentum_axpy(half, -1, p);
    momentum_axpy(half, 0.5, f);
    fact_close(sqrt(momentum_measure(half).max_norm2 / momentum_measure(f).max_norm2), 0, 1e-15,
               "%s: a force with a weight adds so much of it to the momentum", name);
    momentum_free(half);
    momentum_free(f);
    monomial_free(m);
}

/* Single precision has no digits for differences: its force must be that of double precision. */
static void single_precision(const gauge_params *params, const gauge *u, const double *links, const char *name)
{
    lattice *l = u->links.lattice;
    gauge *single = gauge_create(l, u->links.where, PRECISION_SINGLE);
    gauge_import(single, links);
    momentum *f = momentum_create(l, u->links.where, PRECISION_SINGLE), *wide, *want;
    wide = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    want = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    monomial *m = gauge_monomial.create(params, single), *n = gauge_monomial.create(params, u);
    force(f, m, single, 1);
    force(want, n, u, 1);
    field_convert(&wide->f, &f->f);
    double size = sqrt(momentum_measure(want).max_norm2);
    momentum_axpy(wide, -1, want);
    fact_close(sqrt(momentum_measure(wide).max_norm2) / size, 0, 2e-6, "%s: in single precision, relative", name);
    monomial_free(n);
    monomial_free(m);
    momentum_free(want);
    momentum_free(wide);
    momentum_free(f);
    gauge_free(single);
}

int main(void)
{
    static const int shapes[][4] = { { 4, 4, 4, 6 }, { 2, 2, 2, 2 }, { 2, 4, 2, 6 } };
    for (int shape = 0; shape < 3; shape++) {
        const int *n = shapes[shape];
        lattice *l = lattice_create(n);
        double *links = analytic_links(n, 1.5);
        FOR_EVERY_PLACE(where) {
            gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
            momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
            gauge_import(u, links);
            momentum_set_gaussian(p, rng_key_for(61, 0, (uint64_t)shape, RNG_MOMENTA));
            for (size_t a = 0; a < sizeof actions / sizeof actions[0]; a++) {
                char name[96];
                snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                         gauge_action_names[actions[a].action]);
                check(&actions[a], u, p, name);
                single_precision(&actions[a], u, links, name);
            }
            momentum_free(p);
            gauge_free(u);
        }
        memory_free(links);
        lattice_free(l);
    }
    return facts_end();
}
