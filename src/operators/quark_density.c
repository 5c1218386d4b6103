/* quark_density.c - q'(x)^+ q(x), its chiral parts, and q'(x)^+ gamma_t q(x) of quarks in four dimensions. */
#include "src/operators/quark_density.h"

#include "src/base/memory.h"
#include "src/kernels/chiral_density_args.h"
#include "src/kernels/spinor_density_args.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/kernels.h"
#include "src/site/exact_sum.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(spinor_density);
MAP_KERNEL(spinor_axial);
MAP_KERNEL(chiral_density);

field quark_density_create(lattice *l, place where)
{
    return field_create(l, where, PRECISION_DOUBLE, 1, "densities of quarks");
}

static void add_by(const map_kernel *kernel, field *density, const vec *left, const vec *right)
{
    assert(density->where == right->f.where && density->precision == right->f.precision && density->reals == 1);
    assert(right->f.on != ON_ALL && right->format == VECTOR_NATIVE && vec_are_alike(left, right));
    spinor_density_args args = { field_view_of(density).data, vec_view(left), vec_view(right), right->f.slabs };
    run_map(kernel, right->f.where, right->f.precision, &args, lattice_range(right->f.lattice, right->f.on));
}

void quark_density_add(field *density, const vec *left, const vec *right)
{
    assert(right->f.slabs == 1 || right->f.slabs == SLAB_GROUP);
    add_by(&spinor_density, density, left, right);
}

void quark_axial_add(field *density, const vec *left, const vec *right)
{
    assert(right->f.slabs == SLAB_GROUP);
    add_by(&spinor_axial, density, left, right);
}

void quark_chiral_add(field *density, int first, const vec *left, const vec *right)
{
    const chiral_density_args args = {
        .out = field_view_of(density).data, .reals = density->reals, .first = first,
        .left = vec_view(left), .right = vec_view(right),
        .left_slices = left->f.slabs / SLAB_GROUP, .right_slices = right->f.slabs / SLAB_GROUP,
    };
    assert(density->where == right->f.where && density->precision == right->f.precision);
    assert(first + CHIRAL_REALS * args.left_slices * args.right_slices <= density->reals);
    assert(right->f.on != ON_ALL && left->f.on == right->f.on && left->f.where == right->f.where);
    assert(left->f.precision == right->f.precision);
    assert(left->format == VECTOR_NATIVE && right->format == VECTOR_NATIVE);
    run_map(&chiral_density, right->f.where, right->f.precision, &args, lattice_range(right->f.lattice, right->f.on));
}

/* The signs of a corner of the Brillouin zone on a slice; corner 0: all are 1. */
typedef struct { const int *extents, *origin; int corner; } corner_signs;

static double sign_at(const corner_signs *s, size_t site)
{
    int minus = 0;
    for (int i = 0; i < 3; i++) {
        const int n = s->extents[i], x = (int)(site % (size_t)n);
        minus += (s->corner >> i & 1) * (x + s->origin[i]);
        site /= (size_t)n;
    }
    return minus % 2 ? -1 : 1;
}

/* The exact sum with these signs, rounded once; NaN where a number is not finite. */
static double sum_exactly(const double *density, size_t count, const corner_signs *signs)
{
    sum_cell cell = { { 0 }, 0 };
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(density[i]));
    const double bound = sum_bound_above(largest);
    for (size_t i = 0; i < count; i++)
        sum_cell_add(&cell, signs->corner ? sign_at(signs, i) * density[i] : density[i], SUM_WORD / bound);
    return sum_cell_value(&cell, bound);
}

static void sums_in_time(double *const *sums, int corners, const field *density, const int origin[4])
{
    const size_t sites = field_slice_reals(density);
    double *slice = slice_alloc(sites);
    const int times = field_slice_count(density);
    for (int t = 0; t < times; t++) {
        field_get_slice(slice, density, (origin[3] + t) % times);
        for (int k = 0; k < corners; k++)
            sums[k][t] = sum_exactly(slice, sites, &(corner_signs){ lattice_global(density->lattice), origin, k });
    }
    memory_free(slice);
}

void quark_density_in_time(double *sums, const field *density, int start)
{
    sums_in_time(&sums, 1, density, (const int[]){ 0, 0, 0, start });
}

void quark_density_at_corners(double *const sums[SPATIAL_CORNERS], const field *density, const int origin[4])
{
    sums_in_time(sums, SPATIAL_CORNERS, density, origin);
}
