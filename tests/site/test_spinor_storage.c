/* test_spinor_storage.c - formats of spinors: what comes back of what was stored, chirality by chirality. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/site/stored.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SLICES = 3, SPINORS = SLICES * STORED_SITES, NUMBERS = SPINORS * STORED_SPINOR, WAYS = 5 };

/* A way to keep spinors: its block shares a scale, of which `unit` is the largest error; bytes a site and slice. */
static const struct way { const char *name; vector_format f; bool single; int block; double unit; size_t bytes; }
ways[WAYS] = {
    { "single", VECTOR_NATIVE, true, 1, FLT_EPSILON / 2, 96 },
    { "double", VECTOR_NATIVE, false, 1, 0, 192 },
    { "half", VECTOR_HALF, true, 12, 0x1p-16, 56 },
    { "int20", VECTOR_INT20, true, 6, 0x1p-19, 64 },
    { "int30", VECTOR_INT30, false, 6, 0x1p-29, 96 },
};
#define BOUND_MARGIN 1.02                              /* the arithmetic rounds as well */

typedef struct { double x[NUMBERS]; } numbers;
typedef struct { numbers in, returned, loaded; unsigned char memory[NUMBERS * sizeof(double)]; } kept;

static double uniform(uint32_t n)
{
    philox_words w = rng_words(rng_key_for(94, 0, 0, RNG_TEST), n, 0);
    return rng_uniform(w.v[0], w.v[1]);
}

/* Normal numbers; those of spins 2, 3 are smaller by `ratio`. */
static kept *random_spinors(double ratio)
{
    kept *k = memory_alloc(sizeof *k, "spinors");
    for (uint32_t i = 0; i < NUMBERS; i++)
        k->in.x[i] = sqrt(-2 * log(uniform(2 * i))) * cos(2 * M_PI * uniform(2 * i + 1)) * (i % 24 < 12 ? 1 : ratio);
    return k;
}

static void orders(int *along, int *apart)
{
    for (int x = 0; x < STORED_SITES; x++) {
        along[x] = x;
        apart[x] = (x * 77 + 13) % STORED_SITES;
    }
}

static void keep(kept *k, const struct way *w, bool in_memory_order)
{
    int along[STORED_SITES], apart[STORED_SITES];
    const stored_in *s = w->single ? &stored_in_single : &stored_in_double;
    orders(along, apart);
    memset(k->memory, 0xee, sizeof k->memory);
    s->spinors(w->f, SLICES, k->memory, k->in.x, k->returned.x, k->loaded.x, in_memory_order ? along : apart);
}

/* Largest error relative to the largest of its block, and rms error relative to the rms, of one chirality. */
typedef struct { double largest, rms; } error_of;
static error_of error_in(const kept *k, const struct way *w, int chirality)
{
    error_of e = { 0, 0 };
    double errors2 = 0, numbers2 = 0;
    for (int first = 0; first < NUMBERS; first += w->block) {
        double largest = 0;
        if (first % 24 / 12 != chirality)
            continue;
        for (int i = first; i < first + w->block; i++)
            largest = fmax(largest, fabs(k->in.x[i]));
        for (int i = first; i < first + w->block; i++) {
            double error = k->loaded.x[i] - k->in.x[i];
            e.largest = fmax(e.largest, fabs(error) / largest);
            errors2 += error * error;
            numbers2 += k->in.x[i] * k->in.x[i];
        }
    }
    e.rms = sqrt(errors2 / numbers2);
    return e;
}

static void round_trip(const struct way *w)
{
    kept *k = random_spinors(1), *apart = random_spinors(1);
    keep(k, w, true);
    keep(apart, w, false);
    error_of e = error_in(k, w, 0);
    note("%s: largest error %.3g of the largest number of a block, rms %.3g", w->name, e.largest, e.rms);
    fact(e.largest <= w->unit * BOUND_MARGIN && e.largest >= w->unit / 1.2, "%s: no error is larger than %.3g",
         w->name, w->unit);
    fact(memcmp(&k->returned, &k->loaded, sizeof k->loaded) == 0, "%s: storing tells what will be loaded", w->name);
    fact(memcmp(&k->loaded, &apart->loaded, sizeof k->loaded) == 0, "%s: the same at sites that lie apart", w->name);

    size_t used = sizeof k->memory;
    while (used > 0 && k->memory[used - 1] == 0xee)
        used--;
    fact(used <= w->bytes * SPINORS && used > w->bytes * SPINORS - 8, "%s: %zu bytes a spinor", w->name, w->bytes);

    unsigned char *before = memory_alloc(sizeof k->memory, "bytes of spinors");
    memcpy(before, k->memory, sizeof k->memory);
    k->in = k->loaded;
    keep(k, w, true);
    fact(memcmp(before, k->memory, sizeof k->memory) == 0, "%s: what came back is stored as the same bytes", w->name);
    memory_free(before);
    memory_free(apart);
    memory_free(k);
}

/* Far from a wall: the small chirality is as precise as the large one. */
static void chiralities(const struct way *w)
{
    kept *k = random_spinors(1e-4);
    keep(k, w, true);
    error_of large = error_in(k, w, 0), small = error_in(k, w, 1);
    note("%s: chiralities 1 and 1e-4 come back to %.3g and %.3g of their size", w->name, large.rms, small.rms);
    fact(small.largest <= w->unit * BOUND_MARGIN && small.rms <= 1.1 * large.rms,
         "%s: a chirality that is smaller by 1e-4 is as precise as the other", w->name);
    memory_free(k);
}

static bool all_are_zero(const double *x, int count)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all &= x[i] == 0 && !signbit(x[i]);
    return all;
}

static bool all_are_nan(const double *x, int count)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all &= (bool)isnan(x[i]);
    return all;
}

static bool are_close(const double *x, const double *y, int count, double unit)
{
    double largest = 0, error = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(y[i]));
        error = fmax(error, isnan(x[i]) ? INFINITY : fabs(x[i] - y[i]));
    }
    return error <= unit * BOUND_MARGIN * largest;
}

/* Sites 0 to 11: one chirality is zero, all are zero, a number of each spin is none or infinite. */
static void edges(const struct way *w)
{
    const int blocks_of_spin = w->block == 12 ? 2 : 1;
    kept *k = random_spinors(1);
    for (int i = 12; i < 24; i++)
        k->in.x[i] = 0;
    for (int i = 24; i < 48; i++)
        k->in.x[i] = i % 2 ? -0.0 : 0;
    for (int spin = 0; spin < 4; spin++) {
        k->in.x[24 * (2 + spin) + 6 * spin + spin] = NAN;
        k->in.x[24 * (6 + spin) + 6 * spin + 5] = spin % 2 ? INFINITY : -INFINITY;
    }
    keep(k, w, true);
    const double *in = k->in.x, *out = k->loaded.x;
    fact(are_close(out, in, 12, w->unit) && all_are_zero(out + 12, 12),
         "%s: a chirality that is zero comes back as zero", w->name);
    if (w->block == 1) {
        memory_free(k);
        return;
    }
    fact(all_are_zero(out + 24, 24), "%s: and so does a spinor", w->name);
    bool none = true, others = true;
    for (int site = 2; site < 10; site++)
        for (int spin = 0; spin < 4; spin++) {
            const int bad = (site - 2) % 4, at = 24 * site + 6 * spin;
            if (spin / blocks_of_spin == bad / blocks_of_spin)
                none &= all_are_nan(out + at, 6);
            else
                others &= are_close(out + at, in + at, 6, w->unit * 6);
        }
    fact(none, "%s: what shares a scale with no number, or an infinite one, comes back as none", w->name);
    fact(others, "%s: and other spins come back", w->name);
    memory_free(k);
}

static void arithmetic(const stored_in *s, double rounding, const char *name)
{
    kept *k = random_spinors(1);
    const double *a = k->in.x, *b = k->in.x + 24;
    double norm2 = 0, re = 0, im = 0, sum[24], worst = 0;
    for (int i = 0; i < 24; i += 2) {
        norm2 += a[i] * a[i] + a[i + 1] * a[i + 1];
        re += a[i] * b[i] + a[i + 1] * b[i + 1];
        im += a[i] * b[i + 1] - a[i + 1] * b[i];
    }
    spinor_products p = s->products(a, b);
    fact_close(p.norm2, norm2, 24 * rounding * norm2, "%s: |a|^2 of spinors", name);
    fact_close(p.dot[0], re, 24 * rounding * norm2, "%s: Re a^+ b", name);
    fact_close(p.dot[1], im, 24 * rounding * norm2, "%s: Im a^+ b", name);
    memcpy(sum, b, sizeof sum);
    s->axpy(sum, -0.3, a);
    for (int i = 0; i < 24; i++)
        worst = fmax(worst, fabs(sum[i] - (b[i] - 0.3 * a[i])));
    fact(worst <= 8 * rounding, "%s: s + f a", name);
    memory_free(k);
}

int main(void)
{
    for (int i = 0; i < WAYS; i++) {
        round_trip(&ways[i]);
        chiralities(&ways[i]);
        edges(&ways[i]);
    }
    arithmetic(&stored_in_single, FLT_EPSILON, "single");
    arithmetic(&stored_in_double, DBL_EPSILON, "double");
    return facts_end();
}
