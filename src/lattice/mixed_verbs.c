/* mixed_verbs.c - operations on color vectors for solvers in mixed precision (vec_mixed.h). */
#include "src/lattice/vec_mixed.h"

#include "src/lattice/kernels.h"

#include <assert.h>
#include <float.h>
#include <string.h>

MAP_KERNEL_FORMATS(vector_direction);
MAP_KERNEL_FORMATS(vector_relax);
MAP_KERNEL_FORMATS(vector_gather);
MAP_KERNEL(vector_project);
SUM_KERNEL_FORMATS(vector_norms, 1, 1);
SUM_KERNEL_FORMATS(vector_products, 2, 1);
SUM_KERNEL(vector_products_together, 2 * PRODUCTS_TOGETHER, 0);

vec *vec_create_like(const vec *v)
{
    const field *f = &v->f;
    return v->format == VECTOR_NATIVE ? vec_create_native(v, f->precision)
                                      : vec_create_slabs_format(f->lattice, f->on, f->where, v->format, f->slabs);
}

double vec_rounding(const vec *v)
{
    const double packed[VECTOR_FORMATS] = { [VECTOR_HALF] = 0.5 / FIXED16_ONE, [VECTOR_INT20] = 0x1p-19,
                                            [VECTOR_INT30] = 0x1p-29 };
    bool is_native = v->format == VECTOR_NATIVE;
    return !is_native ? packed[v->format] : v->f.precision == PRECISION_DOUBLE ? DBL_EPSILON / 2 : FLT_EPSILON / 2;
}

void vec_direction(vec *p, complex_number u, const vec *r, double b, const vec *from)
{
    direction_args args = { vec_view(p), vec_view(r), vec_view(from), u.re, u.im, b };
    assert(vec_are_alike(p, r) && vec_are_alike(p, from));
    run_map(&vector_direction[p->format], p->f.where, p->f.precision, &args, vec_sites(p));
}

void vec_relax(vec *x, complex_number u, const vec *b, const vec *q)
{
    relax_args args = { vec_view(x), vec_view(b), vec_view(q), u.re, u.im };
    assert(vec_are_alike(x, b) && vec_are_alike(x, q));
    run_map(&vector_relax[x->format], x->f.where, x->f.precision, &args, vec_sites(x));
}

void vec_gather(vec *y, const double *c, vec *const *v, int count)
{
    if (count == 0)
        return;
    gather_args args = { .y = vec_view(y), .y_is_other = y->f.precision != v[0]->f.precision, .count = count };
    assert(count <= GATHER_MAX && y->format == VECTOR_NATIVE);
    for (int k = 0; k < count; k++) {
        assert(vec_on_same_sites(v[k], y) && vec_are_alike(v[k], v[0]));
        args.v[k] = vec_view(v[k]);
        args.c[k] = c[k];
    }
    run_map(&vector_gather[v[0]->format], y->f.where, v[0]->f.precision, &args, vec_sites(y));
}

void vec_project(vec *y, double a, const complex_number *c, vec *const *v, int count)
{
    for (int first = 0; first < count || first == 0; first += GATHER_MAX) {
        project_args args = { .y = vec_view(y), .a = first == 0 ? a : 1 };
        for (; args.count < GATHER_MAX && first + args.count < count; args.count++) {
            const int k = first + args.count;
            assert(vec_are_alike(v[k], y) && v[k] != y && y->format == VECTOR_NATIVE);
            args.v[args.count] = vec_view(v[k]);
            args.re[args.count] = c[k].re;
            args.im[args.count] = c[k].im;
        }
        run_map(&vector_project, y->f.where, y->f.precision, &args, vec_sites(y));
    }
}

/* Runs one kernel on many pairs of vectors, each with separate cells; host <- the sums, pair after pair. */
static void sums_of(sum_cell *host, const sum_kernel *of_formats, vec *const *x, const vec *y, const double *bound,
                    int count)
{
    const field *f = &x[0]->f;
    const sum_kernel *k = &of_formats[x[0]->format];
    const sum_array there = sums_scratch(f->lattice, f->where, count * k->sums, count * k->maxima);
    max_cell unread[SUM_SCRATCH];
    for (int i = 0; i < count; i++) {
        vector_args args = { vec_view(y ? y : x[i]), vec_view(x[i]), 0 };
        const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                                 .range = vec_sites(x[0]) };
        assert(vec_are_alike(x[i], x[0]) && (!y || vec_are_alike(x[i], y)));
        run_sum_under(k, &sum, bound[i], sums_from(&there, i * k->sums, i * k->maxima));
    }
    sums_read((sum_cells){ host, unread }, &there);
}

void vec_norms2(double *norm2, vec *const *x, const double *guess, int count)
{
    sum_cell host[SUM_SCRATCH];
    double bound[SUM_SCRATCH] = { 0 };
    for (int i = 0; i < count; i++)
        bound[i] = sum_bound_guessed(guess[i]);
    sums_of(host, vector_norms, x, NULL, bound, count);
    for (int i = 0; i < count; i++) {
        norm2[i] = sum_cell_value(&host[i], bound[i]);
        if (!sum_is_fine(norm2[i], bound[i]))
            norm2[i] = vec_norm2(x[i]);
    }
}

/* Products of native vectors, PRODUCTS_TOGETHER in a launch; the last launch computes some of them twice. */
static void products_together(sum_cell *host, vec *const *x, const vec *y, double bound, int count)
{
    const field *f = &y->f;
    const int launches = (count + PRODUCTS_TOGETHER - 1) / PRODUCTS_TOGETHER, cells = vector_products_together.sums;
    const sum_array there = sums_scratch(f->lattice, f->where, launches * cells, 0);
    sum_cell all[SUM_SCRATCH];
    max_cell unread[1];
    for (int n = 0; n < launches; n++) {
        products_args args = { .y = vec_view(y) };
        const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args, .range = vec_sites(y) };
        for (int i = 0; i < PRODUCTS_TOGETHER; i++) {
            const vec *with = x[n * PRODUCTS_TOGETHER + i < count ? n * PRODUCTS_TOGETHER + i : count - 1];
            assert(vec_are_alike(with, y));
            args.x[i] = vec_view(with);
        }
        run_sum_under(&vector_products_together, &sum, bound, sums_from(&there, n * cells, 0));
    }
    sums_read((sum_cells){ all, unread }, &there);
    memcpy(host, all, (size_t)(2 * count) * sizeof *host);
}

void vec_dots(complex_number *dot, vec *const *x, const vec *y, double guess, int count)
{
    sum_cell host[SUM_SCRATCH];
    const double bound = sum_bound_guessed(guess);
    double bounds[SUM_SCRATCH];
    assert(count <= VEC_DOTS_MAX);
    for (int i = 0; i < count; i++)
        bounds[i] = bound;
    /* For one or two products a launch for several would mostly repeat itself. */
    if (y->format == VECTOR_NATIVE && count >= PRODUCTS_TOGETHER - 1)
        products_together(host, x, y, bound, count);
    else
        sums_of(host, vector_products, x, y, bounds, count);
    for (int i = 0; i < count; i++) {
        dot[i] = (complex_number){ sum_cell_value(&host[2 * i], bound), sum_cell_value(&host[2 * i + 1], bound) };
        if (host[2 * i].refused || host[2 * i + 1].refused)
            dot[i] = vec_dot(x[i], y);
    }
}
