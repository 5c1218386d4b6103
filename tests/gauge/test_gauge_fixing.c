/* test_gauge_fixing.c - Landau's and Coulomb's gauge: a stationary point by an independent calculation, loops
 * unchanged, fields with a known maximum, and the same bits on every grid. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_fixing.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/abelian_field.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static gauge_fixing_params params_of(gauge_condition condition)
{
    return (gauge_fixing_params){ condition, GAUGE_FIXING_QUALITY, GAUGE_FIXING_OVERRELAXATION, GAUGE_FIXING_SWEEPS };
}

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

/* F and theta of links, from their definitions; slice: the largest theta of a time slice. */
typedef struct { double functional, theta, slice, largest; } plain_quality;

static size_t rank_of(const int n[4], const int c[4])
{
    return (size_t)(c[0] + n[0] * (c[1] + n[1] * (c[2] + n[2] * c[3])));
}

static plain_quality plain(const int n[4], const double *links, int axes)
{
    const double volume = (double)n[0] * n[1] * n[2] * n[3];
    long double functional = 0, theta = 0, slice = 0, largest = 0;
    int c[4];
    for (c[3] = 0; c[3] < n[3]; c[3]++) {
        const long double before_slice = theta;
        for (c[2] = 0; c[2] < n[2]; c[2]++)
            for (c[1] = 0; c[1] < n[1]; c[1]++)
                for (c[0] = 0; c[0] < n[0]; c[0]++) {
                    matrix3 d = { { { 0 } } };
                    for (int mu = 0; mu < axes; mu++) {
                        int behind[4];
                        memcpy(behind, c, sizeof behind);
                        behind[mu] = (c[mu] + n[mu] - 1) % n[mu];
                        matrix3 here = matrix3_load(links + (4 * rank_of(n, c) + (size_t)mu) * 18);
                        matrix3 before = matrix3_load(links + (4 * rank_of(n, behind) + (size_t)mu) * 18);
                        functional += creall(matrix3_trace(here)) / 3;
                        d = matrix3_add(d, 1, matrix3_algebra_part(here));
                        d = matrix3_add(d, -1, matrix3_algebra_part(before));
                    }
                    const long double norm2 = creall(matrix3_trace(matrix3_mul(matrix3_dagger(d), d))) / 3;
                    theta += norm2;
                    largest = fmaxl(largest, norm2);
                }
        slice = fmaxl(slice, theta - before_slice);
    }
    return (plain_quality){ (double)functional / (axes * volume), (double)theta / volume,
                            (double)slice * n[3] / volume, (double)largest };
}

/* F and theta of the links u as they are. */
static gauge_fixing_result measure(const gauge *u, const gauge_fixing_params *p)
{
    gauge_rotation *g = gauge_rotation_create_unit(u->links.lattice, u->links.where, u->links.precision);
    gauge_fixing_params measure_only = *p;
    measure_only.sweeps = 0;
    const gauge_fixing_result r = gauge_fixing_search(g, u, &measure_only);
    gauge_rotation_free(g);
    return r;
}

static void compare(const gauge *u, gauge_condition condition, double theta_tolerance, const char *name)
{
    const gauge_fixing_params p = params_of(condition);
    const gauge_fixing_result r = measure(u, &p);
    double *links = links_of(u);
    const plain_quality want = plain(lattice_global(u->links.lattice), links, condition == GAUGE_COULOMB ? 3 : 4);
    fact_close(r.functional, want.functional, 1e-14, "%s: F by its definition", name);
    fact_close(r.theta, want.theta, theta_tolerance, "%s: theta by its definition", name);
    if (condition == GAUGE_COULOMB)
        fact_close(r.theta_slice, want.slice, theta_tolerance, "%s: the largest theta of a time slice", name);
    fact_close(r.theta_largest, want.largest, theta_tolerance, "%s: its largest term", name);
    memory_free(links);
}

static void fixes(lattice *l, place where, gauge_condition condition, double width)
{
    const gauge_fixing_params p = params_of(condition);
    double *links = analytic_links(lattice_global(l), width);
    gauge *u = links_on(l, where, links), *v = links_on(l, where, links);
    gauge_rotation *rotation = gauge_rotation_create(l, where, PRECISION_DOUBLE,
                                                     rng_key_for(8, 0, 0, RNG_GAUGE_ROTATION));
    gauge_rotate(u, rotation);
    gauge_rotate(v, rotation);
    char name[96];
    snprintf(name, sizeof name, "%s, %s, width %g", place_name(where), gauge_condition_names[condition], width);
    compare(u, condition, 1e-13, name);

    gauge_rotation *g = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
    gauge_fixing_params ten = p;
    ten.sweeps = 10;
    bool rises = true;
    double last = measure(u, &p).functional;
    for (int n = 0; n < 3; n++) {
        const double now = gauge_fixing_search(g, u, &ten).functional;
        rises = rises && now > last;
        last = now;
    }
    fact(rises, "%s: sweeps raise F", name);
    const gauge_fixing_result r = gauge_fixing_search(g, u, &p);
    note("%s: F %.6f, theta %.3g, largest %.3g, %d sweeps", name, r.functional, r.theta, r.theta_largest,
         (int)r.sweeps);
    fact(r.converged && r.theta < p.quality, "%s: the search reaches its quality", name);
    gauge_rotate(u, g);
    compare(u, condition, 1e-15, name);
    const gauge_fixing_result fixed = measure(u, &p);
    fact(fixed.converged, "%s: the rotated links have it", name);
    fact_close(fixed.functional, r.functional, 1e-13, "%s: and the F of the search", name);
    fact_close(gauge_plaquette(u).average, gauge_plaquette(v).average, 1e-14, "%s: plaquettes are unchanged", name);
    fact_close(gauge_rectangle(u), gauge_rectangle(v), 1e-14, "%s: so are rectangles", name);
    for (int mu = 0; mu < 4; mu++)
        fact_close(hypot(gauge_polyakov(u, mu).re - gauge_polyakov(v, mu).re,
                         gauge_polyakov(u, mu).im - gauge_polyakov(v, mu).im), 0, 1e-14,
                   "%s: and Polyakov loops in direction %d", name, mu);
    fact(gauge_link_quality(u).unitarity < 1e-14, "%s: links stay in SU(3)", name);
    gauge_rotation_free(g);
    gauge_rotation_free(rotation);
    gauge_free(u);
    gauge_free(v);
    memory_free(links);
}

/* Links exp(i theta H), H = diag(1, -1, 0), theta a transverse wave plus the gradient of phi: phi is what the search
 * removes, and F is the mean of (1 + 2 cos theta)/3 of the wave, which is in both gauges. */
static const int extents[4] = { 4, 2, 4, 6 };

static double wave(const int x[4], int mu)
{
    return mu == 1 ? 0.2 * cos(2 * M_PI * (x[2] + 0.25) / extents[2]) : 0;
}

static double phi(const int x[4])
{
    return 0.3 * sin(1.0 + (double)rank_of(extents, x));
}

static double wave_and_gradient(const int x[4], int mu, double parameter)
{
    int next[4];
    (void)parameter;
    memcpy(next, x, sizeof next);
    next[mu] = (x[mu] + 1) % extents[mu];
    return wave(x, mu) + phi(x) - phi(next);
}

static void known_maximum(lattice *l, place where, gauge_condition condition)
{
    const gauge_fixing_params p = params_of(condition);
    const int axes = condition == GAUGE_COULOMB ? 3 : 4;
    double want = 0;
    for (int z = 0; z < extents[2]; z++)
        want += (axes - 1 + (1 + 2 * cos(wave((int[4]){ 0, 0, z, 0 }, 1))) / 3) / (axes * extents[2]);
    gauge *u = abelian_gauge(l, where, wave_and_gradient, 0);
    gauge_rotation *g = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
    const gauge_fixing_result r = gauge_fixing_search(g, u, &p);
    fact_close(r.functional, want, 1e-13,
               "%s, %s: F of a transverse wave, whatever pure gauge is added to it", place_name(where),
               gauge_condition_names[condition]);
    gauge_rotation_free(g);
    gauge_free(u);
}

/* Unit links, but for one time slice of sixteen, in the direction along z: its theta is sixteen times the mean. */
enum { ROUGH_SLICE = 5, LONG_TIME = 16 };

static void one_rough_slice(place where)
{
    const int n[4] = { 4, 4, 4, LONG_TIME };
    lattice *l = lattice_create_single(n);
    gauge *smooth = gauge_create(l, where, PRECISION_DOUBLE), *rough = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(smooth);
    gauge_set_random(rough, rng_key_for(4, 0, 0, RNG_TEST));
    double *links = links_of(smooth), *random = links_of(rough);
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * GAUGE_REALS;
    memcpy(links + ROUGH_SLICE * slice, random + ROUGH_SLICE * slice, slice * sizeof *links);
    gauge_import(rough, links);
    gauge_fixing_params p = params_of(GAUGE_COULOMB);
    gauge_rotation *g = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
    p.overrelaxation = 1;
    for (double quality = 1e-3; quality > 1e-6; quality /= 2) {
        p.quality = quality;
        const gauge_fixing_result r = gauge_fixing_search(g, rough, &p);
        if (!r.converged || !(r.theta_slice < quality) || !(fabs(r.theta_slice / (LONG_TIME * r.theta) - 1) < 1e-9))
            fact(false, "theta of a slice %g, mean %g, quality %g", r.theta_slice, r.theta, quality);
    }
    gauge_rotate(rough, g);
    double *fixed = links_of(rough);
    const plain_quality q = plain(n, fixed, 3);
    fact(q.slice < 2 * p.quality && q.slice > 10 * q.theta, "%s: a slice whose theta is above the mean (%g, %g) "
                                                            "decides",
         place_name(where), q.slice, q.theta);
    p.sweeps = 10;
    p.quality = 1e-30;
    const gauge_fixing_result r = gauge_fixing_search(g, rough, &p);
    failure f;
    fact(!gauge_fixing_check(&r, &p, &f) && strstr(f.why, "the largest theta of a time slice is"),
         "%s: a search without success names it", place_name(where));
    memory_free(fixed);
    memory_free(random);
    memory_free(links);
    gauge_rotation_free(g);
    gauge_free(rough);
    gauge_free(smooth);
    lattice_free(l);
}

static void disappoints(lattice *l)
{
    gauge_fixing_params p = params_of(GAUGE_LANDAU);
    p.sweeps = 7;
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(2, 0, 0, RNG_TEST));
    gauge_rotation *g = gauge_rotation_create_unit(l, PLACE_CPU, PRECISION_DOUBLE);
    const gauge_fixing_result r = gauge_fixing_search(g, u, &p);
    failure f;
    fact(!r.converged && r.sweeps == 7, "too few sweeps are a result: not converged");
    fact(!gauge_fixing_check(&r, &p, &f) && strstr(f.why, "after 7 sweeps") && strstr(f.why, "below 1e-14"),
         "with the numbers in words");
    gauge_rotation_free(g);
    gauge_free(u);
}

/* ---- the same bits everywhere */

static uint64_t digest_all(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    for (gauge_condition condition = GAUGE_LANDAU; condition <= GAUGE_COULOMB; condition++) {
        gauge_fixing_params p = params_of(condition);
        p.quality = 1e-6;
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
        gauge_rotation *g = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
        const gauge_fixing_result r = gauge_fixing_search(g, u, &p);
        gauge_rotate(u, g);
        double *links = links_of(u);
        const double numbers[5] = { r.functional, r.theta, r.theta_slice, r.theta_largest, (double)r.sweeps };
        digest = digest64(digest, links, (size_t)lattice_volume(l) * GAUGE_REALS * sizeof *links);
        digest = digest64(digest, numbers, sizeof numbers);
        memory_free(links);
        gauge_rotation_free(g);
        gauge_free(u);
    }
    return digest;
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        for (gauge_condition condition = GAUGE_LANDAU; condition <= GAUGE_COULOMB; condition++) {
            fixes(l, where, condition, 1.2);
            fixes(l, where, condition, 0.4);
            known_maximum(l, where, condition);
        }
        one_rough_slice(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_all, "fixed links and quality");
    }
    disappoints(l);
    lattice_free(l);
    return facts_end();
}
