/* mg_coarse.c - the coarse operator of multigrid: its matrices, and their products with coarse vectors. */
#define OVER_SLABS
#include "src/kernels/mg_site.h"

/* Element (row, column) of a matrix of a site, the first of its two reals. */
SITE_FN int element(int components, int matrix, int row, int column)
{
    return 2 * ((matrix * components + row) * components + column);
}

typedef struct { int first, end; } slab_range;

/* Three rows of a matrix at o times slabs of a vector at site y; times gamma5 times them if `turned`. */
typedef struct { int matrix; const vector_view *in; site at; bool turned; } matrix_product;

SITE_FN color_vector rows_times(const mg_terms_args *a, const place_of *o, matrix_product p, int first, slab_range over)
{
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int slab = over.first; slab < over.end; slab++) {
        color_vector b = load_vector(p.in, site_in_slab(p.in, slab, p.at));
        if (p.turned && 6 * slab >= a->components)
            b = vector_scale(-1, b);
        UNROLL_LOOP
        for (int i = 0; i < 3; i++) {
            const int at = element(a->components, p.matrix, first + i, 3 * slab);
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                cplx z;
                z.re = load_real(a->matrices, o, at + 2 * j);
                z.im = load_real(a->matrices, o, at + 2 * j + 1);
                sum.c[i] = cplx_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

/* The same with the adjoint of the matrix, not turned. */
SITE_FN color_vector adjoint_rows_times(const mg_terms_args *a, const place_of *o, matrix_product p, int first,
                                        slab_range over)
{
    color_vector sum = vector_zero();
    KEEP_LOOP
    for (int slab = over.first; slab < over.end; slab++) {
        const color_vector b = load_vector(p.in, site_in_slab(p.in, slab, p.at));
        UNROLL_LOOP
        for (int j = 0; j < 3; j++) {
            const int at = element(a->components, p.matrix, 3 * slab + j, first);
            UNROLL_LOOP
            for (int i = 0; i < 3; i++) {
                cplx z;
                z.re = load_real(a->matrices, o, at + 2 * i);
                z.im = load_real(a->matrices, o, at + 2 * i + 1);
                sum.c[i] = cplx_conj_mad(z, b.c[j], sum.c[i]);
            }
        }
    }
    return sum;
}

SITE_FN color_vector hop_term(const mg_terms_args *a, const place_of *o, int direction, int first, site here)
{
    const matrix_product p = { direction, &a->from, site_step(&a->l, here, direction), a->dagger };
    const slab_range all = { 0, a->components / 3 };
    const color_vector sum = rows_times(a, o, p, first, all);
    return a->dagger && 2 * first >= a->components ? vector_scale(-1, sum) : sum;
}

SITE_FN color_vector chunk_term(const mg_terms_args *a, const place_of *o, int chunk, int first, site here)
{
    const int slabs = a->components / 3 / a->chunks;
    const slab_range over = { chunk * slabs, (chunk + 1) * slabs };
    const matrix_product p = { a->matrix, &a->in, here, false };
    return a->dagger ? adjoint_rows_times(a, o, p, first, over) : rows_times(a, o, p, first, over);
}

SITE_MAP(mg_coarse_terms, mg_terms_args, a, x)
{
    const site here = in_first_slab(x);
    const term_place t = term_of(x, a->components);
    const place_of o = find(here, 2 * a->count * a->components * a->components);
    store_term(a->terms, a->components, t, here,
               t.term < a->hops ? hop_term(a, &o, t.term, t.first, here)
                                : chunk_term(a, &o, t.term - a->hops, t.first, here));
}

/* sum + terms from .. end - 1 */
SITE_FN color_vector add_terms(const mg_add_args *a, const place_of *o, int slab, int from, int end, color_vector sum)
{
    KEEP_LOOP
    for (int term = from; term < end; term++)
        sum = vector_axpy(1, load_term(a->terms, o, term * a->components + 3 * slab), sum);
    return sum;
}

SITE_MAP(mg_add_terms, mg_add_args, a, x)
{
    const int slab = x.before / a->out.slab_sites;
    const place_of o = find(in_first_slab(x), 2 * MG_TERMS_MAX * a->components);
    color_vector sum = vector_scale((scalar)a->scale, add_terms(a, &o, slab, 0, a->hops, vector_zero()));
    sum = add_terms(a, &o, slab, a->hops, a->hops + a->others, sum);
    if (a->with_y)
        sum = vector_axpy(1, load_vector(&a->y, x), sum);
    store_vector(&a->out, x, sum);
}
