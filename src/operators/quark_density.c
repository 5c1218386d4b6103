/* quark_density.c - |q(x)|^2 and q(x)^+ gamma_t q(x) of quarks in four dimensions. */
#include "src/operators/quark_density.h"

#include "src/base/memory.h"
#include "src/kernels/spinor_density_args.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/kernels.h"
#include "src/site/exact_sum.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(spinor_density);
MAP_KERNEL(spinor_axial);

field quark_density_create(lattice *l, place where)
{
    return field_create(l, where, PRECISION_DOUBLE, 1, "densities of quarks");
}

static void add_by(const map_kernel *kernel, field *density, const vec *q)
{
    assert(density->where == q->f.where && density->precision == q->f.precision && density->reals == 1);
    assert(q->f.slabs == SLAB_GROUP && q->f.on != ON_ALL && q->format == VECTOR_NATIVE);
    spinor_density_args args = { field_view_of(density).data, vec_view(q) };
    run_map(kernel, q->f.where, q->f.precision, &args, lattice_range(q->f.lattice, q->f.on));
}

void quark_density_add(field *density, const vec *q)
{
    add_by(&spinor_density, density, q);
}

void quark_axial_add(field *density, const vec *q)
{
    add_by(&spinor_axial, density, q);
}

/* The exact sum, rounded once; NaN where a number is not finite. */
static double sum_exactly(const double *density, size_t count)
{
    sum_cell cell = { { 0 }, 0 };
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(density[i]));
    const double bound = sum_bound_above(largest);
    for (size_t i = 0; i < count; i++)
        sum_cell_add(&cell, density[i], SUM_WORD / bound);
    return sum_cell_value(&cell, bound);
}

void quark_density_in_time(double *sums, const field *density, int start)
{
    const size_t sites = field_slice_reals(density);
    double *slice = slice_alloc(sites);
    const int times = field_slice_count(density);
    for (int t = 0; t < times; t++) {
        field_get_slice(slice, density, (start + t) % times);
        sums[t] = sum_exactly(slice, sites);
    }
    memory_free(slice);
}
