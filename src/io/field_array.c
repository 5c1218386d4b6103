/* field_array.c - shapes of fields as arrays. */
#include "src/io/field_array.h"

size_t array_count(array_shape shape)
{
    size_t count = 1;
    for (int i = 0; i < shape.dimensions; i++)
        count *= shape.n[i];
    return count;
}

array_shape array_shape_of_links(const lattice *l)
{
    const int *n = lattice_global(l);
    return (array_shape){ 8, { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 } };
}

array_shape array_shape_of_field(const field *f)
{
    const int *n = lattice_global(f->lattice);
    const size_t t = (size_t)n[3], z = (size_t)n[2], y = (size_t)n[1], x = (size_t)n[0], reals = (size_t)f->reals;
    if (f->slabs == 1)
        return (array_shape){ 5, { t, z, y, x, reals } };
    return (array_shape){ 7, { (size_t)f->slabs / SLAB_GROUP, t, z, y, x, SLAB_GROUP, reals } };
}
