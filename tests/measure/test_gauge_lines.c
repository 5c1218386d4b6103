/* test_gauge_lines.c - Wilson loops, correlators of Polyakov loops and APE smearing: against plain walks along the
 * links, a constant field in closed form, a change of gauge, and the same bits on every grid. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "src/measure/gauge_lines.h"
#include "src/measure/wilson_loops.h"
#include "src/operators/ape.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/abelian_field.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 2, 4, 6 };
static const ape_params smearing = { 3, 0.4 };
enum { R_MAX = 3, T_MAX = 4, LOOPS = R_MAX * T_MAX };

static double *links_of(const gauge *u)
{
    double *links = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *links, "links");
    gauge_export(links, u);
    return links;
}

static gauge *links_on(lattice *l, place where, const double *links)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    return u;
}

static gauge *smeared(const gauge *u, const ape_params *p)
{
    const field *f = &u->links;
    gauge *v = gauge_create(f->lattice, f->where, f->precision), *w = gauge_create(f->lattice, f->where, f->precision);
    gauge_copy(v, u);
    ape_smear(v, w, p);
    gauge_free(w);
    return v;
}

static void loops_of(double *means, const gauge *space, const gauge *time)
{
    gauge_lines *g = gauge_lines_create(time);
    gauge_lines_loops(means, g, space, time, R_MAX, T_MAX);
    gauge_lines_free(g);
}

/* ---- plain walks */

static matrix3 link_at(const double *links, const int c[4], int mu)
{
    const int *n = extents;
    const size_t rank = (size_t)(c[0] + n[0] * (c[1] + n[1] * (c[2] + n[2] * c[3])));
    return matrix3_load(links + (rank * 4 + (size_t)mu) * 18);
}

static void go(int c[4], int mu, int step)
{
    c[mu] = (c[mu] + step + extents[mu]) % extents[mu];
}

/* The line of `length` links in mu; moves c to its end. */
static matrix3 line(const double *links, int c[4], int mu, int length)
{
    matrix3 path = matrix3_unit();
    for (int n = 0; n < length; n++, go(c, mu, 1))
        path = matrix3_mul(path, link_at(links, c, mu));
    return path;
}

static long double loop_at(const double *space, const double *time, const int x[4], int i, int r, int t)
{
    int low[4], high[4], left[4];
    memcpy(low, x, sizeof low);
    memcpy(left, x, sizeof left);
    const matrix3 bottom = line(space, low, i, r), right = line(time, low, 3, t), side = line(time, left, 3, t);
    memcpy(high, left, sizeof high);
    const matrix3 top = line(space, high, i, r);
    const matrix3 there = matrix3_mul(bottom, right), back = matrix3_mul(matrix3_dagger(top), matrix3_dagger(side));
    return creall(matrix3_trace(matrix3_mul(there, back))) / 3;
}

#define FOR_EVERY_SITE(c)                                 \
    for ((c)[3] = 0; (c)[3] < extents[3]; (c)[3]++)       \
        for ((c)[2] = 0; (c)[2] < extents[2]; (c)[2]++)   \
            for ((c)[1] = 0; (c)[1] < extents[1]; (c)[1]++) \
                for ((c)[0] = 0; (c)[0] < extents[0]; (c)[0]++)

static void loops_by_walking(const gauge *space, const gauge *time, const char *name)
{
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3];
    double means[LOOPS], *s = links_of(space), *t_links = links_of(time), worst = 0;
    loops_of(means, space, time);
    for (int r = 1; r <= R_MAX; r++)
        for (int t = 1; t <= T_MAX; t++) {
            long double sum = 0;
            int c[4];
            FOR_EVERY_SITE(c)
                for (int i = 0; i < 3; i++)
                    sum += loop_at(s, t_links, c, i, r, t);
            worst = worse(worst, fabs(means[(r - 1) * T_MAX + t - 1] - (double)sum / (3 * volume)));
        }
    fact_close(worst, 0, 1e-15, "%s: all W(r, t) are those of a walk along the links", name);
    memory_free(s);
    memory_free(t_links);
}

static void polyakov_by_walking(const gauge *u, const char *name)
{
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3];
    double correlator[R_MAX + 1], *links = links_of(u), worst = 0;
    gauge_lines *g = gauge_lines_create(u);
    gauge_lines_polyakov(correlator, g, u, R_MAX);
    gauge_lines_free(g);
    for (int r = 0; r <= R_MAX; r++) {
        long double sum = 0;
        int c[4];
        FOR_EVERY_SITE(c)
            for (int i = 0; i < 3; i++) {
                int here[4], there[4];
                memcpy(here, c, sizeof here);
                memcpy(there, c, sizeof there);
                go(there, i, r % extents[i]);
                const exact a = matrix3_trace(line(links, here, 3, extents[3]));
                const exact b = matrix3_trace(line(links, there, 3, extents[3]));
                sum += creall(a * conjl(b)) / 9;
            }
        worst = worse(worst, fabs(correlator[r] - (double)sum / (3 * volume)));
    }
    fact_close(worst, 0, 1e-15, "%s: correlators of Polyakov loops are those of a walk", name);
    memory_free(links);
}

/* ---- APE: one level, link by link */

static matrix3 blended(const double *links, const int x[4], int i, double alpha)
{
    matrix3 sum = { { { 0 } } };
    for (int nu = 0; nu < 3; nu++) {
        if (nu == i)
            continue;
        int up[4], ahead[4], down[4], corner[4];
        memcpy(up, x, sizeof up);
        memcpy(ahead, x, sizeof ahead);
        memcpy(down, x, sizeof down);
        go(up, nu, 1);
        go(ahead, i, 1);
        go(down, nu, -1);
        memcpy(corner, down, sizeof corner);
        go(corner, i, 1);
        sum = matrix3_add(sum, 1, matrix3_mul(matrix3_mul(link_at(links, x, nu), link_at(links, up, i)),
                                              matrix3_dagger(link_at(links, ahead, nu))));
        sum = matrix3_add(sum, 1, matrix3_mul(matrix3_mul(matrix3_dagger(link_at(links, down, nu)),
                                                          link_at(links, down, i)), link_at(links, corner, nu)));
    }
    matrix3 v = { { { 0 } } };
    v = matrix3_add(v, 1 - alpha, link_at(links, x, i));
    return matrix3_add(v, alpha / 4, sum);
}

/* How far z U^+V is from hermitian and positive, for the third root z of the inverse phase of det V that fits best. */
static double distance_from_projection(matrix3 u, matrix3 v)
{
    const exact d = matrix3_determinant(v);
    const matrix3 m = matrix3_mul(matrix3_dagger(u), v);
    double best = 10;
    for (int k = -1; k <= 1; k++) {
        const exact z = cexpl(-I * (cargl(d) / 3 + 2 * (long double)M_PI * k / 3));
        matrix3 h = { { { 0 } } };
        h = matrix3_add(h, z, m);
        const double off = matrix3_distance(h, matrix3_dagger(h));
        if (creall(matrix3_trace(h)) > 0)
            best = fmin(best, off);
    }
    return fmax(best, (double)cabsl(matrix3_determinant(u) - 1));
}

static void ape_by_its_definition(const gauge *u, const char *name)
{
    const ape_params one = { 1, 0.4 };
    gauge *v = smeared(u, &one);
    double *before = links_of(u), *after = links_of(v), worst = 0, change = 0;
    int c[4];
    FOR_EVERY_SITE(c) {
        for (int i = 0; i < 3; i++)
            worst = worse(worst, distance_from_projection(link_at(after, c, i), blended(before, c, i, one.alpha)));
        change = worse(change, matrix3_distance(link_at(after, c, 3), link_at(before, c, 3)));
    }
    fact_close(worst, 0, 1e-13, "%s: APE smearing is the projection of (1 - alpha) U + alpha/4 staples", name);
    fact_close(change, 0, 1e-14, "%s: links in t stay", name);
    fact(gauge_plaquette(v).spatial > gauge_plaquette(u).spatial,
         "%s: smeared plaquettes in space are nearer to 1", name);
    memory_free(before);
    memory_free(after);
    gauge_free(v);
}

static void invariance(const gauge *u, const char *name)
{
    const field *f = &u->links;
    gauge_rotation *g = gauge_rotation_create(f->lattice, f->where, f->precision,
                                              rng_key_for(4, 0, 0, RNG_GAUGE_ROTATION));
    gauge *v = gauge_create(f->lattice, f->where, f->precision);
    gauge_copy(v, u);
    gauge_rotate(v, g);
    gauge *u_smeared = smeared(u, &smearing), *v_smeared = smeared(v, &smearing);
    double before[LOOPS], after[LOOPS], c_before[R_MAX + 1], c_after[R_MAX + 1], worst = 0;
    loops_of(before, u_smeared, u);
    loops_of(after, v_smeared, v);
    gauge_lines *lines = gauge_lines_create(u);
    gauge_lines_polyakov(c_before, lines, u, R_MAX);
    gauge_lines_polyakov(c_after, lines, v, R_MAX);
    gauge_lines_free(lines);
    for (int n = 0; n < LOOPS; n++)
        worst = worse(worst, fabs(before[n] - after[n]));
    fact_close(worst, 0, 1e-13, "%s: smeared loops do not depend on the gauge", name);
    worst = 0;
    for (int r = 0; r <= R_MAX; r++)
        worst = worse(worst, fabs(c_before[r] - c_after[r]));
    fact_close(worst, 0, 1e-14, "%s: nor do correlators of Polyakov loops", name);
    gauge_free(u_smeared);
    gauge_free(v_smeared);
    gauge_free(v);
    gauge_rotation_free(g);
}

/* Constant fluxes of an abelian field: smearing in space leaves the links as they are, and the loops in zt are
 * (1 + 2 cos(B_zt r t)) / 3, those in xt and yt are 1. */
static void constant_field(lattice *l, place where)
{
    gauge *u = abelian_constant_flux(l, where), *v = smeared(u, &smearing);
    double worst = 0;
    fact_close(gauge_distance(u, v), 0, 1e-13, "%s: APE smearing leaves a constant abelian field as it is",
               place_name(where));
    double means[LOOPS];
    loops_of(means, v, u);
    for (int r = 1; r <= R_MAX; r++)
        for (int t = 1; t <= T_MAX; t++) {
            const double in_plane = (1 + 2 * cos(abelian_flux(extents, 3) * r * t)) / 3;
            worst = worse(worst, fabs(means[(r - 1) * T_MAX + t - 1] - (2 + in_plane) / 3));
        }
    fact_close(worst, 0, 1e-13, "%s: loops of a constant field: (1 + 2 cos(B r t)) / 3 in its plane",
               place_name(where));
    gauge_free(u);
    gauge_free(v);
}

/* ---- the same bits everywhere */

static uint64_t digest_all(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    gauge *v = smeared(u, &smearing);
    double means[LOOPS], correlator[R_MAX + 1];
    loops_of(means, v, u);
    gauge_lines *g = gauge_lines_create(u);
    gauge_lines_polyakov(correlator, g, u, R_MAX);
    gauge_lines_free(g);
    const uint64_t digest = digest64(digest64(DIGEST64_START, means, sizeof means), correlator,
                                     sizeof correlator);
    gauge_free(v);
    gauge_free(u);
    return digest;
}

/* ---- as a user asks for them */

static void as_measurements(const gauge *u)
{
    yaml_node *tree = measured(u, "kind: wilson_loops, ape_levels: 3, ape_alpha: 0.4, r_max: 1, t_max: 4");
    gauge *v = smeared(u, &smearing);
    double means[LOOPS];
    loops_of(means, v, u);
    const yaml_node *loops = measured_member(tree, "loops");
    fact(loops && loops->count == 1 && loops->item[0]->count == T_MAX
             && measured_number(loops->item[0]->item[3]) == means[3], "the record has W(r, t) as loops[r - 1][t - 1]");
    yaml_tree_free(tree);
    tree = measured(u, "kind: polyakov");
    const polyakov_mean mean = gauge_polyakov(u, 3);
    fact_close(measured_number(measured_member(tree, "abs")), hypot(mean.re, mean.im), 1e-16, "and |L|");
    fact(measured_member(tree, "correlator") && measured_member(tree, "correlator")->count == extents[1] / 2 + 1,
         "C(r) goes to half of the smallest extent in space");
    yaml_tree_free(tree);
    tree = measured(u, "kind: gauge_fixing, gauge: coulomb, quality: 1e-8");
    fact(measured_number(measured_member(tree, "theta")) < 1e-8, "gauge_fixing reports its quality");
    yaml_tree_free(tree);
    measurement_refused(&wilson_loops_measurement, extents, "{ r_max: 2 }",
                        "the smallest extent in space is 2: use at most 1");
    measurement_refused(&wilson_loops_measurement, extents, "{ t_max: 6 }", "the extent in time is 6: use at most 5");
    gauge_free(v);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    double *links = analytic_links(extents, 1.2);
    FOR_EVERY_PLACE(where) {
        gauge *u = links_on(l, where, links), *v = smeared(u, &smearing);
        loops_by_walking(u, u, place_name(where));
        loops_by_walking(v, u, "smeared lines in space");
        polyakov_by_walking(u, place_name(where));
        ape_by_its_definition(u, place_name(where));
        invariance(u, place_name(where));
        constant_field(l, where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_all, "loops and correlators");
        if (where == PLACE_CPU)
            as_measurements(u);
        gauge_free(u);
        gauge_free(v);
    }
    memory_free(links);
    lattice_free(l);
    return facts_end();
}
