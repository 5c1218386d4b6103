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

/* Visit the sites of a slab in lexicographic order, moving f->reals numbers each, `stride` numbers apart in `lex`,
 * between `lex` and the field, on the host. */
static void move_slab(double *lex, int stride, const field *f, int slab, bool to_field)
{
    const int *n = lattice_local(f->lattice), reals = f->reals;
    const size_t begin = (size_t)slab * (f->bytes / (size_t)f->slabs / precision_bytes(f->precision));
    const int first = f->on == ON_ODD ? lattice_sites_with_padding(f->lattice) / 2 : 0;
    int64_t rows = (int64_t)n[1] * n[2] * n[3];
#pragma omp parallel for
    for (int64_t row = 0; row < rows; row++)
        for (int x = 0; x < n[0]; x++) {
            int c[4] = { x, (int)(row % n[1]), (int)(row / n[1] % n[2]), (int)(row / n[1] / n[2]) };
            int site = lattice_site(f->lattice, c) - first;
            double *value = lex + (row * n[0] + x) * stride;
            size_t at = begin + (size_t)(site / SITE_TILE) * (size_t)reals * SITE_TILE + (size_t)(site % SITE_TILE);
            if (f->on != ON_ALL && (c[0] + c[1] + c[2] + c[3]) % 2 != (f->on == ON_ODD)) {
                if (!to_field)
                    memset(value, 0, (size_t)reals * sizeof *value);
                continue;
            }
            for (int i = 0; i < reals; i++, at += SITE_TILE) {
                if (f->precision == PRECISION_DOUBLE && to_field)
                    ((double *)f->data)[at] = value[i];
                else if (f->precision == PRECISION_DOUBLE)
                    value[i] = ((double *)f->data)[at];
                else if (to_field)
                    ((float *)f->data)[at] = (float)value[i];
                else
                    value[i] = ((float *)f->data)[at];
            }
        }
}

static void move_sites(double *lex, const field *f, bool to_field)
{
    const int group = f->slabs > 1 ? SLAB_GROUP : 1;
    const int64_t sites = lattice_local_sites(lattice_shape_of(f->lattice));
    for (int slab = 0; slab < f->slabs; slab++) {
        double *first = lex + (slab / group * sites * group + slab % group) * f->reals;
        move_slab(first, group * f->reals, f, slab, to_field);
    }
}

/* A field like `f` on the host. */
static field on_host(const field *f)
{
    return field_create_slabs(f->lattice, f->on, PLACE_CPU, f->precision, f->reals, f->slabs, "a field on its way");
}

void field_import(field *to, const double *lexicographic)
{
    field host = to->where == PLACE_GPU ? on_host(to) : *to;
    move_sites((double *)lexicographic, &host, true);
    if (to->where == PLACE_GPU) {
        field_copy(to, &host);
        field_free(&host);
    }
}

void field_export(double *lexicographic, const field *from)
{
    field host = *from;
    if (from->where == PLACE_GPU) {
        host = on_host(from);
        field_copy(&host, from);
    }
    move_sites(lexicographic, &host, false);
    if (from->where == PLACE_GPU)
        field_free(&host);
}
