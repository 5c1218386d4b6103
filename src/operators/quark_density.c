/* quark_density.c - |q(x)|^2 of quarks in four dimensions. */
#include "src/operators/quark_density.h"

#include "src/base/memory.h"
#include "src/kernels/spinor_density_args.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(spinor_density);

field quark_density_create(lattice *l, place where)
{
    return field_create(l, where, PRECISION_DOUBLE, 1, "densities of quarks");
}

void quark_density_add(field *density, const vec *q)
{
    const site_range range = lattice_range(q->f.lattice, q->f.on);
    assert(density->where == q->f.where && density->precision == q->f.precision && density->reals == 1);
    assert(q->f.slabs == SLAB_GROUP && q->f.on != ON_ALL && q->format == VECTOR_NATIVE);
    spinor_density_args args = { density->data, vec_view(q), range.padded };
    run_map(&spinor_density, q->f.where, q->f.precision, &args, range);
}

void quark_density_in_time(double *sums, const field *density)
{
    const int times = lattice_global(density->lattice)[3];
    const int64_t space = lattice_volume(density->lattice) / times;
    double *all = memory_alloc((size_t)(space * times) * sizeof *all, "densities of quarks");
    field_export(all, density);
    for (int t = 0; t < times; t++) {
        sums[t] = 0;
        for (int64_t x = 0; x < space; x++)
            sums[t] += all[t * space + x];
    }
    memory_free(all);
}
