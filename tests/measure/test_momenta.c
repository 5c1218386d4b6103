/* test_momenta.c - sums with momenta by plain loops and on ranks, and mesons of free quarks with momenta in closed
 * form. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "src/measure/momentum_sums.h"
#include "src/measure/wilson_measurement.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/measure/free_wilson.h"
#include "tests/measure/wilson_measured.h"
#include "tests/on_every_backend.h"

#include <complex.h>
#include <math.h>

enum { REALS = 2 };

/* Any numbers, of both signs, that differ from site to site. */
static double number_at(size_t i)
{
    return sin(0.7 * (double)i) + 0.3;
}

static spatial_momentum three[] = { { { 1, 0, 0 } }, { { -1, 1, 2 } }, { { 0, 0, 0 } } };
enum { MOMENTA = 3 };
static const param_list momenta = { MOMENTA, three };
static const int origin[4] = { 3, 1, 2, 1 };

static field numbers_on(lattice *l, place where)
{
    field f = field_create(l, where, PRECISION_DOUBLE, REALS, "numbers");
    const size_t count = (size_t)lattice_volume(l) * REALS;
    double *numbers = memory_alloc(count * sizeof *numbers, "numbers");
    for (size_t i = 0; i < count; i++)
        numbers[i] = number_at(i);
    field_import(&f, numbers);
    memory_free(numbers);
    return f;
}

static void plain_sums(place where)
{
    static const int n[4] = { 4, 2, 6, 4 };
    lattice *l = lattice_create_single(n);
    field f = numbers_on(l, where);
    double sums[MOMENTA * 4], zero[4], worst = 0;
    momentum_sums_in_time(sums, &f, 1, &momenta, origin);
    zero_momentum_in_time(zero, &f, 1, origin);
    for (int k = 0; k < MOMENTA; k++)
        for (int t = 0; t < n[3]; t++) {
            double complex sum = 0;
            for (int site = 0; site < n[0] * n[1] * n[2]; site++) {
                const int x[3] = { site % n[0], site / n[0] % n[1], site / n[0] / n[1] };
                double phase = 0;
                for (int i = 0; i < 3; i++)
                    phase += 2 * M_PI * (double)three[k].n[i] * (x[i] - origin[i]) / n[i];
                const size_t index = (size_t)((t + origin[3]) % n[3] * n[0] * n[1] * n[2] + site);
                sum += (cexp(I * phase) + cexp(-I * phase)) / 2 * number_at(REALS * index + 1);
            }
            worst = worse(worst, fabs(sums[k * n[3] + t] - creal(sum)));
            if (k == MOMENTA - 1)
                worst = worse(worst, fabs(zero[t] - creal(sum)));
        }
    fact_close(worst, 0, 1e-12, "%s: sums of slices with momenta", place_name(where));
    field_free(&f);
    lattice_free(l);
}

static uint64_t digest_sums(lattice *l, place where)
{
    field f = numbers_on(l, where);
    double sums[MOMENTA * 4];
    momentum_sums_in_time(sums, &f, 1, &momenta, origin);
    field_free(&f);
    return digest64(DIGEST64_START, sums, sizeof sums);
}

static const int extents[4] = { 4, 2, 4, 6 };

static double worst_of(const yaml_node *lists, double other, const free_smearing *s)
{
    static const int n[2][3] = { { 1, 0, 0 }, { -1, 1, 2 } };
    double worst = 0;
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < extents[3]; t++) {
            const double size = free_pion(0.3, other, s, (const int[3]){ 0 }, extents, t);
            const double want = free_pion(0.3, other, s, n[k], extents, t);
            worst = worse(worst, fabs(measured_number(lists->item[k]->item[t]) - want) / size);
        }
    return worst;
}

static void free_mesons(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    yaml_node *tree = wilson_measured(u, "source: [3, 1, 2, 4], random_sources: 0, spectrum: false, masses: [ { mass: "
        "0.3 }, { mass: 0.5 } ], pairs: [ { quark: 0, antiquark: 1 } ], momenta: [ { x: 1 }, { x: -1, y: 1, z: 2 } ], "
        "smearing: { steps: 6, width: 1.4 }");
    const free_smearing local = { 6, 1.4, true, false }, both = { 6, 1.4, true, true };
    const yaml_node *pair = measured_member(tree, "pairs")->item[0], *smeared = measured_of_mass(tree, 0, "smeared");
    fact_close(worst_of(measured_of_mass(tree, 0, "pion_momenta"), 0.3, &local), 0, 1e-11,
               "%s: free pion with momenta, local sinks", place_name(where));
    fact_close(worst_of(yaml_get(smeared, "pion_momenta"), 0.3, &both), 0, 1e-11, "%s: smeared sinks",
               place_name(where));
    fact_close(worst_of(yaml_get(pair, "pion_momenta"), 0.5, &local), 0, 1e-11, "%s: two masses", place_name(where));
    fact_close(worst_of(yaml_get(yaml_get(pair, "smeared"), "pion_momenta"), 0.5, &both), 0, 1e-11,
               "%s: two masses, smeared sinks", place_name(where));
    yaml_tree_free(tree);
    gauge_free(u);
    lattice_free(l);
}

static void refusals(void)
{
#define MASSES "masses: [ { mass: 0.1 } ]\n"
    const measurement_kind *kind = &wilson_measurement;
    measurement_refused(kind, extents, MASSES "momenta: [ { y: 2 } ]\n", "beyond half of the extent 2");
    measurement_refused(kind, extents, MASSES "momenta: [ { x: 1, z: -1 }, { x: -1, z: 1 } ]\n", "opposite");
    measurement_refused(kind, extents, MASSES "momenta: [ { x: 1 } ]\nsource_type: wall\n", "source_type: point");
    measurement_refused(kind, extents, MASSES "momenta: [ { x: 1 } ]\ncorrelators: false\n", "correlators: true");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        plain_sums(where);
        free_mesons(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_sums, "sums with momenta");
    }
    refusals();
    return facts_end();
}
