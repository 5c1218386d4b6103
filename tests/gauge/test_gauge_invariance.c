/* test_gauge_invariance.c - observables and actions do not see a change of gauge, forces turn with it; and
 * loops of lattices so small that they wrap around agree with a plain walk along the links. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdio.h>

enum { ACTIONS = 6, OBSERVABLES = 13 };
static const gauge_params actions[ACTIONS] = {
    { .action = 0, .beta = 6 }, { .action = 1, .beta = 4 }, { .action = 2, .beta = 2.6 }, { .action = 3, .beta = 0.9 },
    { .action = 4, .beta = 5, .c1 = -0.2 }, { .action = 5, .beta = 7, .u0 = 0.87, .flavors = 4 },
};

/* Plaquettes, rectangle, parallelogram, and the Polyakov loops' real and imaginary parts */
static void observe(double o[OBSERVABLES], const gauge *u)
{
    plaquette_means p = gauge_plaquette(u);
    o[0] = p.average;
    o[1] = p.spatial;
    o[2] = p.temporal;
    o[3] = gauge_rectangle(u);
    o[4] = gauge_parallelogram(u);
    for (int mu = 0; mu < 4; mu++) {
        polyakov_mean l = gauge_polyakov(u, mu);
        o[5 + 2 * mu] = l.re;
        o[6 + 2 * mu] = l.im;
    }
}

static double action_of(int a, const gauge *u)
{
    monomial *m = monomial_create(&gauge_monomial, &actions[a], u);
    double s;
    monomial_action(&s, m, u, &(monomial_call){ .clock = NULL });
    monomial_free(m);
    return s;
}

static void force_of(int a, const gauge *u, momentum *f)
{
    sum_array size = monomial_size_create(u);
    monomial *m = monomial_create(&gauge_monomial, &actions[a], u);
    momentum_zero(f);
    monomial_add_force(m, u, f, 1, size.cells, &(monomial_call){ .clock = NULL });
    monomial_free(m);
    sums_free(&size);
}

static double worst_of(const double *a, const double *b, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        worst = worse(worst, fabs(a[i] - b[i]));
    return worst;
}

static void invariance(lattice *l, place where, precision p, const char *name)
{
    double tolerance = p == PRECISION_DOUBLE ? 4e-15 : 1.5e-6;
    gauge *u = gauge_create(l, where, p);
    momentum *pi = momentum_create(l, where, p), *f = momentum_create(l, where, p), *g = momentum_create(l, where, p);
    double *links = analytic_links(lattice_global(l), 1.2);
    gauge_rotation *rotation = gauge_rotation_create(l, where, p, rng_key_for(51, 0, 0, RNG_GAUGE_ROTATION));
    gauge_import(u, links);
    momentum_set_gaussian(pi, rng_key_for(51, 0, 0, RNG_MOMENTA));

    double before[OBSERVABLES], after[OBSERVABLES], energy[ACTIONS], kinetic = momentum_kinetic(pi);
    double trace = gauge_link_quality(u).link_trace;
    observe(before, u);
    for (int a = 0; a < ACTIONS; a++)
        energy[a] = action_of(a, u);
    gauge *turned = gauge_create(l, where, p);
    gauge_copy(turned, u);
    gauge_rotate(turned, rotation);
    momentum_rotate(pi, rotation);
    observe(after, turned);
    fact(fabs(gauge_link_quality(turned).link_trace - trace) > 0.1, "%s: a change of gauge changes the links", name);
    fact_close(worst_of(before, after, OBSERVABLES), 0, tolerance, "%s: but no plaquette, rectangle, parallelogram or "
               "Polyakov loop", name);
    fact_close(momentum_kinetic(pi) / kinetic, 1, tolerance, "%s: nor the kinetic energy, relative", name);
    for (int a = 0; a < ACTIONS; a++) {
        const char *action = gauge_action_names[actions[a].action];
        fact_close(action_of(a, turned) / energy[a], 1, tolerance, "%s: nor the action %s, relative", name, action);
        force_of(a, u, f);
        force_of(a, turned, g);
        double size = sqrt(momentum_measure(f).max_norm2);
        momentum_rotate(f, rotation);
        momentum_axpy(g, -1, f);
        fact_close(sqrt(momentum_measure(g).max_norm2) / size, 0, 8 * tolerance,
                   "%s: the force of %s turns with the gauge, relative to the largest", name, action);
    }

    double one[OBSERVABLES] = { 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0 };
    gauge_set_unit(u);
    observe(after, u);
    fact(worst_of(after, one, OBSERVABLES) == 0, "%s: every loop of unit links is exactly 1", name);
    gauge_rotate(u, rotation);
    observe(after, u);
    fact_close(worst_of(after, one, OBSERVABLES), 0, tolerance, "%s: every loop of a pure gauge is 1", name);
    double strongest = 0;
    for (int a = 0; a < ACTIONS; a++) {
        force_of(a, u, f);
        strongest = fmax(strongest, sqrt(momentum_measure(f).max_norm2));
    }
    fact_close(strongest, 0, 200 * tolerance, "%s: and feels no force", name);

    gauge_free(turned);
    gauge_rotation_free(rotation);
    momentum_free(g);
    momentum_free(f);
    momentum_free(pi);
    gauge_free(u);
    memory_free(links);
}

/* The plain walk: links in lexicographic order, steps 0..3 forward, 4..7 backward. */
typedef struct { const int *n; const double *links; } walker;

static const double *link_at(const walker *w, const int c[4], int mu)
{
    size_t rank = (size_t)(c[0] + w->n[0] * (c[1] + w->n[1] * (c[2] + w->n[2] * c[3])));
    return w->links + (rank * 4 + (size_t)mu) * 18;
}

static matrix3 walk(const walker *w, const int from[4], int steps, const int *step)
{
    matrix3 path = matrix3_unit();
    int c[4];
    memcpy(c, from, sizeof c);
    for (int i = 0; i < steps; i++) {
        int mu = step[i] % 4;
        bool forward = step[i] < 4;
        if (!forward)
            c[mu] = (c[mu] + w->n[mu] - 1) % w->n[mu];
        matrix3 link = matrix3_load(link_at(w, c, mu));
        path = matrix3_mul(path, forward ? link : matrix3_dagger(link));
        if (forward)
            c[mu] = (c[mu] + 1) % w->n[mu];
    }
    return path;
}

/* The sum over all sites of Tr / 3 of one loop */
static exact loop_sum(const walker *w, int steps, const int *step)
{
    exact sum = 0;
    int c[4];
    for (c[3] = 0; c[3] < w->n[3]; c[3]++)
        for (c[2] = 0; c[2] < w->n[2]; c[2]++)
            for (c[1] = 0; c[1] < w->n[1]; c[1]++)
                for (c[0] = 0; c[0] < w->n[0]; c[0]++)
                    sum += matrix3_trace(walk(w, c, steps, step)) / 3;
    return sum;
}

static int back(int step) { return (step + 4) % 8; }

/* Means of the same observables; every unoriented loop once, from all its starting points' sites. */
static void plain(double o[OBSERVABLES], const walker *w)
{
    double volume = (double)w->n[0] * w->n[1] * w->n[2] * w->n[3], spatial = 0, temporal = 0, rectangle = 0, bent = 0;
    for (int mu = 0; mu < 4; mu++)
        for (int nu = 0; nu < 4; nu++) {
            if (nu == mu)
                continue;
            int square[] = { mu, nu, back(mu), back(nu) }, wide[] = { mu, mu, nu, back(mu), back(mu), back(nu) };
            if (nu > mu)
                *(nu == 3 ? &temporal : &spatial) += (double)creall(loop_sum(w, 4, square));
            rectangle += (double)creall(loop_sum(w, 6, wide));
            for (int rho = 0; rho < 4; rho++)
                for (int signs = 0; signs < 4; signs++) {
                    int n = signs & 1 ? back(nu) : nu, r = signs & 2 ? back(rho) : rho;
                    int six[] = { mu, n, r, back(mu), back(n), back(r) };
                    if (mu < nu && nu < rho)
                        bent += (double)creall(loop_sum(w, 6, six));
                }
        }
    o[0] = (spatial + temporal) / (6 * volume);
    o[1] = spatial / (3 * volume);
    o[2] = temporal / (3 * volume);
    o[3] = rectangle / (12 * volume);
    o[4] = bent / (16 * volume);
    for (int mu = 0; mu < 4; mu++) {
        int line[64];
        for (int i = 0; i < w->n[mu]; i++)
            line[i] = mu;
        exact sum = loop_sum(w, w->n[mu], line) / (long double)volume;      /* each line from each of its sites */
        o[5 + 2 * mu] = (double)creall(sum);
        o[6 + 2 * mu] = (double)cimagl(sum);
    }
}

/* Coefficients as published, typed here once more: c_plaq, c_rect, c_par. */
static void coefficients(double c[3], int a)
{
    double u0 = actions[a].u0, nf = (double)actions[a].flavors;
    static const double c1[] = { 0, -1.0 / 12, -0.331, -1.4088, -0.2 };
    c[0] = a < 5 ? 1 - 8 * c1[a] : 1;
    c[1] = a < 5 ? c1[a] : -(1 - (0.6264 - 1.1746 * nf) * log(u0)) / (20 * u0 * u0);
    c[2] = a < 5 ? 0 : (0.0433 - 0.0156 * nf) * log(u0) / (u0 * u0);
}

static void small_lattices(void)
{
    static const int shapes[][4] = { { 2, 2, 2, 2 }, { 2, 4, 2, 6 }, { 4, 2, 6, 2 } };
    for (int shape = 0; shape < 3; shape++) {
        lattice *l = lattice_create_single(shapes[shape]);
        double *links = analytic_links(shapes[shape], 2.5), want[OBSERVABLES], got[OBSERVABLES];
        walker w = { shapes[shape], links };
        plain(want, &w);
        FOR_EVERY_PLACE(where)
            for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
                double tolerance = p == PRECISION_DOUBLE ? 4e-15 : 1e-6, volume = (double)lattice_volume(l);
                char name[64];
                snprintf(name, sizeof name, "%s, %s, %dx%dx%dx%d", place_name(where),
                         p == PRECISION_DOUBLE ? "double" : "single", shapes[shape][0], shapes[shape][1],
                         shapes[shape][2], shapes[shape][3]);
                gauge *u = gauge_create(l, where, p);
                gauge_import(u, links);
                observe(got, u);
                fact_close(worst_of(got, want, 5), 0, tolerance, "%s: plaquettes, rectangle and parallelogram of a "
                           "plain walk", name);
                fact_close(worst_of(got + 5, want + 5, 8), 0, tolerance, "%s: Polyakov loops of a plain walk", name);
                for (int a = 0; a < ACTIONS; a++) {
                    double c[3];
                    coefficients(c, a);
                    double s = actions[a].beta * volume * (c[0] * 6 * (1 - want[0]) + c[1] * 12 * (1 - want[3]) +
                                                           c[2] * 16 * (1 - want[4]));
                    fact_close(action_of(a, u) / s, 1, 4 * tolerance, "%s: action %s, relative", name,
                               gauge_action_names[actions[a].action]);
                }
                gauge_free(u);
            }
        memory_free(links);
        lattice_free(l);
    }
}

int main(void)
{
    static const int shapes[][4] = { { 4, 6, 4, 8 }, { 2, 4, 2, 6 } };
    for (int shape = 0; shape < 2; shape++) {
        lattice *l = lattice_create_single(shapes[shape]);
        FOR_EVERY_PLACE(where)
            for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
                char name[64];
                snprintf(name, sizeof name, "%s, %s, %dx%dx%dx%d", place_name(where),
                         p == PRECISION_DOUBLE ? "double" : "single", shapes[shape][0], shapes[shape][1],
                         shapes[shape][2], shapes[shape][3]);
                invariance(l, where, p, name);
            }
        lattice_free(l);
    }
    small_lattices();
    return facts_end();
}
