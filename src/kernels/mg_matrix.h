/* mg_matrix.h - elements of the square matrices of coarse sites in multigrid (mg_args.h). */
#ifndef KILN_KERNELS_MG_MATRIX_H
#define KILN_KERNELS_MG_MATRIX_H

#include "src/kernels/mg_site.h"

/* Matrix `number` of the matrices of a site, each components x components. */
typedef struct { void *data; const place_of *o; int components, number; } site_matrix;

SITE_FN int entry_at(const site_matrix *m, int row, int column)
{
    return 2 * ((m->number * m->components + row) * m->components + column);
}

SITE_FN cplx load_entry(const site_matrix *m, int row, int column)
{
    const int at = entry_at(m, row, column);
    cplx z;
    z.re = load_real(m->data, m->o, at);
    z.im = load_real(m->data, m->o, at + 1);
    return z;
}

SITE_FN void store_entry(const site_matrix *m, int row, int column, cplx z)
{
    const int at = entry_at(m, row, column);
    store_real(m->data, m->o, at, z.re);
    store_real(m->data, m->o, at + 1, z.im);
}

#endif
