/* locate.c - where a field has NaN or infinity. */
#include "src/lattice/locate.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"

#include <math.h>

/* Number i of slice `number`. */
static void component_of_number(field_component *at, const field *f, int number, size_t i)
{
    const int *n = lattice_global(f->lattice);
    const int reals = f->reals * (f->slabs > 1 ? SLAB_GROUP : 1);
    const int site = (int)(i / (size_t)reals);
    *at = (field_component){ .site = { site % n[0], site / n[0] % n[1], site / n[0] / n[1], number % n[3] },
                          .slice = number / n[3],
                          .component = (int)(i % (size_t)reals) };
}

bool field_find_nonfinite(const field *f, field_component *at)
{
    const size_t reals = field_slice_reals(f);
    double *slice = slice_alloc(reals);
    bool found = false;
    for (int number = 0; number < field_slice_count(f) && !found; number++) {
        size_t i = 0;
        field_get_slice(slice, f, number);
        while (i < reals && isfinite(slice[i]))
            i++;
        found = i < reals;
        if (found)
            component_of_number(at, f, number, i);
    }
    memory_free(slice);
    return found;
}
