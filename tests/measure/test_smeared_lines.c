/* test_smeared_lines.c - Wilson loops off the axes, and hypercubic smearing: against plain walks along the links and
 * the definition in long double, a constant field in closed form, a change of gauge, and the same bits on every grid.
 */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "src/measure/gauge_lines.h"
#include "src/measure/wilson_loops.h"
#include "src/operators/ape.h"
#include "src/operators/hyp.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/abelian_field.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int extents[4] = { 4, 2, 4, 6 };
enum { N_MAX = 2, T_MAX = 3, LOOPS = N_MAX * T_MAX, BACK = 4, STEPS_MOST = 3 };

static double *links_of(const gauge *u)
{
    double *links = memory_alloc((size_t)lattice_volume(u->links.lattice) * GAUGE_REALS * sizeof *links, "links");
    gauge_export(links, u);
    return links;
}

static gauge *hyp_of(const gauge *u, const hyp_params *p)
{
    gauge *v = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    hyp_levels *h = hyp_levels_create(u);
    hyp_smear(v, u, h, p);
    hyp_levels_free(h);
    return v;
}

static void loops_of(double means[LINE_DIRECTIONS][LOOPS], const gauge *space, const gauge *time)
{
    gauge_lines *g = gauge_lines_create(time);
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        gauge_lines_loops_along(means[d], g, space, time, &line_directions[d], N_MAX, T_MAX);
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
    c[mu] = (c[mu] + step + 4 * extents[mu]) % extents[mu];
}

/* The transporter along a step, mu or mu + BACK; moves c. */
static matrix3 hop(const double *links, int c[4], int step)
{
    if (step < BACK) {
        matrix3 forward = link_at(links, c, step);
        go(c, step, 1);
        return forward;
    }
    go(c, step - BACK, -1);
    return matrix3_dagger(link_at(links, c, step - BACK));
}

static matrix3 walk(const double *links, int c[4], const int *step, int count, int times)
{
    matrix3 path = matrix3_unit();
    for (int n = 0; n < times; n++)
        for (int s = 0; s < count; s++)
            path = matrix3_mul(path, hop(links, c, step[s]));
    return path;
}

#define FOR_EVERY_SITE(c)                                 \
    for ((c)[3] = 0; (c)[3] < extents[3]; (c)[3]++)       \
        for ((c)[2] = 0; (c)[2] < extents[2]; (c)[2]++)   \
            for ((c)[1] = 0; (c)[1] < extents[1]; (c)[1]++) \
                for ((c)[0] = 0; (c)[0] < extents[0]; (c)[0]++)

/* The mean over sites of the loops with n times this path in space. */
static long double loop_along(const double *space, const double *time, const int *step, int count, int n, int t)
{
    static const int up = 3;
    long double sum = 0;
    int c[4];
    FOR_EVERY_SITE(c) {
        int low[4], left[4];
        memcpy(low, c, sizeof low);
        memcpy(left, c, sizeof left);
        const matrix3 bottom = walk(space, low, step, count, n), right = walk(time, low, &up, 1, t);
        const matrix3 side = walk(time, left, &up, 1, t), top = walk(space, left, step, count, n);
        const matrix3 there = matrix3_mul(bottom, right), back = matrix3_mul(side, top);
        sum += creall(matrix3_trace(matrix3_mul(there, matrix3_dagger(back)))) / 3;
    }
    return sum / (extents[0] * extents[1] * extents[2] * extents[3]);
}

/* All paths of a direction, by counting through all sequences of steps: those that end at a vector of the right kind,
 * and for (2,1,0) have the short side in the middle.  Both ways along a path count, which does not change the mean. */
static long double mean_by_walking(const double *space, const double *time, int direction, int n, int t)
{
    static const int kind[LINE_DIRECTIONS][3] = { { 1, 1, 0 }, { 1, 1, 1 }, { 2, 1, 0 } };
    const int count = kind[direction][0] + kind[direction][1] + kind[direction][2];
    long double sum = 0;
    int paths = 0;
    for (int code = 0; code < 6 * 6 * 6; code++) {
        int step[STEPS_MOST], end[3] = { 0, 0, 0 }, of_size[3] = { 0, 0, 0 }, rest = code;
        for (int s = 0; s < STEPS_MOST; s++, rest /= 6) {
            step[s] = rest % 6 < 3 ? rest % 6 : rest % 6 - 3 + BACK;
            if (s < count)
                end[step[s] % BACK] += step[s] < BACK ? 1 : -1;
        }
        for (int i = 0; i < 3; i++)
            of_size[abs(end[i]) < 3 ? abs(end[i]) : 0]++;
        const bool wanted = (direction == 0 && code < 36 && of_size[1] == 2 && of_size[0] == 1)
                            || (direction == 1 && of_size[1] == 3)
                            || (direction == 2 && of_size[2] == 1 && of_size[1] == 1 && step[0] == step[2]);
        if (!wanted)
            continue;
        sum += loop_along(space, time, step, count, n, t);
        paths++;
    }
    static const int expected[LINE_DIRECTIONS] = { 24, 48, 24 };
    if (paths != expected[direction])
        fact(false, "the test walks %d paths instead of %d", paths, expected[direction]);
    return sum / paths;
}

static void loops_by_walking(const gauge *space, const gauge *time, const char *name)
{
    double means[LINE_DIRECTIONS][LOOPS], *s = links_of(space), *t_links = links_of(time);
    loops_of(means, space, time);
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        double worst = 0;
        for (int n = 1; n <= N_MAX; n++)
            for (int t = 1; t <= T_MAX; t += 2)
                worst = worse(worst, fabs(means[d][(n - 1) * T_MAX + t - 1]
                                         - (double)mean_by_walking(s, t_links, d, n, t)));
        fact_close(worst, 0, 1e-15, "%s: W along %s is that of walks along all paths", name, line_directions[d].name);
    }
    memory_free(s);
    memory_free(t_links);
}

/* ---- hypercubic smearing by its definition, recursively */

/* The SU(3) matrix nearest to v, whose singular values are below sqrt(3): W <- W (3 - W^+W)/2, then the phase. */
static matrix3 project(matrix3 v)
{
    enum { ITERATIONS = 60 };
    for (int i = 0; i < ITERATIONS; i++) {
        matrix3 factor = { { { 0 } } };
        factor = matrix3_add(factor, 1.5L, matrix3_unit());
        factor = matrix3_add(factor, -0.5L, matrix3_mul(matrix3_dagger(v), v));
        v = matrix3_mul(v, factor);
    }
    matrix3 w = { { { 0 } } };
    return matrix3_add(w, cexpl(-I * cargl(matrix3_determinant(v)) / 3), v);
}

typedef struct { const double *links; hyp_params p; } definition;

/* The link of level 3 (thin) ... 0 (smeared) in mu at c; `out`: the directions that it may not go to, a set of bits. */
static matrix3 decorated(const definition *d, int level, const int c[4], int mu, int out)
{
    const matrix3 thin = link_at(d->links, c, mu);
    if (level == 3)
        return thin;
    const int staples = 6 - 2 * level;
    matrix3 sum = { { { 0 } } }, blend = { { { 0 } } };
    for (int nu = 0; nu < 4; nu++) {
        if (nu == mu || out >> nu & 1)
            continue;
        /* A link in a side of mu's staple may not go to mu and nu again, nor where mu may not. */
        const int side = level == 2 ? 0 : out | 1 << mu, center = level == 2 ? 0 : out | 1 << nu;
        for (int sign = -1; sign <= 1; sign += 2) {
            int x[4], x_nu[4], x_mu[4];
            memcpy(x, c, sizeof x);
            memcpy(x_nu, c, sizeof x_nu);
            memcpy(x_mu, c, sizeof x_mu);
            go(x_nu, nu, sign);
            go(x_mu, mu, 1);
            if (sign < 0) {
                go(x, nu, -1);
                go(x_mu, nu, -1);
            }
            const matrix3 first = decorated(d, level + 1, x, nu, side), last = decorated(d, level + 1, x_mu, nu, side);
            const matrix3 middle = decorated(d, level + 1, x_nu, mu, center);
            sum = matrix3_add(sum, 1, sign > 0
                ? matrix3_mul(matrix3_mul(first, middle), matrix3_dagger(last))
                : matrix3_mul(matrix3_mul(matrix3_dagger(first), middle), last));
        }
    }
    blend = matrix3_add(blend, 1 - d->p.alpha[level], thin);
    return project(matrix3_add(blend, d->p.alpha[level] / staples, sum));
}

/* `published`: the parameters of the definition. */
static void hyp_by_its_definition(const gauge *u, const hyp_params *p, hyp_params published, const char *name)
{
    gauge *v = hyp_of(u, p);
    double *before = links_of(u), *after = links_of(v), worst = 0;
    const definition d = { before, published };
    int c[4];
    FOR_EVERY_SITE(c)
        for (int mu = 0; mu < 4 && (c[0] + 2 * c[1] + 3 * c[2] + 5 * c[3]) % 29 == 0; mu++)
            worst = worse(worst, matrix3_distance(link_at(after, c, mu), decorated(&d, 0, c, mu, 0)));
    fact_close(worst, 0, 1e-13, "%s: hypercubic smearing is that of its definition", name);
    fact(gauge_plaquette(v).average > gauge_plaquette(u).average, "%s: smeared plaquettes are nearer to 1", name);
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
    gauge *u_smeared = hyp_of(u, &hyp2), *v_smeared = hyp_of(v, &hyp2);
    double before[LINE_DIRECTIONS][LOOPS], after[LINE_DIRECTIONS][LOOPS], worst = 0;
    loops_of(before, u, u_smeared);
    loops_of(after, v, v_smeared);
    gauge_rotate(u_smeared, g);
    fact_close(gauge_distance(u_smeared, v_smeared), 0, 1e-12, "%s: hypercubic smearing is covariant", name);
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        for (int n = 0; n < LOOPS; n++)
            worst = worse(worst, fabs(before[d][n] - after[d][n]));
    fact_close(worst, 0, 1e-13, "%s: loops off the axes do not depend on the gauge", name);
    gauge_free(u_smeared);
    gauge_free(v_smeared);
    gauge_free(v);
    gauge_rotation_free(g);
}

/* Links exp(i theta H), H = diag(1, -1, 0), with constant fluxes: smearing leaves them as they are, and a loop with z
 * in space is (1 + 2 cos(B_zt z t)) / 3, whatever its path. */
static double of_flux(int z, int t)
{
    return (1 + 2 * cos(abelian_flux(extents, 3) * z * t)) / 3;
}

static void constant_field(lattice *l, place where)
{
    gauge *u = abelian_constant_flux(l, where), *v = hyp_of(u, &hyp1);
    double means[LINE_DIRECTIONS][LOOPS], worst = 0;
    fact_close(gauge_distance(u, v), 0, 1e-12, "%s: hypercubic smearing leaves a constant abelian field as it is",
               place_name(where));
    loops_of(means, v, u);
    for (int n = 1; n <= N_MAX; n++)
        for (int t = 1; t <= T_MAX; t++) {
            const int at = (n - 1) * T_MAX + t - 1;
            worst = worse(worst, fabs(means[0][at] - (1 + 2 * of_flux(n, t)) / 3));
            worst = worse(worst, fabs(means[1][at] - of_flux(n, t)));
            worst = worse(worst, fabs(means[2][at] - (1 + of_flux(n, t) + of_flux(2 * n, t)) / 3));
        }
    fact_close(worst, 0, 1e-12, "%s: loops off the axes in a constant field, in closed form", place_name(where));
    gauge_free(u);
    gauge_free(v);
}

static uint64_t digest_all(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    gauge *v = hyp_of(u, &hyp1);
    double means[LINE_DIRECTIONS][LOOPS];
    loops_of(means, u, v);
    gauge_free(v);
    gauge_free(u);
    return digest64(DIGEST64_START, means, sizeof means);
}

/* The lines in space are smeared by APE, whatever the links in time are. */
static void smeared_in_space(const gauge *u)
{
    static const char *const times[] = { "thin", "hyp1", "hyp2" };
    const field *f = &u->links;
    gauge *space = gauge_create(f->lattice, f->where, f->precision), *spare = gauge_create(f->lattice, f->where,
                                                                                         f->precision);
    gauge_copy(space, u);
    ape_smear(space, spare, &(ape_params){ .levels = 2, .alpha = 0.4 });
    for (int k = 0; k < 3; k++) {
        char keys[160];
        snprintf(keys, sizeof keys, "kind: wilson_loops, ape_levels: 2, ape_alpha: 0.4, r_max: 1, t_max: 3, "
                                    "off_axis: true, time_links: %s", times[k]);
        yaml_node *tree = measured(u, keys);
        gauge *time = k > 0 ? hyp_of(u, k == 1 ? &hyp1 : &hyp2) : NULL;
        double means[LINE_DIRECTIONS][LOOPS];
        loops_of(means, space, time ? time : u);
        const yaml_node *loops = measured_member(tree, "loops_110");
        fact(loops && fabs(measured_number(loops->item[0]->item[2]) - means[0][2]) < 1e-15,
             "links in space are smeared with time_links: %s", times[k]);
        gauge_free(time);
        yaml_tree_free(tree);
    }
    gauge_free(spare);
    gauge_free(space);
}

/* As a user asks for them. */
static void as_measurement(const gauge *u)
{
    static const char *const keys[LINE_DIRECTIONS] = { "loops_110", "loops_111", "loops_210" };
    static const int four[4] = { 4, 4, 4, 6 };
    yaml_node *tree = measured(u, "kind: wilson_loops, ape_levels: 0, r_max: 1, t_max: 3, off_axis: true, "
                                  "time_links: hyp2");
    gauge *v = hyp_of(u, &hyp2);
    double means[LINE_DIRECTIONS][LOOPS];
    loops_of(means, u, v);
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        const yaml_node *loops = measured_member(tree, keys[d]);
        if (d == 2)
            fact(!loops, "(2,1,0) is longer than r_max: 1");
        else
            fact(loops && loops->count == 1 && loops->item[0]->count == T_MAX
                     && fabs(measured_number(loops->item[0]->item[2]) - means[d][2]) < 1e-15,
                 "the record has %s", keys[d]);
    }
    yaml_tree_free(tree);
    measurement_refused(&wilson_loops_measurement, four, "{ time_links: hyp1, distance: wilson }",
                        "thin links in time");
    measurement_refused(&wilson_loops_measurement, four, "{ t_max: 3, t_potential: 3 }", "use at most 2");
    gauge_free(v);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    double *links = analytic_links(extents, 0.7);
    FOR_EVERY_PLACE(where) {
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v;
        gauge_import(u, links);
        v = hyp_of(u, &hyp1);
        loops_by_walking(u, v, place_name(where));
        /* A. Hasenfratz and F. Knechtli, hep-lat/0103029; M. Della Morte, A. Shindler, R. Sommer, hep-lat/0506008 */
        hyp_by_its_definition(u, &hyp1, (hyp_params){ { 0.75, 0.6, 0.3 } }, "HYP1");
        hyp_by_its_definition(u, &hyp2, (hyp_params){ { 1, 1, 0.5 } }, "HYP2");
        invariance(u, place_name(where));
        constant_field(l, where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_all, "loops off the axes and hypercubic smearing");
        if (where == PLACE_CPU) {
            as_measurement(u);
            smeared_in_space(u);
        }
        gauge_free(u);
        gauge_free(v);
    }
    memory_free(links);
    lattice_free(l);
    return facts_end();
}
