/* golden_spinors.c - what golden numbers of Wilson and domain-wall quarks say, and whether fields have them. */
#include "tests/operators/golden_spinors.h"

#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/operators/link_fields.h"

#include <math.h>
#include <stdio.h>

enum { SPINOR = 12 };

static size_t count_of(const vec *v)
{
    return (size_t)lattice_volume(v->f.lattice) * (size_t)v->f.slabs * VEC_REALS;
}

double *golden_array(size_t sites, size_t Ls)
{
    double *v = memory_alloc(sites * Ls * SPINOR * 2 * sizeof *v, "a test vector");
    for (size_t k = 0; k < sites * Ls * SPINOR; k++) {
        size_t site = k / SPINOR / Ls, slice = k / SPINOR % Ls;
        double *z = v + 2 * ((slice * sites + site) * SPINOR + k % SPINOR);
        z[0] = sin(1 + 0.7 * (double)k);
        z[1] = cos(0.3 + 1.1 * (double)k);
    }
    return v;
}

static double *test_numbers(const vec *v)
{
    return golden_array((size_t)lattice_volume(v->f.lattice), (size_t)v->f.slabs / SLAB_GROUP);
}

void golden_vector(vec *v)
{
    double *x = test_numbers(v);
    vec_import(v, x);
    memory_free(x);
}

spinor_field golden_field(const gauge *u, int Ls)
{
    spinor_field v = spinor_field_create(u, Ls);
    golden_vector(v.even);
    golden_vector(v.odd);
    return v;
}

void golden_compare_array(const double *out, const double *test, size_t count, const golden_numbers *want,
                          const char *where, const char *name)
{
    golden_numbers got = { 0 };
    double test_norm2 = 0, off = 0;
    for (size_t i = 0; out && i < count; i += 2) {
        got.norm2 += out[i] * out[i] + out[i + 1] * out[i + 1];
        got.weighted[0] += test[i] * out[i] + test[i + 1] * out[i + 1];
        got.weighted[1] += test[i] * out[i + 1] - test[i + 1] * out[i];
        test_norm2 += test[i] * test[i] + test[i + 1] * test[i + 1];
    }
    for (int i = 0; i < 6; i++)
        off = worse(off, out ? fabs(out[i] - want->first[i]) : INFINITY);
    double size = sqrt(want->norm2 * test_norm2);
    fact_close(got.norm2 / want->norm2, 1, 3e-14, "%s: %s v: its square", where, name);
    fact_close(got.weighted[0], want->weighted[0], 1e-13 * size, "%s: %s v: Re of its product with v", where, name);
    fact_close(got.weighted[1], want->weighted[1], 1e-13 * size, "%s: %s v: Im of its product with v", where, name);
    fact_close(off, 0, 1e-13, "%s: %s v at the first site", where, name);
}

void golden_compare(spinor_field v, const golden_numbers *want, const char *name, const char *of)
{
    const size_t count = count_of(v.odd);
    double *test = test_numbers(v.odd), *out = memory_alloc(count * sizeof *out, "a vector");
    double *even = memory_alloc(count * sizeof *even, "a vector");
    char what[128];
    vec_export(out, v.odd);
    if (v.even)
        vec_export(even, v.even);
    for (size_t i = 0; i < count; i++)
        out[i] += even[i];
    snprintf(what, sizeof what, "%s, %s", name, of);
    golden_compare_array(out, test, count, want, place_name(v.odd->f.where), what);
    memory_free(even);
    memory_free(out);
    memory_free(test);
}

/* Matrices of a site from the file's, times -2 */
static double difference_at(const double *file, const double *force, size_t site)
{
    double worst = 0;
    for (size_t k = 0; k < GAUGE_REALS; k++)
        worst = worse(worst, fabs(force[site * GAUGE_REALS + k] + 2 * file[k]));
    return worst;
}

void golden_force_compare(const momentum *f, momentum_size size, double action, const golden_force *want,
                          const char *name)
{
    const char *where = place_name(f->f.where);
    const int *n = lattice_global(f->f.lattice);
    double *matrices = memory_alloc(link_numbers(f->f.lattice) * sizeof *matrices, "matrices");
    momentum_export(matrices, f);
    fact_close(action / want->action, 1, 1e-11, "%s, %s: action, relative", where, name);
    fact_close(size.sum_norm2 / 2 / want->total, 1, 1e-11, "%s, %s: force, sum of squares, relative", where, name);
    fact_close(sqrt(size.sum_norm2 / 8 / (double)lattice_volume(f->f.lattice)) / want->rms, 1, 1e-11,
               "%s, %s: force, root mean square, relative", where, name);
    fact_close(sqrt(size.max_norm2 / 2) / want->max, 1, 1e-11, "%s, %s: force, the largest, relative", where, name);
    fact_close(difference_at(want->origin, matrices, 0) / want->max, 0, 1e-11,
               "%s, %s: force at the origin, relative", where, name);
    fact_close(difference_at(want->x1y0z1t1, matrices, (size_t)(1 + n[0] * n[1] * (1 + n[2]))) / want->max, 0, 1e-11,
               "%s, %s: force at x, y, z, t = 1, 0, 1, 1, relative", where, name);
    memory_free(matrices);
}
