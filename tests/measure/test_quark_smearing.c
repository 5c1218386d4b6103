/* test_quark_smearing.c - Gaussian smearing of quarks: plane waves in closed form, random links by plain loops, gauge
 * covariance, smeared links, and mesons of free quarks with smeared sources and sinks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/quark_smearing.h"
#include "src/measure/wilson_measurement.h"
#include "src/operators/ape.h"
#include "src/operators/stout.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/free_wilson.h"
#include "tests/measure/plain_smearing.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { NX = 4, NY = 2, NZ = 4, NT = 2, SITES = NX * NY * NZ * NT, SPINOR = 12, NUMBERS = SITES * SPINOR };
static const int extents[4] = { NX, NY, NZ, NT };

/* ---- spinors as arrays [t][z][y][x][spin][color] */

static void get(double complex *numbers, spinor_field v)
{
    double *half = memory_alloc(2 * NUMBERS * sizeof *half, "a spinor");
    memset(numbers, 0, NUMBERS * sizeof *numbers);
    for (int parity = 0; parity < 2; parity++) {
        vec_export(half, parity ? v.odd : v.even);
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] += half[2 * i] + I * half[2 * i + 1];
    }
    memory_free(half);
}

static void set(spinor_field v, const double complex *numbers)
{
    vec_import(v.even, (const double *)numbers);
    vec_import(v.odd, (const double *)numbers);
}

static double difference(const double complex *a, const double complex *b)
{
    double worst = 0, size = 0;
    for (int i = 0; i < NUMBERS; i++) {
        worst = worse(worst, cabs(a[i] - b[i]));
        size = fmax(size, cabs(b[i]));
    }
    return worst / size;
}

typedef struct { double complex psi[NUMBERS], want[NUMBERS], links[SITES * 4 * 9], rotation[SITES * 9]; } arrays;

/* smears v of links u by these parameters, into psi */
static void smear(double complex *psi, spinor_field v, const gauge *u, const quark_smearing_params *p)
{
    quark_smearing *s = quark_smearing_create(p, u);
    quark_smearing_update(s, u);
    quark_smearing_apply(s, v);
    get(psi, v);
    quark_smearing_free(s);
}

/* exp(ip.x) has the eigenvalue (1 - w^2/4n sum 4 sin^2 p/2)^n. */
static void plane_waves(place where, lattice *l, arrays *a)
{
    const quark_smearing_params p = { .steps = 5, .width = 1.3, .source = true };
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    spinor_field v = spinor_field_create(u, 1);
    double worst = 0;
    for (int wave = 0; wave < NX * NY * NZ; wave++) {
        const int k[3] = { wave % NX, wave / NX % NY, wave / NX / NY };
        double square = 0;
        for (int i = 0; i < 3; i++)
            square += pow(2 * sin(M_PI * k[i] / extents[i]), 2);
        for (int site = 0; site < SITES; site++) {
            const int x[3] = { site % NX, site / NX % NY, site / NX / NY % NZ };
            double phase = 0;
            for (int i = 0; i < 3; i++)
                phase += 2 * M_PI * k[i] * x[i] / extents[i];
            for (int i = 0; i < SPINOR; i++)
                a->psi[SPINOR * site + i] = cexp(I * phase) * (1 + i);
        }
        for (int i = 0; i < NUMBERS; i++)
            a->want[i] = a->psi[i] * pow(1 - p.width * p.width / (4.0 * p.steps) * square, p.steps);
        set(v, a->psi);
        smear(a->psi, v, u, &p);
        for (int i = 0; i < NUMBERS; i++)
            worst = worse(worst, cabs(a->psi[i] - a->want[i]) / SPINOR);
    }
    fact_close(worst, 0, 1e-14, "%s: plane waves on unit links have the eigenvalues of the formula", place_name(where));
    spinor_field_free(v);
    gauge_free(u);
}

static void set_gaussian(spinor_field v)
{
    vec_set_gaussian(v.even, rng_key_for(3, 0, 0, RNG_TEST), 0);
    vec_set_gaussian(v.odd, rng_key_for(3, 0, 0, RNG_TEST), 0);
}

/* Each kind of links against plain loops on links that are smeared before. */
static void random_links(place where, lattice *l, arrays *a)
{
    static const quark_smearing_params cases[] = {
        { .steps = 1, .width = 0.7, .source = true }, { .steps = 4, .width = 1.1, .source = true },
        { .steps = 3, .width = 1, .source = true, .links = SMEARING_APE, .levels = 2, .alpha = 0.6 },
        { .steps = 3, .width = 1, .source = true, .links = SMEARING_STOUT, .levels = 2, .rho = 0.12 },
    };
    static const char *const names[] = { "one step", "thin links", "APE links", "stout links" };
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *smooth = gauge_create(l, where, PRECISION_DOUBLE);
    gauge *scratch = gauge_create(l, where, PRECISION_DOUBLE);
    spinor_field v = spinor_field_create(u, 1);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const quark_smearing_params *p = &cases[c];
        gauge_copy(smooth, u);
        if (p->links == SMEARING_APE)
            ape_smear(smooth, scratch, &(ape_params){ p->levels, p->alpha });
        stout *s = stout_create(&(stout_params){ p->links == SMEARING_STOUT ? p->levels : 0, p->rho, true }, u);
        gauge_export((double *)a->links, s ? stout_links(s, u) : smooth);
        stout_free(s);
        set_gaussian(v);
        get(a->want, v);
        plain_smear(a->want, &(plain_smearing){ extents, a->links, (int)p->steps, p->width });
        smear(a->psi, v, u, p);
        fact_close(difference(a->psi, a->want), 0, 1e-13, "%s: %s, as plain loops do it", place_name(where), names[c]);
    }
    spinor_field_free(v);
    gauge_free(scratch);
    gauge_free(smooth);
    gauge_free(u);
}

static void rotate(double complex *psi, const double complex *g)
{
    for (int site = 0; site < SITES; site++) {
        double complex turned[SPINOR] = { 0 };
        plain_add_product(turned, g + 9 * site, false, psi + SPINOR * site);
        memcpy(psi + SPINOR * site, turned, sizeof turned);
    }
}

/* S[U^g] g psi = g S[U] psi */
static void covariance(place where, lattice *l, arrays *a)
{
    static const quark_smearing_params p = { .steps = 3, .width = 1, .source = true, .links = SMEARING_APE,
                                             .levels = 1, .alpha = 0.5 };
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(8, 0, 0, RNG_TEST));
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    spinor_field v = spinor_field_create(u, 1);
    field_export((double *)a->rotation, &g->f);
    set_gaussian(v);
    smear(a->want, v, u, &p);
    rotate(a->want, a->rotation);
    set_gaussian(v);
    get(a->psi, v);
    rotate(a->psi, a->rotation);
    set(v, a->psi);
    gauge_rotate(u, g);
    smear(a->psi, v, u, &p);
    fact_close(difference(a->psi, a->want), 0, 1e-13, "%s: smearing is gauge covariant", place_name(where));
    spinor_field_free(v);
    gauge_rotation_free(g);
    gauge_free(u);
}

/* ---- the measurement */

static const int in_time[4] = { 4, 2, 2, 6 };

/* Smearing commutes with the propagator of free quarks: a factor for source and sink of each quark. */
static void free_mesons(place where)
{
    static const struct { const char *keys; bool source, sink; } cases[] = {
        { "smearing: { steps: 6, width: 1.4 }", true, true },
        { "smearing: { steps: 6, width: 1.4, sink: false }", true, false },
        { "smearing: { steps: 6, width: 1.4, source: false, links: ape, levels: 2 }", false, true },
    };
    lattice *l = lattice_create_single(in_time);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char keys[256];
        snprintf(keys, sizeof keys, "source: [3, 1, 0, 4], random_sources: 0, spectrum: false, masses: [ { mass: 0.3 },"
                 " { mass: 0.5 } ], pairs: [ { quark: 0, antiquark: 1 } ], %s", cases[c].keys);
        yaml_node *tree = wilson_measured(u, keys);
        const yaml_node *sinks = measured_of_mass(tree, 0, "smeared");
        const free_smearing by = { .steps = 6, .width = 1.4, .source = cases[c].source, .sink = false };
        free_smearing at_sink = by;
        at_sink.sink = true;
        double local = 0, smeared = 0, pair = 0;
        for (int t = 0; t < in_time[3]; t++) {
            const int none[3] = { 0 };
            const yaml_node *list = sinks ? yaml_get(sinks, "pion") : NULL;
            const yaml_node *mixed = yaml_get(measured_member(tree, "pairs")->item[0], "smeared");
            local = worse(local, fabs(measured_item(tree, 0, "pion", t)
                                      / free_pion(0.3, 0.3, &by, none, in_time, t) - 1));
            if (!cases[c].sink)
                continue;
            smeared = worse(smeared, fabs(measured_number(list->item[t])
                                          / free_pion(0.3, 0.3, &at_sink, none, in_time, t) - 1));
            pair = worse(pair, fabs(measured_number(yaml_get(mixed, "pion")->item[t])
                                    / free_pion(0.3, 0.5, &at_sink, none, in_time, t) - 1));
        }
        fact_close(local, 0, 1e-11, "%s: { %s } free pion with local sinks", place_name(where), cases[c].keys);
        fact(!sinks == !cases[c].sink, "smeared sinks where they were requested");
        if (cases[c].sink)
            fact_close(smeared, 0, 1e-11, "%s: with smeared sinks", place_name(where));
        if (cases[c].sink)
            fact_close(pair, 0, 1e-11, "%s: of two masses", place_name(where));
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

/* The Ward identity of domain-wall quarks holds for any source; correlators do not depend on the gauge. */
static void domain_walls(place where)
{
    static const char keys[] = "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, residual: 1e-12, "
        "random_sources: 0, spectrum: false, masses: [ { mass: 0.2 } ], source: [1, 0, 1, 1], "
        "smearing: { steps: 3, width: 1.1, links: stout, levels: 1, rho: 0.1 }";
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(9, 0, 0, RNG_TEST));
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    yaml_node *before = measured(u, keys);
    gauge_rotate(u, g);
    yaml_node *after = measured(u, keys);
    const yaml_node *one = yaml_get(measured_of_mass(before, 0, "smeared"), "pion");
    const yaml_node *two = yaml_get(measured_of_mass(after, 0, "smeared"), "pion");
    double midpoint = 0, pion = 0, worst = 0;
    for (int t = 0; t < NT; t++) {
        midpoint += measured_item(before, 0, "midpoint", t);
        pion += measured_item(before, 0, "pion", t);
        worst = worse(worst, fabs(measured_number(one->item[t]) / measured_number(two->item[t]) - 1));
    }
    fact_close(midpoint / pion, measured_real(before, 0, "residual_mass"), 1e-9,
               "%s: Ward identity of domain-wall quarks with a smeared source", place_name(where));
    fact_close(worst, 0, 1e-9, "%s: their smeared pion does not change with the gauge", place_name(where));
    yaml_tree_free(before);
    yaml_tree_free(after);
    gauge_rotation_free(g);
    gauge_free(u);
    lattice_free(l);
}

static uint64_t digest_smeared(lattice *l, place where)
{
    static const quark_smearing_params p = { .steps = 3, .width = 1, .source = true, .links = SMEARING_STOUT,
                                             .levels = 1, .rho = 0.1 };
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    quark_smearing *s = quark_smearing_create(&p, u);
    spinor_field v = spinor_field_create(u, 1);
    set_gaussian(v);
    quark_smearing_update(s, u);
    quark_smearing_apply(s, v);
    const double norm[2] = { vec_norm2(v.even), vec_norm2(v.odd) };
    spinor_field_free(v);
    quark_smearing_free(s);
    gauge_free(u);
    return digest64(DIGEST64_START, norm, sizeof norm);
}

static void refusals(void)
{
#define MASSES "masses: [ { mass: 0.1 } ]\n"
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, MASSES "smearing: { steps: 3 }\n", "give the width");
    measurement_refused(kind, extents, MASSES "smearing: { width: 3 }\n", "give steps");
    measurement_refused(kind, extents, MASSES "smearing: { steps: 3, width: 2 }\n", "the shortest waves grow");
    measurement_refused(kind, extents, MASSES "smearing: { steps: 3, width: 1, links: ape }\n", "need levels");
    measurement_refused(kind, extents, MASSES "smearing: { steps: 3, width: 1, links: stout, levels: 2 }\n",
                        "need rho");
    measurement_refused(kind, extents, MASSES "smearing: { steps: 3, width: 1, source: false, sink: false }\n",
                        "neither source nor sink");
    measurement_refused(kind, extents, MASSES "theta: [0, 0, 1]\nsmearing: { steps: 3, width: 1 }\n", "theta");
    measurement_refused(kind, extents, MASSES "source_type: wall\nsmearing: { steps: 3, width: 1 }\n",
                        "wall of Coulomb's gauge is not smeared");
    measurement_refused(&dwf_measurement, extents,
                        MASSES "action: shamir\nLs: 4\ncorrelators: false\nsmearing: { steps: 3, width: 1 }\n",
                        "correlators");
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    arrays *a = memory_alloc(sizeof *a, "arrays");
    FOR_EVERY_PLACE(where) {
        plane_waves(where, l, a);
        random_links(where, l, a);
        covariance(where, l, a);
        free_mesons(where);
        domain_walls(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_smeared, "a smeared spinor");
    }
    refusals();
    memory_free(a);
    lattice_free(l);
    return facts_end();
}
