/* test_overlap_measurement.c - the index of the overlap operator is the charge of links of constant flux, nonzero
 * eigenvalues are the same in both chiralities and those of free quarks in closed form, the same bits on each grid. */
#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/overlap_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/measured.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { MODES = 3, COLORS = 3 };
#define KEYS "kind: overlap, modes: 3, kernel_modes: 6, residual: 1e-6, accuracy: 1e-8"

/* Links exp(i theta_c) of each color, with flux 2 pi n_c over the sites of the plane x, y and 2 pi m_c over those of
 * the plane z, t: sum_c n_c m_c is the charge.  noise: links are then multiplied by exp(noise P) with Gaussian P, which
 * mixes the colors, and rotated to a random gauge; 0: neither. */
typedef struct { int n[COLORS], m[COLORS]; double noise; } fluxes;

static double angle_of(const int extent[4], const int x[4], int mu, int in_xy, int in_zt)
{
    const double xy = 2 * M_PI * in_xy / (extent[0] * extent[1]), zt = 2 * M_PI * in_zt / (extent[2] * extent[3]);
    switch (mu) {
    case 0:  return x[0] == extent[0] - 1 ? -xy * extent[0] * x[1] : 0;
    case 1:  return xy * x[0];
    case 2:  return x[2] == extent[2] - 1 ? -zt * extent[2] * x[3] : 0;
    default: return zt * x[2];
    }
}

static void make_rough(gauge *u, double noise)
{
    lattice *l = u->links.lattice;
    momentum *p = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, u->links.where, PRECISION_DOUBLE,
                                              rng_key_for(5, 0, 0, RNG_GAUGE_ROTATION));
    momentum_set_gaussian(p, rng_key_for(5, 0, 0, RNG_TEST));
    gauge_drift(u, noise, p);
    gauge_rotate(u, g);
    gauge_rotation_free(g);
    momentum_free(p);
}

static gauge *links_of_flux(lattice *l, place where, const fluxes *f)
{
    const int *n = lattice_global(l);
    double *links = memory_alloc((size_t)lattice_volume(l) * GAUGE_REALS * sizeof *links, "links of constant flux");
    size_t at = 0;
    int x[4];
    for (x[3] = 0; x[3] < n[3]; x[3]++)
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++)
                    for (int mu = 0; mu < 4; mu++, at += MATRIX_REALS)
                        for (int c = 0; c < COLORS; c++) {
                            const double theta = angle_of(n, x, mu, f->n[c], f->m[c]);
                            links[at + 8 * (size_t)c] = cos(theta);
                            links[at + 8 * (size_t)c + 1] = sin(theta);
                        }
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    memory_free(links);
    if (f->noise > 0)
        make_rough(u, f->noise);
    return u;
}

static double number_in(const yaml_node *tree, const char *group, const char *list, int i)
{
    const yaml_node *values = yaml_get(measured_member(tree, group), list);
    return values && i < values->count ? measured_number(values->item[i]) : NAN;
}

/* Index and charge, and the eigenvalues that are not zero. */
static void index_is_charge(place where, const fluxes *flux, const char *keys)
{
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = links_of_flux(l, where, flux);
    int charge = 0;
    for (int c = 0; c < COLORS; c++)
        charge += flux->n[c] * flux->m[c];
    yaml_node *tree = measured(u, keys), *flow = measured(u, "kind: flow, t_max: 0.5, eps: 0.02");
    const double index = measured_number(measured_member(tree, "index"));
    const double of_flow = measured_number(measured_member(flow, "charge"));
    fact(index == charge && lround(of_flow) == charge,
         "%s: charge %d, noise %g: the index is %g, the charge of the flow %.4f%s",
         place_name(where), charge, flux->noise, index, of_flow, keys + sizeof KEYS - 1);
    const int plus = (int)measured_number(yaml_get(measured_member(tree, "positive"), "zero_modes"));
    const int minus = (int)measured_number(yaml_get(measured_member(tree, "negative"), "zero_modes"));
    const double a = number_in(tree, "positive", "eigenvalues", plus);
    const double b = number_in(tree, "negative", "eigenvalues", minus);
    fact(minus - plus == charge, "%s: %d zero modes of positive chirality, %d of negative", place_name(where), plus,
         minus);
    fact_close(a / b, 1, 1e-5, "%s: the smallest other eigenvalue %.6f is the same in both chiralities",
               place_name(where), a);
    yaml_tree_free(tree);
    yaml_tree_free(flow);
    gauge_free(u);
    lattice_free(l);
}

/* |lambda|^2 = 2 M0^2 (1 + (sum (1 - cos p) - M0) / omega), the smallest at p = (0, 0, 0, pi/4) */
static void free_quarks(place where)
{
    lattice *l = lattice_create_single((const int[]){ 2, 2, 2, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = measured(u, KEYS);
    const double M0 = 1.4, p = M_PI / 4, w = 1 - cos(p) - M0;
    const double want = 2 * M0 * M0 * (1 + w / sqrt(sin(p) * sin(p) + w * w));
    for (int i = 0; i < MODES; i++)
        fact_close(number_in(tree, "positive", "eigenvalues", i) / want, 1, 1e-6,
                   "%s: free quarks: eigenvalue %d in closed form", place_name(where), i);
    fact(measured_number(measured_member(tree, "index")) == 0, "%s: and index 0", place_name(where));
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

static uint64_t digest_eigenvalues(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    gauge *u = links_of_flux(l, where, &(fluxes){ { 1, -1, 0 }, { 0, 0, 0 }, 0 });      /* no zero modes */
    yaml_node *tree = measured(u, "kind: overlap, modes: 1, kernel_modes: 2, residual: 1e-2, accuracy: 1e-4");
    for (int c = 0; c < 2; c++) {
        const double value = number_in(tree, c ? "negative" : "positive", "eigenvalues", 0);
        require(isfinite(value), "no eigenvalue");
        digest = digest64(digest, &value, sizeof value);
    }
    yaml_tree_free(tree);
    gauge_free(u);
    return digest;
}

/* Whether the table takes the keys from a new input; files of earlier versions may have any of them. */
static void keys_of_sign(const char *keys, bool allowed)
{
    fault_list faults = { 0 }, former = { 0 };
    failure f = { .why = "" };
    void *values = memory_alloc(overlap_measurement.input.size, "parameters");
    yaml_node *tree = yaml_read_string(keys, "input.yaml", &f);
    schema_read(tree, overlap_measurement.input.params, values, &faults);
    schema_free_values(overlap_measurement.input.params, values);
    memset(values, 0, overlap_measurement.input.size);
    schema_read_former(tree, overlap_measurement.input.params, values, &former);
    fact((faults.count == 0) == allowed, "%s: %s (%s)", keys, allowed ? "allowed" : "refused",
         text_string(&faults.lines));
    fact(allowed || strstr(text_string(&faults.lines), "zolotarev"), "and if refused, with the value that it needs");
    fact(former.count == 0, "parameters of an earlier version with it are read");
    schema_free_values(overlap_measurement.input.params, values);
    fault_list_free(&faults);
    fault_list_free(&former);
    memory_free(values);
    yaml_tree_free(tree);
}

static void refusals(void)
{
    const int on[4] = { 4, 4, 4, 4 };
    measurement_refused(&overlap_measurement, on, "M0: 2\n", "between 0 and 2");
    keys_of_sign("sign: zolotarev\npoles: 30\nmax_iterations: 30\n", true);
    keys_of_sign("poles: 30\n", true);
    keys_of_sign("sign: chebyshev\npoles: 30\n", false);
    keys_of_sign("sign: chebyshev\nmax_iterations: 30\n", false);
    measurement_refused(&overlap_measurement, on, "accuracy: 1e-3\n", "must not exceed the residual");
    measurement_refused(&overlap_measurement, (const int[4]){ 2, 2, 2, 2 }, "modes: 60\n", "too few sites");
}

int main(void)
{
    static const fluxes all[] = {
        { { 1, -1, 0 }, { 1, 0, -1 }, 0 },          /* charge 1 */
        { { 1, -1, 0 }, { -1, 1, 0 }, 0 },          /* charge -2 */
        { { 1, -1, 0 }, { 0, 0, 0 }, 0 },           /* charge 0 */
        { { 1, -1, 0 }, { 1, 0, -1 }, 0.12 },       /* 1 on links that are less smooth */
    };
    FOR_EVERY_PLACE(where) {
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            index_is_charge(where, &all[i], i == 0 ? KEYS ", sign: chebyshev" : KEYS);
        free_quarks(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_eigenvalues, "eigenvalues of overlap quarks");
    }
    refusals();
    return facts_end();
}
