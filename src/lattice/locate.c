/* locate.c - where a field holds what is no number. */
#include "src/lattice/locate.h"

#include "src/base/memory.h"

#include <math.h>

bool field_find_bad(const field *f, number_place *at)
{
    const lattice_shape *shape = lattice_shape_of(f->lattice);
    const int group = f->slabs > 1 ? SLAB_GROUP : 1;
    const int64_t volume = lattice_local_sites(shape) * (f->slabs / group), reals = (int64_t)f->reals * group;
    double *numbers = memory_alloc((size_t)(volume * reals) * sizeof *numbers, "a copy of a field");
    int64_t i = 0;
    field_export(numbers, f);
    while (i < volume * reals && isfinite(numbers[i]))
        i++;
    memory_free(numbers);
    if (i == volume * reals)
        return false;
    at->component = (int)(i % reals);
    i /= reals;
    for (int mu = 0; mu < 4; mu++) {
        at->site[mu] = shape->origin[mu] + (int)(i % shape->local[mu]);
        i /= shape->local[mu];
    }
    at->slice = (int)i;
    return true;
}
