/* test_storage.c - formats of color vectors: what comes back of what was stored, and what the bytes are.
 *
 * Blocks of six numbers go through vectors in a format and back, at every place.  Words and sizes of errors: the
 * worked example of the formats, and uniform rounding errors (a quantum / sqrt 12 each). */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const int extents[4] = { 16, 8, 8, 8 };

enum { SIX = VEC_REALS };
typedef struct { double x[SIX]; } block;

/* Of each format: bytes a site, largest error and rms of the error of six normal numbers, relative to the largest of
 * them and to their norm; the sizes of blocks between which that holds.  The next larger number is rounded to a power
 * of two that int20 and int30 do not have. */
static const struct { size_t bytes; double largest, rms, low, high; } promise[VECTOR_FORMATS] = {
    [VECTOR_HALF] = { 16, 0x1p-16, 1.40e-5, 0x1p-108, FLT_MAX },
    [VECTOR_INT20] = { 16, 0x1p-19, 1.41e-6, 0x1p-107, 0x1.ffffdep126 },
    [VECTOR_INT30] = { 24, 0x1p-29, 1.38e-9, 0x1p-993, 0x1.fffffff7fffffp1023 },
};
#define BOUND_MARGIN 1.02                   /* the arithmetic rounds as well: float has 2^-8 of the unit of half */

/* What a native number of the format's arithmetic is. */
static double in_arithmetic(vector_format f, double x)
{
    return vector_format_precision(f) == PRECISION_SINGLE ? (double)(float)x : x;
}

static double largest_of(block b)
{
    double m = 0;
    for (int i = 0; i < SIX; i++)
        m = fmax(m, fabs(b.x[i]));
    return m;
}

/* `count` blocks stored by kernels at a place, on the first sites, zero on all others: the vector they are in. */
static vec *stored(lattice *l, place where, vector_format f, const block *b, int count)
{
    double *lex = memory_alloc((size_t)lattice_volume(l) * sizeof(block), "blocks");
    memcpy(lex, b, (size_t)count * sizeof *b);
    vec *v = vec_create_format(l, ON_ALL, where, f);
    vec_import(v, lex);
    memory_free(lex);
    return v;
}

/* What comes back; memory_free. */
static block *loaded(const vec *v)
{
    block *b = memory_alloc((size_t)lattice_volume(v->f.lattice) * sizeof *b, "blocks");
    vec_export(b->x, v);
    return b;
}

/* The bytes of a vector, on the host; memory_free. */
static void *bytes_of(const vec *v)
{
    void *bytes = memory_alloc(v->f.bytes, "bytes of a vector");
    if (v->f.where == PLACE_GPU)
        device_copy_from(bytes, v->f.data, v->f.bytes);
    else
        memcpy(bytes, v->f.data, v->f.bytes);
    return bytes;
}

static bool same_bytes(const vec *a, const vec *b)
{
    void *p = bytes_of(a), *q = bytes_of(b);
    bool same = a->f.bytes == b->f.bytes && memcmp(p, q, a->f.bytes) == 0;
    memory_free(p);
    memory_free(q);
    return same;
}

/* (0.75, -0.3, 0.1, -1.9, 1e-3, 0.6) in the words of the published layout; its first four lie side by side, and two
 * more of int30 behind those of the other sites of the tile. */
static void example(lattice *l, place where)
{
    const block b = { { 0.75, -0.3, 0.1, -1.9, 1e-3, 0.6 } };
    const uint32_t int20[4] = { 0x10630000, 0x100ecccd, 0x66606666, 0x82686666 };
    const uint32_t int30[6] = { 0x4c000000, 0x3b333333, 0x0199999a, 0xa199999a, 0x00041893, 0x0999999a };
    const int site = lattice_site(l, (const int[]){ 0, 0, 0, 0 });
    vec *v = stored(l, where, VECTOR_INT20, &b, 1), *w = stored(l, where, VECTOR_INT30, &b, 1);
    uint32_t *words = bytes_of(v);
    fact(site == 0 && memcmp(words, int20, sizeof int20) == 0, "%s: six numbers are the published words, int20",
         place_name(where));
    memory_free(words);
    words = bytes_of(w);
    fact(memcmp(words, int30, 16) == 0 && memcmp(words + 4 * SITE_TILE, int30 + 4, 8) == 0,
         "%s: six numbers are the published words, int30", place_name(where));
    memory_free(words);
    vec_free(w);
    vec_free(v);
}

/* Normal numbers under a scale of each site that spans e^-3 .. e^3 and more. */
static block *random_blocks(lattice *l)
{
    vec *v = vec_create(l, ON_ALL, PLACE_CPU, PRECISION_DOUBLE), *scale = vec_create(l, ON_ALL, PLACE_CPU,
                                                                                    PRECISION_DOUBLE);
    vec_set_gaussian(v, rng_key_for(11, 0, 1, RNG_TEST), 0);
    vec_set_gaussian(scale, rng_key_for(11, 0, 2, RNG_TEST), 0);
    block *b = loaded(v), *s = loaded(scale);
    for (int64_t site = 0; site < lattice_volume(l); site++)
        for (int i = 0; i < SIX; i++)
            b[site].x[i] *= exp(3 * s[site].x[0]);
    memory_free(s);
    vec_free(scale);
    vec_free(v);
    return b;
}

static void errors(lattice *l, place where, vector_format f)
{
    const char *name = vector_format_names[f];
    const int volume = (int)lattice_volume(l);
    block *b = random_blocks(l);
    vec *v = stored(l, where, f, b, volume);
    block *c = loaded(v);
    double largest = 0, squares = 0, bias = 0;
    for (int site = 0; site < volume; site++) {
        double error2 = 0, norm2 = 0, m = largest_of(b[site]);
        for (int i = 0; i < SIX; i++) {
            double x = in_arithmetic(f, b[site].x[i]), error = c[site].x[i] - x;
            largest = worse(largest, fabs(error) / m);
            bias += error / m / SIX / volume;
            error2 += error * error;
            norm2 += x * x;
        }
        squares += error2 / norm2 / volume;
    }
    note("%s, %s: largest error %.3g of the largest number, rms %.3g, mean %.2g", place_name(where), name, largest,
         sqrt(squares), bias);
    fact(largest <= promise[f].largest * BOUND_MARGIN && largest > promise[f].largest / 1.1,
         "%s, %s: no error is larger than %.3g of the block, some are as large", place_name(where), name,
         promise[f].largest);
    fact_close(sqrt(squares) / promise[f].rms, 1, 0.05, "%s, %s: rms of the errors is %.3g", place_name(where), name,
               promise[f].rms);
    /* six errors a site, uniform: their mean is within 5 sigma of none */
    fact_close(bias, 0, 5 * promise[f].largest / sqrt(3.0 * SIX * volume), "%s, %s: rounding has no bias",
               place_name(where), name);
    fact_close((double)v->f.bytes, (double)(promise[f].bytes * (size_t)volume), 0, "%s, %s: bytes", place_name(where),
               name);
    vec *again = stored(l, where, f, c, volume);
    fact(same_bytes(v, again), "%s, %s: what came back is stored as the same bytes", place_name(where), name);
    vec_free(again);
    memory_free(c);
    vec_free(v);
    memory_free(b);
}

/* Powers of two and their neighbors, over the whole range. */
static void range(lattice *l, place where, vector_format f)
{
    enum { MOST = 4096 };
    const char *name = vector_format_names[f];
    const double step = f == VECTOR_INT30 ? 0x1p-52 : 0x1p-23;
    block *b = memory_alloc(MOST * sizeof *b, "blocks");
    int count = 0;
    for (int e = ilogb(promise[f].low); e <= ilogb(promise[f].high); e += f == VECTOR_INT30 ? 3 : 1)
        for (int kind = 0; kind < 4; kind++) {
            const double mantissa[4] = { 1, 1 + step, 2 - step, 1 - step };
            double m = fmax(promise[f].low, fmin(promise[f].high, ldexp(mantissa[kind], e)));
            b[count++] = (block){ { m * 0.3, -m, 0, m * 1e-3, -m * 0.7, m * 0.01 } };
        }
    b[count++] = (block){ { promise[f].high, -promise[f].high, 0, 0, 0, 0 } };
    vec *v = stored(l, where, f, b, count);
    block *c = loaded(v);
    double worst = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < SIX; i++)
            worst = worse(worst, fabs(c[k].x[i] / largest_of(b[k]) - b[k].x[i] / largest_of(b[k])));
    fact(worst <= promise[f].largest * BOUND_MARGIN, "%s, %s: the same from 2^%d to 2^%d", place_name(where), name,
         ilogb(promise[f].low), ilogb(promise[f].high) + 1);
    memory_free(c);
    vec_free(v);
    memory_free(b);
}

static bool all_are(const block *b, bool (*so)(double))
{
    bool all = true;
    for (int i = 0; i < SIX; i++)
        all &= so(b->x[i]);
    return all;
}
static bool is_nan(double x) { return isnan(x); }
static bool is_plus_zero(double x) { return x == 0 && !signbit(x); }

static void what_is_no_number(lattice *l, place where, vector_format f)
{
    enum { KINDS = 4, COUNT = KINDS * SIX };
    const char *name = vector_format_names[f];
    const double bad[KINDS] = { NAN, -NAN, INFINITY, -INFINITY };
    block b[2 * COUNT];
    bool nan = true, neighbors = true;
    for (int k = 0; k < COUNT; k++) {
        b[2 * k] = b[2 * k + 1] = (block){ { 1, -0.5, 0.25, 0, 0.125, 0.0625 } };
        b[2 * k].x[k % SIX] = bad[k / SIX];
    }
    vec *v = stored(l, where, f, b, 2 * COUNT);
    block *c = loaded(v);
    for (int k = 0; k < COUNT; k++) {
        nan &= all_are(&c[2 * k], is_nan);
        for (int i = 0; i < SIX; i++)
            neighbors &= fabs(c[2 * k + 1].x[i] - b[1].x[i]) <= promise[f].largest;
    }
    fact(nan, "%s, %s: where one of six is NaN or infinite, all six come back as NaN", place_name(where),
         name);
    fact(neighbors, "%s, %s: and those of the next site are not touched", place_name(where), name);
    fact(isnan(vec_norm2(v)), "%s, %s: and the norm is NaN", place_name(where), name);
    memory_free(c);
    vec_free(v);
}

static void ends_of_range(lattice *l, place where, vector_format f)
{
    const char *name = vector_format_names[f];
    const bool is_double = f == VECTOR_INT30;
    const double tiny = is_double ? DBL_MIN : 0x1p-110, subnormal = is_double ? 0x1p-1060 : 0x1p-140;
    const double large = is_double ? DBL_MAX : 0x1p127;
    const block b[4] = { { { 0, -0.0, 0, 0, 0, 0 } }, { { tiny, -tiny, 0, tiny / 2, 0, 0 } },
                         { { 0, 0, 0, subnormal, -subnormal, 0 } }, { { 1, 0, -large, 0, 0, 1 } } };
    vec *v = stored(l, where, f, b, 4), *zero = vec_create_format(l, ON_ALL, where, f);
    block *c = loaded(v);
    fact(all_are(&c[0], is_plus_zero) && all_are(&c[1], is_plus_zero) && all_are(&c[2], is_plus_zero),
         "%s, %s: zero, and what is too small, is +0", place_name(where), name);
    if (f == VECTOR_HALF)
        fact_close(c[3].x[2] / large, -1, promise[f].largest, "%s, %s: what is large is kept", place_name(where), name);
    else
        fact(all_are(&c[3], is_nan), "%s, %s: a number that is too large becomes NaN", place_name(where), name);
    vec *none = stored(l, where, f, b, 3);
    fact(same_bytes(none, zero), "%s, %s: zero is zero bytes", place_name(where), name);
    vec_free(none);
    memory_free(c);
    vec_free(zero);
    vec_free(v);
}

/* Numbers half way between two of the format: to the even one. */
static void ties(lattice *l, place where, vector_format f)
{
    const char *name = vector_format_names[f];
    const double unit = f == VECTOR_INT20 ? 0x1p-18 : f == VECTOR_INT30 ? 0x1p-28 : 1;
    const double top = f == VECTOR_HALF ? 32767 : 1;
    const block b = { { top, 2.5 * unit, 3.5 * unit, -2.5 * unit, -3.5 * unit, 0.5 * unit } };
    const double want[SIX] = { top, 2 * unit, 4 * unit, -2 * unit, -4 * unit, 0 };
    vec *v = stored(l, where, f, &b, 1);
    block *c = loaded(v);
    double worst = 0;
    for (int i = 0; i < SIX; i++)
        worst = worse(worst, fabs(c[0].x[i] - want[i]) / top);
    fact_close(worst, 0, f == VECTOR_HALF ? 1e-7 : 0, "%s, %s: halves are rounded to even", place_name(where), name);
    memory_free(c);
    vec_free(v);
}

static void same_bytes_everywhere(lattice *l, vector_format f)
{
    block *b = random_blocks(l);
    vec *v[PLACES] = { NULL };
    b[3].x[1] = NAN;
    b[4].x[5] = INFINITY;
    b[5] = (block){ { 0 } };
    FOR_EVERY_PLACE(where)
        v[where] = stored(l, where, f, b, (int)lattice_volume(l));
    if (v[PLACE_GPU]) {
        fact(same_bytes(v[PLACE_CPU], v[PLACE_GPU]), "%s: CPU and GPU store the same bytes", vector_format_names[f]);
        b[3] = b[4] = b[5];                              /* a NaN is not one bit pattern */
        block *c[PLACES];
        for (place where = PLACE_CPU; where <= PLACE_GPU; where++) {
            vec *w = stored(l, where, f, b, (int)lattice_volume(l));
            c[where] = loaded(w);
            vec_free(w);
        }
        fact(memcmp(c[PLACE_CPU], c[PLACE_GPU], (size_t)lattice_volume(l) * sizeof *b) == 0,
             "%s: and load the same numbers", vector_format_names[f]);
        memory_free(c[PLACE_CPU]);
        memory_free(c[PLACE_GPU]);
    }
    vec_free(v[PLACE_CPU]);
    vec_free(v[PLACE_GPU]);
    memory_free(b);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        example(l, where);
        for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++) {
            errors(l, where, f);
            range(l, where, f);
            what_is_no_number(l, where, f);
            ends_of_range(l, where, f);
            ties(l, where, f);
        }
    }
    for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++)
        same_bytes_everywhere(l, f);
    lattice_free(l);
    return facts_end();
}
