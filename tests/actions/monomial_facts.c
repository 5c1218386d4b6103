/* monomial_facts.c - a monomial in another gauge, and all of its numbers. */
#include "tests/actions/monomial_facts.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "tests/actions/derivative.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"

#include <string.h>

/* phi <- g phi, all vectors of a site */
static void rotate_vectors(field *phi, const gauge_rotation *g)
{
    const size_t volume = (size_t)lattice_volume(phi->lattice), vectors = volume * (size_t)phi->slabs;
    const size_t group = phi->slabs == 1 ? 1 : SLAB_GROUP;
    double *v = memory_alloc(vectors * VEC_REALS * sizeof *v, "vectors");
    double *matrices = memory_alloc(volume * MATRIX_REALS * sizeof *matrices, "a rotation");
    field_export(v, phi);
    field_export(matrices, &g->f);
    for (size_t n = 0; n < vectors; n++) {
        const double *a = matrices + n / group % volume * MATRIX_REALS, *b = v + n * VEC_REALS;
        double c[VEC_REALS] = { 0 };
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double *z = a + 2 * (3 * i + j);
                c[2 * i] += z[0] * b[2 * j] - z[1] * b[2 * j + 1];
                c[2 * i + 1] += z[0] * b[2 * j + 1] + z[1] * b[2 * j];
            }
        memcpy(v + n * VEC_REALS, c, sizeof c);
    }
    field_import(phi, v);
    memory_free(matrices);
    memory_free(v);
}

void gauge_turn_facts(monomial *m, const gauge *u, double tolerance, const char *name)
{
    lattice *l = u->links.lattice;
    gauge *turned = gauge_create(l, u->links.where, PRECISION_DOUBLE);
    momentum *f = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    momentum *want = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, u->links.where, PRECISION_DOUBLE,
                                              rng_key_for(63, 0, 0, RNG_GAUGE_ROTATION));
    const double before = action_of(m, u);
    force_of(want, m, u, 1);
    momentum_rotate(want, g);
    gauge_copy(turned, u);
    gauge_rotate(turned, g);
    for (int n = 0; monomial_pseudofermion(m, n, NULL); n++)
        rotate_vectors(monomial_pseudofermion(m, n, NULL), g);
    fact_close(action_of(m, turned) / before, 1, 1e-12, "%s: the action does not change with the gauge", name);
    force_of(f, m, turned, 1);
    fact_close(force_distance(f, want), 0, tolerance, "%s: the force turns with the gauge", name);
    gauge_rotation_free(g);
    momentum_free(want);
    momentum_free(f);
    gauge_free(turned);
}

double *monomial_numbers(size_t *bytes, monomial *m, const gauge *u)
{
    const size_t volume = (size_t)lattice_volume(u->links.lattice);
    size_t at = 1 + volume * GAUGE_REALS, count = at;
    field *phi;
    for (int n = 0; (phi = monomial_pseudofermion(m, n, NULL)); n++)
        count += volume * (size_t)phi->slabs * VEC_REALS;
    *bytes = count * sizeof(double);
    double *numbers = memory_alloc(*bytes, "numbers");
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    numbers[0] = action_of(m, u);
    force_of(f, m, u, 1);
    momentum_export(numbers + 1, f);
    for (int n = 0; (phi = monomial_pseudofermion(m, n, NULL)); n++, at += volume * (size_t)phi->slabs * VEC_REALS)
        field_export(numbers + at, phi);
    momentum_free(f);
    return numbers;
}
