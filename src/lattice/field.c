/* field.c - numbers at the sites of a lattice. */
#include "src/lattice/field.h"

#include "gpu/device.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL(convert);

size_t field_bytes(const lattice_shape *shape, precision p, int reals)
{
    return 2 * (size_t)lattice_padded_half(shape) * (size_t)reals * precision_bytes(p);
}

field field_create(lattice *l, place where, precision p, int reals, const char *what)
{
    return field_create_on(l, ON_ALL, where, p, reals, what);
}

field field_create_on(lattice *l, parity_set on, place where, precision p, int reals, const char *what)
{
    return field_create_slabs(l, on, where, p, reals, 1, what);
}

field field_create_slabs(lattice *l, parity_set on, place where, precision p, int reals, int slabs, const char *what)
{
    field f = { .lattice = l, .where = where, .precision = p, .reals = reals, .slabs = slabs, .on = on };
    failure why;
    assert(slabs == 1 || (on != ON_ALL && slabs % SLAB_GROUP == 0));
    require(slabs == 1 || lattice_slabs_are_possible(lattice_shape_of(l), slabs, &why), "%s: %s", what, why.why);
    f.bytes = (size_t)slabs * (field_bytes(lattice_shape_of(l), p, reals) / (on == ON_ALL ? 1 : 2));
    f.data = place_alloc(where, f.bytes, what);
    return f;
}

void field_free(field *f)
{
    place_free(f->where, f->data);
    *f = (field){ 0 };
}

site_range field_sites(const field *f)
{
    site_range r = lattice_range(f->lattice, f->on);
    r.parities *= f->slabs;
    return r;
}

void field_zero(field *f)
{
    if (f->where == PLACE_GPU)
        device_zero(f->data, f->bytes);
    else
        memset(f->data, 0, f->bytes);
}

void field_copy(field *to, const field *from)
{
    assert(to->lattice == from->lattice && to->bytes == from->bytes && to->precision == from->precision);
    assert(to->on == from->on);
    if (to->where == PLACE_CPU && from->where == PLACE_CPU)
        memcpy(to->data, from->data, to->bytes);
    else if (to->where == PLACE_CPU)
        device_copy_from(to->data, from->data, to->bytes);
    else if (from->where == PLACE_CPU)
        device_copy_to(to->data, from->data, to->bytes);
    else
        device_copy_within(to->data, from->data, to->bytes);
}

void field_convert(field *to, const field *from)
{
    assert(to->lattice == from->lattice && to->reals == from->reals && to->where == from->where && to->on == from->on);
    assert(to->slabs == from->slabs);
    if (to->precision == from->precision) {
        field_copy(to, from);
        return;
    }
    convert_args args = { .from = from->data, .to = to->data, .reals = to->reals };
    site_range sites = field_sites(to);
    sites.first = 0;                                         /* sites of one parity lie where even ones would */
    run_map(&convert, to->where, to->precision, &args, sites);
}
