/* test_meson_pairs.c - mesons of two masses of Wilson and domain-wall quarks, and their sources: free quarks in closed
 * form, sums over propagators on the host, changes of gauge, Ward identities, grids of ranks. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_fixing.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_measurement.h"
#include "src/measure/meson_sources.h"
#include "src/measure/quark_propagator.h"
#include "src/measure/wilson_measurement.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 2, 4, 2, 6 };
enum { TIMES = 6, SPACE = 16, VOLUME = SPACE * TIMES, SPINOR = 12 };

/* ---- free Wilson quarks: S(p) = (W - i gamma sin p - i mu gamma5) / (W^2 + sin^2 p + mu^2) */

enum { PARTS = 6 };
typedef struct { double mass, mu; } free_mass;

/* S(p, t) of spatial momentum number k: (1/T) sum over p_t of exp(i p_t t) S(p), antiperiodic in t. */
static void free_wave(double complex wave[TIMES][PARTS], free_mass q, int k)
{
    memset(wave, 0, TIMES * sizeof *wave);
    for (int n = 0; n < TIMES; n++) {
        const double p[4] = { 2 * M_PI * (k % extents[0]) / extents[0],
                              2 * M_PI * (k / extents[0] % extents[1]) / extents[1],
                              2 * M_PI * (k / extents[0] / extents[1]) / extents[2], 2 * M_PI * (n + 0.5) / TIMES };
        double part[PARTS] = { q.mass }, square = q.mu * q.mu;
        part[PARTS - 1] = q.mu;
        for (int nu = 0; nu < 4; nu++) {
            part[0] += 1 - cos(p[nu]);
            part[1 + nu] = sin(p[nu]);
            square += part[1 + nu] * part[1 + nu];
        }
        square += part[0] * part[0];
        for (int t = 0; t < TIMES; t++)
            for (int i = 0; i < PARTS; i++)
                wave[t][i] += part[i] / square * cexp(I * p[3] * t) / TIMES;
    }
}

typedef struct { double pion[TIMES], axial[TIMES]; } correlators;

/* Of a point source; or of a wall, where only the momentum 0 is left and each site of the slice counts. */
static correlators free_correlators(free_mass quark, free_mass antiquark, bool from_wall)
{
    correlators c = { 0 };
    for (int k = 0; k < (from_wall ? 1 : SPACE); k++) {
        double complex a[TIMES][PARTS], b[TIMES][PARTS];
        free_wave(a, quark, k);
        free_wave(b, antiquark, k);
        for (int t = 0; t < TIMES; t++) {
            const double weight = SPINOR * (from_wall ? SPACE : 1. / SPACE);
            for (int i = 0; i < PARTS; i++)
                c.pion[t] += weight * creal(conj(b[t][i]) * a[t][i]);
            c.axial[t] += weight * creal(I * conj(b[t][0]) * a[t][4] - I * conj(b[t][4]) * a[t][0]);
        }
    }
    return c;
}

static double deviation(const yaml_node *tree, int mass, const correlators *want)
{
    double worst = 0;
    for (int t = 0; t < TIMES; t++) {
        const double pion = mass < 0 ? measured_pair_item(tree, 0, "pion", t) : measured_item(tree, mass, "pion", t);
        const double axial = mass < 0 ? measured_pair_item(tree, 0, "axial", t) : measured_item(tree, mass, "axial", t);
        worst = worse(worst, worse(fabs(pion / want->pion[t] - 1), fabs(axial - want->axial[t]) / want->pion[0]));
    }
    return worst;
}

static void free_wilson(place where)
{
    static const free_mass light = { 0.1, 0.2 }, strange = { 0.6, -0.3 };
    static const char masses[] = "masses: [ { mass: 0.1, mu: 0.2 }, { mass: 0.6, mu: -0.3 } ], "
                                 "pairs: [ { quark: 1, antiquark: 0 } ]";
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (int wall = 0; wall < 2; wall++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: wilson, residual: 1e-13, random_sources: 0, spectrum: false, max_rhs: 5, "
                                    "source: [1, 3, 0, 4], %s%s", wall ? "source_type: wall, " : "", masses);
        yaml_node *tree = measured(u, keys);
        const correlators kaon = free_correlators(strange, light, wall), pion = free_correlators(light, light, wall);
        fact_close(deviation(tree, 0, &pion), 0, 1e-11, "%s: free twisted Wilson pion, %s", place_name(where),
                   wall ? "wall" : "point");
        fact_close(deviation(tree, -1, &kaon), 0, 1e-11, "%s: free twisted Wilson kaon, %s", place_name(where),
                   wall ? "wall" : "point");
        yaml_tree_free(tree);
    }
    /* A wall has the quark at rest alone, of energy log(1 + m). */
    yaml_node *rest = measured(u, "kind: wilson, residual: 1e-13, random_sources: 0, spectrum: false, "
                                  "source_type: wall, masses: [ { mass: 0.4 }, { mass: 0.2 } ], "
                                  "pairs: [ { quark: 0, antiquark: 1 } ]");
    const yaml_node *pair = measured_member(rest, "pairs")->item[0];
    fact_close(measured_real(rest, 0, "pion_mass"), 2 * log(1.4), 1e-11, "%s: pion_mass of free quarks at rest",
               place_name(where));
    fact_close(measured_number(yaml_get(pair, "pion_mass")), log(1.4 * 1.2), 1e-11, "%s: and of a pair",
               place_name(where));
    yaml_tree_free(rest);
    /* 40 random sources: the scatter of one is about 1/2 of the correlator */
    yaml_node *tree = measured(u, "kind: wilson, random_sources: 0, spectrum: false, source: [0, 0, 0, 1], "
                                  "source_type: z2_wall, source_count: 40, masses: [ { mass: 0.6, mu: -0.3 } ]");
    const correlators pion = free_correlators(strange, strange, false);
    for (int t = 0; t < TIMES; t++)
        fact_close(measured_item(tree, 0, "pion", t) / pion.pion[t], 1, 0.15,
                   "%s: Z2 wall: the mean over point sources, t = %d", place_name(where), t);
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

/* ---- random links: propagators summed on the host */

/* [t][z][y][x][spin][color] */
static void export_quark(double complex *out, spinor_field v)
{
    static double even[2 * VOLUME * SPINOR], odd[2 * VOLUME * SPINOR];
    vec_export(even, v.even);
    vec_export(odd, v.odd);
    for (int i = 0; i < VOLUME * SPINOR; i++)
        out[i] = even[2 * i] + odd[2 * i] + I * (even[2 * i + 1] + odd[2 * i + 1]);
}

#define LINKS_SEED rng_key_for(6, 0, 0, RNG_TEST)

/* gamma_t exchanges spins s and s + 2. */
static void wilson_on_host(place where)
{
    static const int point[4] = { 0, 2, 1, 3 };
    const double masses[2] = { 0.4, 1.1 };
    clover_operator_params op = { .boundary = quark_boundary_of(1, (const double[3]){ 0, 0, 0 }), .c_sw = 1.3 };
    for (int m = 0; m < 2; m++)
        clover_operator_add_twisted(&op, masses[m], 0);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, LINKS_SEED);
    const dirac_plan plan = clover_operator_plan(&op);
    quark_propagator *p = quark_propagator_create(u, &plan, NULL, SOLVER_DOUBLE, 1);
    const dirac_goal goal = { .residual = 1e-13, .max_iterations = 10000 };
    static double complex q[2][VOLUME * SPINOR];
    correlators want = { 0 };
    solve_totals totals = { 0 };
    failure f;
    require(quark_propagator_update(p, u, &f), "%s", f.why);
    dirac_matrix *matrix[2];
    for (int m = 0; m < 2; m++)
        matrix[m] = plan.kind->matrix(quark_propagator_operator(p), m);
    for (int column = 0; column < SPINOR; column++) {
        const meson_source_params source = { SOURCE_POINT, { 0, 2, 1, 3 }, 1, 1 };
        const spinor_field eta = quark_propagator_line(p, 0)->source;
        for (int m = 0; m < 2; m++) {
            meson_source_set(eta.even, eta.odd, &source, NULL, column, LINKS_SEED);
            const quark_matrix of = { matrix[m], masses[m] };
            require(quark_propagator_run(p, of, 1, &goal, &totals, &f), "%s", f.why);
            export_quark(q[m], quark_propagator_line(p, 0)->quark);
        }
        for (int i = 0; i < VOLUME * SPINOR; i++) {
            const int t = (i / (SPACE * SPINOR) + TIMES - point[3]) % TIMES, inner = i % SPINOR;
            const int turned = i - inner + (inner + SPINOR / 2) % SPINOR;
            want.pion[t] += creal(conj(q[1][i]) * q[0][i]);
            want.axial[t] -= creal(conj(q[1][i]) * q[0][turned]);
        }
    }
    yaml_node *tree = measured(u, "kind: wilson, residual: 1e-13, random_sources: 0, spectrum: false, c_sw: 1.3, "
                                  "source: [0, 2, 1, 3], masses: [ { mass: 0.4 }, { mass: 1.1 } ], "
                                  "pairs: [ { quark: 0, antiquark: 1 } ]");
    fact_close(deviation(tree, -1, &want), 0, 1e-10, "%s: clover kaon on random links, summed on the host",
               place_name(where));
    const double slope = want.axial[1] - want.axial[TIMES - 1];
    fact_close(measured_pair_item(tree, 0, "pcac_mass_in_time", 0), slope / (4 * want.pion[0]), 1e-9,
               "%s: PCAC mass of the pair", place_name(where));
    yaml_tree_free(tree);
    for (int m = 0; m < 2; m++)
        memory_free(matrix[m]);
    quark_propagator_free(p);
    gauge_free(u);
    lattice_free(l);
}

/* ---- domain walls: the Ward identity m |q|^2 + |q'|^2 = Re eta^+ q holds for every source */

static double sum_of(const yaml_node *tree, const char *key)
{
    double sum = 0;
    for (int t = 0; t < TIMES; t++)
        sum += measured_item(tree, 0, key, t);
    return sum;
}

#define WALLS "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, spectrum: false, residual: 1e-12, "

static void domain_walls(place where)
{
    static const char *const sources[] = { "point", "wall", "z2_wall, source_count: 2" };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, LINKS_SEED);
    for (int s = 0; s < 3; s++) {
        char keys[512];
        snprintf(keys, sizeof keys, WALLS "random_sources: 0, source: [1, 3, 0, 2], source_type: %s, "
                                          "masses: [ { mass: 0.1 }, { mass: 0.100001 }, { mass: 0.4 } ], "
                                          "pairs: [ { quark: 0, antiquark: 1 }, { quark: 2, antiquark: 0 } ]",
                 sources[s]);
        yaml_node *tree = measured(u, keys);
        fact_close(sum_of(tree, "midpoint") / sum_of(tree, "pion") / measured_real(tree, 0, "residual_mass"), 1, 1e-9,
                   "%s: %s: residual mass by the Ward identity", place_name(where), sources[s]);
        double near = 0, between = 0;
        for (int t = 0; t < TIMES; t++) {
            const double pion = measured_item(tree, 0, "pion", t), heavy = measured_item(tree, 2, "pion", t);
            const double kaon = measured_pair_item(tree, 1, "pion", t);
            near = worse(near, fabs(measured_pair_item(tree, 0, "pion", t) / pion - 1));
            between = worse(between, kaon / sqrt(pion * heavy));
        }
        fact(near < 1e-4 && near > 0, "%s: %s: kaon of nearly equal masses is nearly the pion (%.1e)",
             place_name(where), sources[s], near);
        fact(between <= 1 && between > 0.5, "%s: %s: C_ab^2 is at most C_aa C_bb (%.6f)", place_name(where), sources[s],
             between);
        yaml_tree_free(tree);
    }
    gauge_free(u);
    lattice_free(l);
}

/* Walls on links as they are and on links in Coulomb's gauge. */
static void walls_in_coulomb_gauge(place where)
{
    static const char *const kinds[] = {
        "kind: wilson, random_sources: 0, spectrum: false, residual: 1e-12, masses: [ { mass: 0.8 } ]",
        WALLS "random_sources: 0, masses: [ { mass: 0.3 } ]",
    };
    const gauge_fixing_params coulomb = { GAUGE_COULOMB, 1e-26, 1.7, 20000 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, LINKS_SEED);
    gauge_copy(v, u);
    gauge_rotation *g = gauge_rotation_create_unit(l, where, PRECISION_DOUBLE);
    fact(gauge_fixing_search(g, u, &coulomb).converged, "Coulomb's gauge");
    gauge_rotate(v, g);
    for (int k = 0; k < 2; k++) {
        char keys[512];
        double worst = 0;
        snprintf(keys, sizeof keys, "%s, source_type: wall, gauge_quality: 1e-22, source: [0, 0, 0, 5]", kinds[k]);
        yaml_node *a = measured(u, keys), *b = measured(v, keys);
        for (int t = 0; t < TIMES; t++)
            worst = worse(worst, fabs(measured_item(a, 0, "pion", t) / measured_item(b, 0, "pion", t) - 1));
        fact_close(worst, 0, 1e-8, "%s: %.12s: wall in Coulomb's gauge", place_name(where), kinds[k]);
        yaml_tree_free(a);
        yaml_tree_free(b);
    }
    gauge_rotation_free(g);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

/* ---- the same bits everywhere; faults */

static uint64_t digest_pairs(lattice *l, place where)
{
    static const char *const sources[] = { "point", "wall, gauge_quality: 1e-3", "z2_wall, source_count: 3" };
    uint64_t digest = DIGEST64_START;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, LINKS_SEED);
    for (int s = 0; s < 3; s++) {
        char keys[512];
        snprintf(keys, sizeof keys, "kind: wilson, random_sources: 0, spectrum: false, residual: 1e-6, "
                                    "source: [1, 2, 3, 1], source_type: %s, masses: [ { mass: 1 }, { mass: 2 } ], "
                                    "pairs: [ { quark: 0, antiquark: 1 } ]", sources[s]);
        yaml_node *tree = measured(u, keys);
        for (int t = 0; t < lattice_global(l)[3]; t++) {
            const double c[3] = { measured_item(tree, 1, "pion", t), measured_pair_item(tree, 0, "pion", t),
                                  measured_pair_item(tree, 0, "axial", t) };
            require(isfinite(c[0] + c[1] + c[2]), "%s: no correlators", sources[s]);
            digest = digest64(digest, c, sizeof c);
        }
        yaml_tree_free(tree);
    }
    gauge_free(u);
    return digest;
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        free_wilson(where);
        wilson_on_host(where);
        domain_walls(where);
        walls_in_coulomb_gauge(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_pairs, "kaons from all sources");
    }
    measurement_refused(&wilson_measurement, extents,
                        "masses: [ { mass: 0.1 } ]\npairs: [ { quark: 1, antiquark: 0 } ]\n",
                        "pairs.0: there is no mass number 1");
    measurement_refused(&wilson_measurement, extents,
                        "masses: [ { mass: 0.1 }, { mass: 0.2 } ]\npairs: [ { quark: 1, antiquark: 0 } ]\n"
                        "correlators: false\n", "pairs need correlators: true");
    measurement_refused(&dwf_measurement, extents,
                        "action: mobius\nLs: 4\nM5: 1.4\nb: 1.5\nc: 0.5\nmasses: [ { mass: 0.1 } ]\n"
                        "pairs: [ { quark: 0, antiquark: 0 } ]\n", "the mesons of one mass need no pair");
    measurement_refused(&wilson_measurement, extents, "masses: [ { mass: 0.1 } ]\nsource: [2, 0, 0, 0]\n",
                        "outside the lattice");
    return facts_end();
}
