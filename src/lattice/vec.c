/* vec.c - linear algebra of color vectors. */
#include "src/lattice/vec.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL_FORMATS(vector_axpy_sites);
MAP_KERNEL_FORMATS(vector_xpay);
MAP_KERNEL_FORMATS(vector_combine);
MAP_KERNEL(gaussian_vector);
MAP_KERNEL(open_vector);
MAP_KERNEL(vector_repack);
SUM_KERNEL(site_norms, 0, 1);
SUM_KERNEL_FORMATS(vector_norms, 1, 1);
SUM_KERNEL_FORMATS(vector_products, 2, 1);
SUM_KERNEL_FORMATS(vector_axpy_norm2, 1, 0);

const char *const vector_format_names[] = { "native", "half", "int20", "int30", NULL };

/* Memory of a format, counted in numbers of its precision: zero bits are the number zero in all of them. */
static int words_per_site(vector_format f)
{
    const int words[VECTOR_FORMATS] = { [VECTOR_HALF] = HALF_WORDS, [VECTOR_INT20] = INT20_WORDS,
                                        [VECTOR_INT30] = INT30_WORDS };
    return words[f];
}

static int reals_of(vector_format f)
{
    return words_per_site(f) * (int)sizeof(uint32_t) / (int)precision_bytes(vector_format_precision(f));
}

precision vector_format_precision(vector_format f)
{
    assert(f != VECTOR_NATIVE);
    return f == VECTOR_INT30 ? PRECISION_DOUBLE : PRECISION_SINGLE;
}

static vec *create_vector(const field *kind, vector_format f)
{
    const char *what = kind->slabs > 1 ? "a spinor field" : "a color vector";
    vec *v = memory_alloc(sizeof *v, what);
    v->f = field_create_slabs(kind, what);
    v->format = f;
    return v;
}

vec *vec_create_slabs(lattice *l, parity_set on, place where, precision p, int slabs)
{
    const field kind = { .lattice = l, .where = where, .precision = p, .reals = VEC_REALS, .slabs = slabs, .on = on,
                         .ghosts = lattice_vector_ghosts(lattice_shape_of(l)) };
    return create_vector(&kind, VECTOR_NATIVE);
}

vec *vec_create_slabs_format(lattice *l, parity_set on, place where, vector_format f, int slabs)
{
    const field kind = { .lattice = l, .where = where, .precision = vector_format_precision(f), .reals = reals_of(f),
                         .slabs = slabs, .on = on, .ghosts = lattice_vector_ghosts(lattice_shape_of(l)),
                         .record_words = words_per_site(f) };
    return create_vector(&kind, f);
}

vec *vec_create_stored(lattice *l, parity_set on, place where, vec_storage in, int slabs)
{
    return in.format == VECTOR_NATIVE ? vec_create_slabs(l, on, where, in.precision, slabs)
                                      : vec_create_slabs_format(l, on, where, in.format, slabs);
}

vec *vec_create(lattice *l, parity_set on, place where, precision p)
{
    return vec_create_slabs(l, on, where, p, 1);
}

vec *vec_create_format(lattice *l, parity_set on, place where, vector_format f)
{
    return vec_create_slabs_format(l, on, where, f, 1);
}

vec *vec_create_native(const vec *like, precision p)
{
    const field *f = &like->f;
    return vec_create_slabs(f->lattice, f->on, f->where, p, f->slabs);
}

void vec_free(vec *v)
{
    if (v)
        field_free(&v->f);
    memory_free(v);
}

size_t vec_bytes(const lattice_shape *shape, precision p, parity_set on)
{
    return field_bytes_on(shape, on, lattice_vector_ghosts(shape), p, VEC_REALS);
}

size_t vec_format_bytes(const lattice_shape *shape, vector_format f, parity_set on)
{
    return field_bytes_on(shape, on, lattice_vector_ghosts(shape), vector_format_precision(f), reals_of(f));
}

size_t vec_stored_bytes(const lattice_shape *shape, vec_storage in, parity_set on)
{
    return in.format == VECTOR_NATIVE ? vec_bytes(shape, in.precision, on) : vec_format_bytes(shape, in.format, on);
}

site_range vec_sites(const vec *v)
{
    return field_sites(&v->f);
}

double vec_global_count(const vec *v)
{
    return (double)lattice_volume(v->f.lattice) * v->f.slabs / (v->f.on == ON_ALL ? 1 : 2);
}

vector_view vec_view(const vec *v)
{
    return field_view_of(&v->f);
}

vector_view vec_slab_view(const vec *v, int slab)
{
    const field one = field_slab(&v->f, slab);
    return field_view_of(&one);
}

vec vec_slice(const vec *v, int slice)
{
    vec one = *v;
    one.f = field_slab(&v->f, SLAB_GROUP * slice);
    one.f.slabs = SLAB_GROUP;
    one.f.bytes *= SLAB_GROUP;
    return one;
}

void vec_move_to(vec *v, parity_set on)
{
    assert(v->f.on != ON_ALL && on != ON_ALL);
    v->f.on = on;
}

void vec_zero(vec *v) { field_zero(&v->f); }

void vec_copy(vec *to, const vec *from)
{
    assert(to->format == from->format);
    field_copy(&to->f, &from->f);
}

/* A native vector on the sites of v, at its place and in its precision. */
static vec *native_of(const vec *v)
{
    return vec_create_native(v, v->f.precision);
}

/* A kernel of one precision converts the formats of this precision, and native numbers of both precisions. */
void vec_convert(vec *to, const vec *from)
{
    if (to->format == from->format) {
        field_convert(&to->f, &from->f);
        return;
    }
    const field *packed = to->format == VECTOR_NATIVE ? &from->f : &to->f;
    bool other = to->f.precision != from->f.precision;
    assert(vec_on_same_sites(to, from));
    if (other && to->format != VECTOR_NATIVE && from->format != VECTOR_NATIVE) {
        vec *between = native_of(from);
        vec_convert(between, from);
        vec_convert(to, between);
        vec_free(between);
        return;
    }
    repack_args args = { vec_view(to), vec_view(from), to->format, from->format, other };
    run_map(&vector_repack, packed->where, packed->precision, &args, vec_sites(to));
}

void vec_import(vec *v, const double *lexicographic)
{
    if (v->format == VECTOR_NATIVE) {
        field_import(&v->f, lexicographic);
        return;
    }
    vec *native = native_of(v);
    vec_import(native, lexicographic);
    vec_convert(v, native);
    vec_free(native);
}

void vec_export(double *lexicographic, const vec *v)
{
    if (v->format == VECTOR_NATIVE) {
        field_export(lexicographic, &v->f);
        return;
    }
    vec *native = native_of(v);
    vec_convert(native, v);
    vec_export(lexicographic, native);
    vec_free(native);
}

bool vec_on_same_sites(const vec *a, const vec *b)
{
    return a->f.lattice == b->f.lattice && a->f.on == b->f.on && a->f.where == b->f.where && a->f.slabs == b->f.slabs;
}

bool vec_are_alike(const vec *a, const vec *b)
{
    return vec_on_same_sites(a, b) && a->f.precision == b->f.precision && a->format == b->format;
}

static void run_kernel(const map_kernel *of_formats, const vec *v, const void *args)
{
    run_map(&of_formats[v->format], v->f.where, v->f.precision, args, vec_sites(v));
}

void vec_set_gaussian(vec *v, rng_key key, uint32_t first_draw)
{
    vec *native = v->format == VECTOR_NATIVE ? v : native_of(v);
    for (int slab = 0; slab < v->f.slabs; slab++) {
        gaussian_vector_args args = { lattice_on(v->f.lattice, v->f.where), vec_slab_view(native, slab), key,
                                      first_draw + (uint32_t)(slab * VECTOR_DRAWS) };
        run_map(&gaussian_vector, v->f.where, v->f.precision, &args, lattice_range(v->f.lattice, v->f.on));
        const open_vector_args ends = { args.l, args.v };
        if (lattice_is_open(v->f.lattice))
            run_map(&open_vector, v->f.where, v->f.precision, &ends, lattice_range(v->f.lattice, v->f.on));
    }
    if (native != v) {
        vec_convert(v, native);
        vec_free(native);
    }
}

/* Sums of a kernel whose maximum is their largest term, exact up to 2^-57 of this term: first under SUM_BOUND, then, if
 * the largest term is too large or too small for it, under a bound just above that term.  A cell holds sums up to
 * SUM_RANGE bounds, so for more than SUM_RANGE terms the bound is larger by their number / SUM_RANGE. */
static void run_sum_fine(const sum_kernel *of_formats, const vec *x, const vector_args *args, double *result)
{
    const sum_kernel *k = &of_formats[x->format];
    const field *f = &x->f;
    const double *largest = &result[k->sums];
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = args, .range = vec_sites(x) };
    const double headroom = fmax(1, vec_global_count(x) / SUM_RANGE);
    bool fits = run_sum_once(k, f->lattice, &sum, SUM_BOUND, result);
    fits = fits && *largest * headroom < SUM_BOUND;
    if ((fits && sum_is_fine(*largest, SUM_BOUND)) || *largest == 0 || !isfinite(*largest))
        return;
    run_sum_once(k, f->lattice, &sum, sum_bound_above(*largest * headroom), result);
}

double vec_norm2(const vec *x)
{
    vector_args args = { vec_view(x), vec_view(x), 0 };
    double result[2];
    run_sum_fine(vector_norms, x, &args, result);
    return result[0];
}

double vec_site_norm2(const vec *x)
{
    const field *f = &x->f;
    const site_norms_args args = { vec_view(x), f->slabs };
    const sum_launch largest = { .where = f->where, .precision = f->precision, .args = &args,
                                 .range = lattice_range(f->lattice, f->on) };
    double result;
    assert(x->format == VECTOR_NATIVE);
    run_sum(&site_norms, f->lattice, &largest, &result);
    return result;
}

complex_number vec_dot(const vec *x, const vec *y)
{
    vector_args args = { vec_view(y), vec_view(x), 0 };
    double result[3];
    assert(vec_are_alike(x, y));
    run_sum_fine(vector_products, x, &args, result);
    return (complex_number){ result[0], result[1] };
}

static vector_args args_of(const vec *y, const vec *x, double a)
{
    assert(vec_are_alike(x, y));
    return (vector_args){ vec_view(y), vec_view(x), a };
}

void vec_axpy(vec *y, double a, const vec *x)
{
    vector_args args = args_of(y, x, a);
    run_kernel(vector_axpy_sites, y, &args);
}

void vec_xpay(vec *y, const vec *x, double a)
{
    vector_args args = args_of(y, x, a);
    run_kernel(vector_xpay, y, &args);
}

double vec_axpy_norm2(vec *y, double a, const vec *x, double guess)
{
    const field *f = &y->f;
    vector_args args = args_of(y, x, a);
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args, .range = vec_sites(y) };
    double bound = sum_bound_guessed(guess), norm2;
    run_sum_once(&vector_axpy_norm2[y->format], f->lattice, &sum, bound, &norm2);
    return sum_is_fine(norm2, bound) ? norm2 : vec_norm2(y);           /* NaN is not fine */
}

void vec_combine(vec *y, double a, const vec *x, const double *c, vec *const *v, int count)
{
    combine_args args = { .y = vec_view(y), .x = vec_view(x), .a = a, .count = count };
    assert(vec_are_alike(x, y) && count <= SHIFTS_MAX);
    for (int k = 0; k < count; k++) {
        assert(vec_are_alike(v[k], y));
        args.v[k] = vec_view(v[k]);
        args.c[k] = c[k];
    }
    run_kernel(vector_combine, y, &args);
}
