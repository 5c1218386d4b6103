/* test_baryon_links.c - baryons of clover and domain-wall quarks on random links, from a source inside the lattice:
 * those of the measurements are the determinants of propagators that unit vectors as sources give. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/dwf_walls.h"
#include "src/operators/clover_operator.h"
#include "src/operators/dwf_weights.h"
#include "tests/facts.h"
#include "tests/measure/dense_baryons.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NX = 2, SPACE = NX * NX * NX, TIMES = 4, SITES = SPACE * TIMES, NUMBERS = SITES * DENSE_SPINOR, CHANNELS = 4 };
static const int extents[4] = { NX, NX, NX, TIMES }, source[4] = { 1, 0, 1, 3 };
static const char *const lists[CHANNELS] = { "nucleon", "nucleon_negative", "delta", "delta_negative" };
static const char *const strange_lists[] = { "sigma", "sigma_negative", "xi", "xi_negative", "lambda",
                                             "lambda_negative" };
enum { STRANGE_CHANNELS = 6 };
static const double masses[2] = { 0.3, 0.6 };
#define SOURCE "residual: 1e-13, random_sources: 0, spectrum: false, baryons: true, source: [1, 0, 1, 3], "            \
               "masses: [ { mass: 0.3 }, { mass: 0.6 } ], momenta: [ { x: 1, z: 1 } ], hyperons: true, "               \
               "pairs: [ { quark: 0, antiquark: 1 } ]"

typedef struct { const char *keys; double boundary; } quarks;

/* All 12 columns from the site of the source, [site][spinor][column]. */
static void solve(dense_propagator *s, quark_propagator *p, quark_matrix m, const gauge *u)
{
    const int origin = source[0] + NX * (source[1] + NX * (source[2] + NX * source[3]));
    const quark_line *line = quark_propagator_line(p, 0);
    double *numbers = memory_alloc(2 * NUMBERS * sizeof *numbers, "a spinor");
    failure f;
    require(quark_propagator_update(p, u, &f), "%s", f.why);
    for (int column = 0; column < DENSE_SPINOR; column++) {
        solve_totals totals = { 0 };
        const dirac_goal goal = { .residual = 1e-13, .max_iterations = 10000 };
        memset(numbers, 0, 2 * NUMBERS * sizeof *numbers);
        numbers[2 * (origin * DENSE_SPINOR + column)] = 1;
        vec_import(line->source.even, numbers);
        vec_import(line->source.odd, numbers);
        require(quark_propagator_run(p, m, 1, &goal, &totals, &f), "%s", f.why);
        for (int parity = 0; parity < 2; parity++) {
            vec_export(numbers, parity ? line->quark.odd : line->quark.even);
            for (int i = 0; i < NUMBERS; i++)
                s[i / DENSE_SPINOR][i % DENSE_SPINOR][column] += numbers[2 * i] + I * numbers[2 * i + 1];
        }
    }
    memory_free(numbers);
}

static void solve_clover(dense_propagator *s, const gauge *u, double boundary, double mass)
{
    clover_operator_params params = { .c_sw = 1.3, .boundary.t = boundary };
    clover_operator_add_mass(&params, mass);
    const dirac_plan plan = clover_operator_plan(&params);
    quark_propagator *p = quark_propagator_create(u, &plan, NULL, SOLVER_DOUBLE, 1);
    const dirac_operator *d = quark_propagator_operator(p);
    dirac_matrix *m = d->kind->matrix(d, 0);
    memset(s, 0, SITES * sizeof *s);
    solve(s, p, (quark_matrix){ m, mass }, u);
    memory_free(m);
    quark_propagator_free(p);
}

static void solve_dwf(dense_propagator *s, const gauge *u, double boundary, double mass)
{
    dwf_operator_params params = { .boundary = boundary };
    failure f;
    const dwf_weights_params weights = { .kind = DWF_MOBIUS, .b = 1.5, .c = 0.5, .Ls = 4, .M5 = 1.4 };
    require(dwf_weights_make(&params.weights, &weights, &f), "%s", f.why);
    dwf_operator_add_mass(&params, mass);
    const dirac_plan plan = dwf_operator_plan(&params);
    quark_propagator *p = quark_propagator_create(u, &plan, &dwf_walls, SOLVER_DOUBLE, 1);
    const dirac_operator *d = quark_propagator_operator(p);
    dirac_matrix *m = d->kind->matrix(d, 0);
    memset(s, 0, SITES * sizeof *s);
    solve(s, p, (quark_matrix){ m, mass }, u);
    memory_free(m);
    quark_propagator_free(p);
}

/* One site of a channel: of the light quark, or of both. */
static double baryon_at(const dense_propagator *s, const dense_propagator *strange, int site, int channel)
{
    if (strange)
        return dense_hyperon(s[site], strange[site], (dense_hyperon_kind)(channel / 2), channel % 2);
    return dense_baryon(s[site], channel >= 2, channel % 2);
}

/* Sums of determinants, t from the source, with the sign of three quarks removed where t goes over the boundary. */
static void compare_channel(const yaml_node *object, const dense_propagator *s, const dense_propagator *strange,
                            int channel, const quarks *of)
{
    const char *name = strange ? strange_lists[channel] : lists[channel];
    double rest[TIMES] = { 0 }, moving[TIMES] = { 0 }, worst = 0, size = 0;
    char key[64];
    snprintf(key, sizeof key, "%s_momenta", name);
    for (int site = 0; site < SITES; site++) {
        const int t = (site / SPACE + TIMES - source[3]) % TIMES, x = site % NX, z = site / NX / NX % NX;
        const double sign = site / SPACE < source[3] ? of->boundary : 1;
        const double one = sign * baryon_at(s, strange, site, channel);
        rest[t] += one;
        moving[t] += cos(M_PI * (x - source[0] + z - source[2])) * one;
    }
    const yaml_node *list = yaml_get(object, name), *with_momentum = yaml_get(object, key);
    for (int t = 0; t < TIMES; t++) {
        size = fmax(size, fabs(rest[t]));
        worst = worse(worst, list ? fabs(measured_number(list->item[t]) - rest[t]) : INFINITY);
        worst = worse(worst, with_momentum ? fabs(measured_number(with_momentum->item[0]->item[t]) - moving[t])
                                          : INFINITY);
    }
    fact_close(worst / size, 0, 1e-10, "%.20s, boundary %g: %s at rest and moving, at every t", of->keys, of->boundary,
               name);
}

/* s: the propagators of both masses. */
static void compare(const gauge *u, dense_propagator *const s[2], const quarks *of)
{
    yaml_node *tree = measured(u, of->keys);
    for (int channel = 0; channel < CHANNELS; channel++)
        compare_channel(measured_member(tree, "masses")->item[0], (const dense_propagator *)s[0], NULL, channel, of);
    for (int channel = 0; channel < STRANGE_CHANNELS; channel++)
        compare_channel(measured_member(tree, "pairs")->item[0], (const dense_propagator *)s[0],
                        (const dense_propagator *)s[1], channel, of);
    yaml_tree_free(tree);
}

int main(void)
{
    static const quarks clover[] = {
        { "kind: wilson, c_sw: 1.3, " SOURCE, -1 }, { "kind: wilson, c_sw: 1.3, boundary: 0, " SOURCE, 1 },
    };
    static const quarks wall[] = {
        { "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, " SOURCE, -1 },
        { "kind: domain_wall, action: mobius, Ls: 4, M5: 1.4, b: 1.5, c: 0.5, boundary: 0, " SOURCE, 1 },
    };
    lattice *l = lattice_create_single(extents);
    dense_propagator *s[2];
    for (int m = 0; m < 2; m++)
        s[m] = memory_alloc(SITES * sizeof *s[m], "propagators");
    FOR_EVERY_PLACE(where) {
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
        for (int i = 0; i < 2; i++) {
            for (int m = 0; m < 2; m++)
                solve_clover(s[m], u, clover[i].boundary, masses[m]);
            compare(u, s, &clover[i]);
            for (int m = 0; m < 2; m++)
                solve_dwf(s[m], u, wall[i].boundary, masses[m]);
            compare(u, s, &wall[i]);
        }
        gauge_free(u);
    }
    for (int m = 0; m < 2; m++)
        memory_free(s[m]);
    lattice_free(l);
    return facts_end();
}
