/* test_zeuthen_flow.c - the term that the Zeuthen flow adds to the Symanzik flow: on abelian links a plain second
 * difference of the force; and the same bits on every grid.  test_flow.c has its covariance and the order of its
 * integrator. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/gauge_flow.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/abelian_field.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 8 };

static void follow(gauge *u, flow_action action, double eps)
{
    failure f;
    gauge_flow *g = gauge_flow_create(action, FLOW_FIXED, u);
    require(gauge_flow_step(g, u, eps, &f), "%s", f.why);
    gauge_flow_free(g);
}

/* Links exp(i theta H): a weak field of all wave lengths. */
static double weak_noise(const int x[4], int mu, double amplitude)
{
    return amplitude * sin(1.0 + 37.0 * x[0] + 101.0 * x[1] * x[1] + 53.0 * x[2] + 211.0 * x[3] * x[0] + 17.0 * mu);
}

static size_t angle_index(const int x[4], int mu)
{
    const int *n = extents;
    return 4 * (size_t)(x[0] + n[0] * (x[1] + n[1] * (x[2] + n[2] * x[3]))) + (size_t)mu;
}

/* For abelian links the Zeuthen flow moves the angle of a link by (1 + D/12) what the Symanzik flow does, D the plain
 * second difference in its direction. */
static void zeuthen_rates(lattice *l, place where)
{
    const double eps = 1e-5;
    gauge *start = abelian_gauge(l, PLACE_CPU, weak_noise, 1e-2), *u[2];
    double *before = abelian_angles(start), *after[2], worst = 0, largest = 0, differ = 0;
    for (int n = 0; n < 2; n++) {
        u[n] = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_copy(u[n], start);
        follow(u[n], n ? FLOW_ZEUTHEN : FLOW_SYMANZIK, eps);
        after[n] = abelian_angles(u[n]);
    }
    int x[4];
    for (x[3] = 0; x[3] < extents[3]; x[3]++)
        for (x[2] = 0; x[2] < extents[2]; x[2]++)
            for (x[1] = 0; x[1] < extents[1]; x[1]++)
                for (x[0] = 0; x[0] < extents[0]; x[0]++)
                    for (int mu = 0; mu < 4; mu++) {
                        int up[4], down[4];
                        memcpy(up, x, sizeof up);
                        memcpy(down, x, sizeof down);
                        up[mu] = (x[mu] + 1) % extents[mu];
                        down[mu] = (x[mu] + extents[mu] - 1) % extents[mu];
                        const size_t i = angle_index(x, mu), a = angle_index(up, mu), b = angle_index(down, mu);
                        const double here = after[0][i] - before[i], there = after[0][a] - before[a];
                        const double want = here + (there - 2 * here + after[0][b] - before[b]) / 12;
                        worst = worse(worst, fabs(after[1][i] - before[i] - want) / eps);
                        differ = worse(differ, fabs(want - here) / eps);
                        largest = worse(largest, fabs(here) / eps);
                    }
    fact(differ > 0.1 * largest, "the Zeuthen flow differs from the Symanzik flow");
    fact_close(worst / largest, 0, 1e-3, "%s: on abelian links by the second difference over 12", place_name(where));
    for (int n = 0; n < 2; n++) {
        memory_free(after[n]);
        gauge_free(u[n]);
    }
    memory_free(before);
    gauge_free(start);
}

/* ---- the same bits everywhere */

static uint64_t digest_flow(lattice *l, place where)
{
    const size_t bytes = (size_t)lattice_volume(l) * GAUGE_REALS * sizeof(double);
    double *links = memory_alloc(bytes, "links");
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    follow(u, FLOW_ZEUTHEN, 0.02);
    follow(u, FLOW_ZEUTHEN, 0.02);
    gauge_export(links, u);
    const uint64_t digest = digest64(DIGEST64_START, links, bytes);
    memory_free(links);
    gauge_free(u);
    return digest;
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        zeuthen_rates(l, where);
        same_on_grids(where, extents, digest_flow, "links along the flow");
    }
    lattice_free(l);
    return facts_end();
}
