/* derivative.c - symmetric differences of an action along a momentum, beside its force. */
#include "tests/actions/derivative.h"

#include "src/lattice/kernels.h"
#include "tests/facts.h"

#include <math.h>

enum { HALVINGS = 5 };

double action_of(monomial *m, const gauge *u)
{
    monomial_call call = { .clock = NULL };
    double s;
    require(monomial_action(&s, m, u, &call), "%s", call.failure.why);
    return s;
}

/* S(exp(h P) U) */
static double action_at(monomial *m, const gauge *u, const momentum *p, double h)
{
    gauge *moved = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    gauge_copy(moved, u);
    gauge_drift(moved, h, p);
    const double s = action_of(m, moved);
    gauge_free(moved);
    return s;
}

static double derivative(monomial *m, const gauge *u, const momentum *p, double h)
{
    return (action_at(m, u, p, h) - action_at(m, u, p, -h)) / (2 * h);
}

static momentum *difference(const momentum *a, const momentum *b)
{
    momentum *d = momentum_create(a->f.lattice, a->f.where, a->f.precision);
    momentum_copy(d, a);
    momentum_axpy(d, -1, b);
    return d;
}

/* = (|P - F|^2 - |P|^2 - |F|^2) / 2 */
double minus_product(const momentum *p, const momentum *f)
{
    momentum *d = difference(p, f);
    double apart = momentum_measure(p).sum_norm2 + momentum_measure(f).sum_norm2;
    double between = momentum_measure(d).sum_norm2;
    momentum_free(d);
    return (between - apart) / 2;
}

double force_distance(const momentum *a, const momentum *b)
{
    momentum *d = difference(a, b);
    double distance = sqrt(momentum_measure(d).max_norm2 / momentum_measure(b).max_norm2);
    momentum_free(d);
    return distance;
}

void force_of(momentum *f, monomial *m, const gauge *u, double weight)
{
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    require(monomial_add_force(m, u, f, weight, size.cells, &call), "%s", call.failure.why);
    sums_free(&size);
}

void derivative_facts(monomial *m, const gauge *u, const momentum *p, double largest_step, double digits,
                      const char *name)
{
    momentum *f = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    force_of(f, m, u, 1);
    double want = minus_product(p, f), d2[HALVINGS], e2[HALVINGS], e4[HALVINGS];
    for (int n = 0; n < HALVINGS; n++) {
        d2[n] = derivative(m, u, p, ldexp(largest_step, -n));
        e2[n] = d2[n] / want - 1;
        e4[n] = n ? (4 * d2[n] - d2[n - 1]) / 3 / want - 1 : 0;
    }
    fact_close((16 * e4[4] - e4[3]) / 15, 0, digits, "%s: dS/dtau = -sum Re Tr P^+F (%.10g), relative", name, want);
    fact_close(log2(e2[2] / e2[3]), 2, 0.05, "%s: the symmetric difference differs by O(h^2)", name);
    fact_close(log2(e4[2] / e4[3]), 4, 0.1, "%s: its extrapolation by O(h^4)", name);
    momentum_free(f);
}

void weight_facts(monomial *m, const gauge *u, const momentum *p, const char *name)
{
    momentum *f = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    momentum *half = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    force_of(f, m, u, 1);
    momentum_copy(half, p);
    force_of(half, m, u, -0.5);
    momentum_axpy(half, -1, p);
    momentum_axpy(half, 0.5, f);
    /* rounding is that of the larger of both */
    const double size = fmax(momentum_measure(f).max_norm2, momentum_measure(p).max_norm2);
    fact_close(sqrt(momentum_measure(half).max_norm2 / size), 0, 1e-15,
               "%s: a force with a weight adds so much of it to the momentum", name);
    momentum_free(half);
    momentum_free(f);
}

void single_precision_facts(const monomial_kind *kind, const void *params, const gauge *u, const double *links,
                            const char *name)
{
    lattice *l = u->links.lattice;
    gauge *single = gauge_create(l, u->links.where, PRECISION_SINGLE);
    momentum *f = momentum_create(l, u->links.where, PRECISION_SINGLE);
    momentum *wide = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    momentum *want = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    gauge_import(single, links);
    monomial *m = monomial_create(kind, params, single), *n = monomial_create(kind, params, u);
    force_of(f, m, single, 1);
    force_of(want, n, u, 1);
    field_convert(&wide->f, &f->f);
    fact_close(force_distance(wide, want), 0, 2e-6, "%s: in single precision, relative", name);
    monomial_free(n);
    monomial_free(m);
    momentum_free(want);
    momentum_free(wide);
    momentum_free(f);
    gauge_free(single);
}
