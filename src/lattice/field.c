/* field.c - numbers at the sites of a lattice. */
#include "src/lattice/field.h"

#include "gpu/device.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL(convert);

size_t field_bytes_on(const lattice_shape *shape, parity_set on, ghost_level ghosts, precision p, int reals)
{
    const size_t sites = (size_t)lattice_padded_half(shape) + (size_t)ghost_sites(shape, ghosts);
    return (on == ON_ALL ? 2 : 1) * sites * (size_t)reals * precision_bytes(p);
}

size_t field_bytes(const lattice_shape *shape, precision p, int reals)
{
    return field_bytes_on(shape, ON_ALL, GHOSTS_LOOPS, p, reals);
}

field field_create(lattice *l, place where, precision p, int reals, const char *what)
{
    return field_create_on(l, ON_ALL, where, p, reals, what);
}

field field_create_on(lattice *l, parity_set on, place where, precision p, int reals, const char *what)
{
    const field kind = { .lattice = l, .where = where, .precision = p, .reals = reals, .slabs = 1, .on = on,
                         .ghosts = GHOSTS_LOOPS };
    return field_create_slabs(&kind, what);
}

field field_create_ghosts(lattice *l, ghost_level ghosts, place where, precision p, int reals, const char *what)
{
    const field kind = { .lattice = l, .where = where, .precision = p, .reals = reals, .slabs = 1, .on = ON_ALL,
                         .ghosts = ghosts };
    return field_create_slabs(&kind, what);
}

field field_create_slabs(const field *kind, const char *what)
{
    field f = *kind;
    const lattice_shape *shape = lattice_shape_of(f.lattice);
    failure why;
    assert(f.slabs == 1 || (f.on != ON_ALL && f.slabs % SLAB_GROUP == 0 && f.ghosts == lattice_vector_ghosts(shape)));
    require(f.slabs == 1 || lattice_slabs_are_possible(shape, f.slabs, &why), "%s: %s", what, why.why);
    f.bytes = (size_t)f.slabs * field_bytes_on(shape, f.on, f.ghosts, f.precision, f.reals);
    f.data = workspace_alloc(lattice_workspace(f.lattice, f.where), f.bytes);
    if (f.data)
        field_zero(&f);
    else
        f.data = place_alloc(f.where, f.bytes, what);
    return f;
}

void field_free(field *f)
{
    if (f->data && !workspace_owns(lattice_workspace(f->lattice, f->where), f->data))
        place_free(f->where, f->data);
    *f = (field){ 0 };
}

site_range field_sites(const field *f)
{
    return lattice_slabs(f->lattice, f->on, f->slabs);
}

static size_t site_bytes(const field *f)
{
    return (size_t)f->reals * precision_bytes(f->precision);
}

/* The index of the first site that has memory, and the number of sites in the memory of a slab. */
static int first_site(const field *f)
{
    return f->on == ON_ODD ? lattice_range(f->lattice, f->on).first : -lattice_ghosts(f->lattice)->sites[f->ghosts];
}

static int slab_sites(const field *f)
{
    return (int)(f->bytes / (size_t)f->slabs / site_bytes(f));
}

int field_place_of(const field *f, int slab, int x)
{
    return slab * slab_sites(f) + x - first_site(f);
}

int field_record_words(const field *f)
{
    return f->record_words ? f->record_words : (int)(precision_bytes(f->precision) / sizeof(uint32_t));
}

field_view field_view_of(const field *f)
{
    const intptr_t before = (intptr_t)first_site(f) * (intptr_t)site_bytes(f);     /* may not be memory of the field */
    return (field_view){ (void *)((intptr_t)f->data - before), slab_sites(f) };
}

matrix_view matrix_view_of(const field *f)
{
    return (matrix_view){ field_view_of(f).data };
}

field field_slab(const field *f, int slab)
{
    field one = *f;
    assert(slab < f->slabs);
    one.slabs = 1;
    one.bytes = f->bytes / (size_t)f->slabs;
    one.data = (char *)f->data + (size_t)slab * one.bytes;
    return one;
}

field field_within(const field *memory, size_t begin, parity_set on, ghost_level ghosts, precision p, int reals)
{
    field f = { .lattice = memory->lattice, .where = memory->where, .precision = p, .reals = reals, .slabs = 1,
                .on = on,
                .ghosts = ghosts, .data = (char *)memory->data + begin };
    f.bytes = field_bytes_on(lattice_shape_of(f.lattice), on, ghosts, p, reals);
    assert(begin + f.bytes <= memory->bytes);
    return f;
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
    convert_args args = { .from = field_view_of(from), .to = field_view_of(to), .reals = to->reals };
    run_map(&convert, to->where, to->precision, &args, field_sites(to));
}
