/* field.c - numbers at the sites of a lattice. */
#include "src/lattice/field.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL(convert);

size_t field_bytes(const int extents[4], precision p, int reals)
{
    size_t half = (size_t)extents[0] * (size_t)extents[1] * (size_t)extents[2] * (size_t)extents[3] / 2;
    size_t padded = (half + SITE_TILE - 1) / SITE_TILE * SITE_TILE;
    return 2 * padded * (size_t)reals * precision_bytes(p);
}

field field_create(lattice *l, place where, precision p, int reals, const char *what)
{
    field f = { .lattice = l, .where = where, .precision = p, .reals = reals };
    f.bytes = field_bytes(lattice_extents(l), p, reals);
    f.data = where == PLACE_GPU ? device_alloc(f.bytes, what) : memory_alloc(f.bytes, what);
    return f;
}

void field_free(field *f)
{
    if (f->where == PLACE_GPU)
        device_free(f->data);
    else
        memory_free(f->data);
    *f = (field){ 0 };
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
    assert(to->lattice == from->lattice && to->reals == from->reals && to->where == from->where);
    if (to->precision == from->precision) {
        field_copy(to, from);
        return;
    }
    convert_args args = { .from = from->data, .to = to->data, .reals = to->reals };
    run_map(&convert, to->where, to->precision, &args, lattice_all(to->lattice));
}

/* Visit the sites in lexicographic order, moving `reals` numbers each between `lex` and host memory. */
static void move_sites(double *lex, void *data, precision p, const lattice *l, int reals, bool to_field)
{
    const int *n = lattice_extents(l);
    int64_t rows = (int64_t)n[1] * n[2] * n[3];
#pragma omp parallel for
    for (int64_t row = 0; row < rows; row++)
        for (int x = 0; x < n[0]; x++) {
            int c[4] = { x, (int)(row % n[1]), (int)(row / n[1] % n[2]), (int)(row / n[1] / n[2]) };
            int site = lattice_site(l, c);
            double *value = lex + (row * n[0] + x) * reals;
            size_t at = (size_t)(site / SITE_TILE) * (size_t)reals * SITE_TILE + (size_t)(site % SITE_TILE);
            for (int i = 0; i < reals; i++, at += SITE_TILE) {
                if (p == PRECISION_DOUBLE && to_field)
                    ((double *)data)[at] = value[i];
                else if (p == PRECISION_DOUBLE)
                    value[i] = ((double *)data)[at];
                else if (to_field)
                    ((float *)data)[at] = (float)value[i];
                else
                    value[i] = ((float *)data)[at];
            }
        }
}

void field_import(field *to, const double *lexicographic)
{
    field host = *to;
    if (to->where == PLACE_GPU)
        host = field_create(to->lattice, PLACE_CPU, to->precision, to->reals, "a field on its way to the GPU");
    move_sites((double *)lexicographic, host.data, host.precision, host.lattice, host.reals, true);
    if (to->where == PLACE_GPU) {
        field_copy(to, &host);
        field_free(&host);
    }
}

void field_export(double *lexicographic, const field *from)
{
    field host = *from;
    if (from->where == PLACE_GPU) {
        host = field_create(from->lattice, PLACE_CPU, from->precision, from->reals, "a field on its way from the GPU");
        field_copy(&host, from);
    }
    move_sites(lexicographic, host.data, host.precision, host.lattice, host.reals, false);
    if (from->where == PLACE_GPU)
        field_free(&host);
}
