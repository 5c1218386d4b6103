/* test_link_storage.c - links as fewer numbers than 18: what comes back of U(3) and SU(3) matrices, at every place and
 * in both precisions.
 *
 * Fields are random, smooth, exp(eps P), and such that signs, angles and elements are at their ends.  A phase on every
 * link makes U(3) matrices of them. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/gauge/packed_links.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"
#include "tests/site/stored.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 6, 8, 4 };
static const char *const precision_words[PRECISIONS] = { "single", "double" };

/* Largest error of an element that a format may make, in units of the last place of 1, and bytes of a link in single
 * precision, half of those in double.  Of two rows: the rounding of six products and of the phase, and as much of
 * exp(P); on spheres twice that.  In fixed point: 2^-16 or 2^-32 of each number; in the third row eight of them meet,
 * with factors whose sum is 4 at most; eight numbers: link_spheres.h. */
static const struct { double units; size_t bytes; bool special; } promise[LINK_FORMATS] = {
    [LINK_FIXED16_13] = { 4 * 0x1p-16 / FLT_EPSILON, 28, false },
    [LINK_FIXED32_13] = { 4 * 0x1p-32 / DBL_EPSILON, 28, false },
    [LINK_FIXED16_12] = { 4 * 0x1p-16 / FLT_EPSILON, 24, true },
    [LINK_FIXED32_12] = { 4 * 0x1p-32 / DBL_EPSILON, 24, true },
    [LINK_FIXED16_8] = { 11 * 0x1p-16 / FLT_EPSILON, 16, true },
    [LINK_FIXED16_9] = { 11 * 0x1p-16 / FLT_EPSILON, 20, false },
    [LINK_FIXED32_9] = { 11 * 0x1p-32 / DBL_EPSILON, 20, false },
    [LINK_12] = { 8, 48, true }, [LINK_8] = { 12, 32, true },
    [LINK_13] = { 8, 52, false }, [LINK_9] = { 16, 36, false },
};

static rng_key key_of(unsigned n)
{
    return rng_key_for(91, 0, n, RNG_TEST);
}

/* Every link times a phase of its own: any, within `spread` of 1 or of -1, as staggered phases and boundaries are. */
static void turn_phases(const lattice *l, double *links, double spread)
{
    double *any = any_links(l, 5);
    double complex *m = (double complex *)links;
    for (size_t link = 0; link < 4 * (size_t)lattice_volume(l); link++) {
        double sign = any[18 * link + 1] < 0 ? -1 : 1;
        for (int k = 0; k < 9; k++)
            m[9 * link + k] *= sign * cexp(I * M_PI * spread * any[18 * link]);
    }
    memory_free(any);
}

/* exp(eps P) of normal P; random matrices for eps 0 */
static double *links_near_one(lattice *l, double eps)
{
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    if (eps == 0)
        gauge_set_random(u, key_of(1));
    else {
        momentum *p = momentum_create(l, PLACE_CPU, PRECISION_DOUBLE);
        momentum_set_gaussian(p, key_of(2));
        gauge_set_unit(u);
        gauge_drift(u, eps, p);
        momentum_free(p);
    }
    double *links = links_of(u);
    gauge_free(u);
    return links;
}

/* Rows orthonormal in order, and the third that makes the determinant `det`. */
static void complete(double complex *m, double complex det)
{
    double complex along = 0;
    double norm2[2] = { 0 };
    for (int j = 0; j < 3; j++)
        norm2[0] += creal(m[j] * conj(m[j]));
    for (int j = 0; j < 3; j++) {
        m[j] /= sqrt(norm2[0]);
        along += conj(m[j]) * m[3 + j];
    }
    for (int j = 0; j < 3; j++) {
        m[3 + j] -= along * m[j];
        norm2[1] += creal(m[3 + j] * conj(m[3 + j]));
    }
    for (int j = 0; j < 3; j++)
        m[3 + j] /= sqrt(norm2[1]);
    for (int j = 0; j < 3; j++)
        m[6 + j] = det * conj(m[(j + 1) % 3] * m[3 + (j + 2) % 3] - m[(j + 2) % 3] * m[3 + (j + 1) % 3]);
}

/* First elements of both rows small or of size 1, of angles all around, and determinants likewise. */
static double *links_at_ends(lattice *l, bool special)
{
    enum { SIZES = 9, ANGLES = 13 };
    static const double size[SIZES] = { 0, 1e-30, 1e-18, 1e-9, 1e-4, 0.5, 1, 1e4, 1e9 };    /* to the other elements */
    static const double angle[ANGLES] = { 0, 1e-9, -1e-9, 0.5, -0.5, 0.5 + 1e-9, 0.5 - 1e-9, -0.5 - 1e-7, 1, -1,
                                          1 - 1e-9, 1e-4 - 1, 1 - 1e-17 };                     /* in units of pi */
    double *links = links_near_one(l, 0);
    double complex *m = (double complex *)links;
    for (size_t link = 0; link < 4 * (size_t)lattice_volume(l); link++, m += 9) {
        size_t k = link / 2, first = k % ANGLES, second = k / ANGLES % ANGLES;
        if (link % 2)
            for (int i = 0; i < 6; i++)
                m[i] = (i == (int)(k % 3) || i == 3 + (int)((k + 1) % 3));           /* axes, in every order */
        double complex z = cexp(I * M_PI * angle[first]), w = cexp(I * M_PI * angle[second]);
        if (link % 2) {
            m[k % 3] *= z;
            m[3 + (k + 1) % 3] *= w;
        } else {
            m[0] = z * size[k % SIZES];
            m[3 + k % 3] = w * size[k / SIZES % SIZES];
        }
        complete(m, special ? 1 : cexp(I * M_PI * angle[k % 7 + second % 7]));
    }
    return links;
}

/* Largest error of an element, of links kept in a format; NaN where they cannot be kept. */
static double off(lattice *l, place where, precision p, link_format f, const double *links)
{
    failure why;
    gauge *u = links_on(l, where, p, links), *back = gauge_create(l, where, p);
    packed_links *kept = packed_links_create_precision(l, where, f, p);
    bool set = packed_links_set(kept, u, &why);
    double worst = NAN;
    if (!set)
        note("%s", why.why);
    else {
        packed_links_unpack(back, kept);
        double *got = links_of(back), *want = links_of(u), *difference = links_sum(l, got, -1, want);
        worst = isfinite(links_product(l, got, got)) ? links_largest(l, difference) : NAN;
        memory_free(difference);
        memory_free(want);
        memory_free(got);
    }
    packed_links_free(kept);
    gauge_free(back);
    gauge_free(u);
    return worst;
}

static void round_trips(lattice *l, place where, precision p, link_format f)
{
    const double eps[] = { 0, 1e-3, 1e-2, 0.1, 1 };
    const double unit = p == PRECISION_DOUBLE ? DBL_EPSILON : FLT_EPSILON, most = promise[f].units * unit;
    char name[64];
    snprintf(name, sizeof name, "%s, %s, %s", place_name(where), precision_words[p], link_format_names[f]);
    for (int k = 0; k < (int)(sizeof eps / sizeof *eps); k++) {
        double *links = links_near_one(l, eps[k]);
        if (!promise[f].special)
            turn_phases(l, links, eps[k] == 0 ? 1 : eps[k] / 10);
        double worst = off(l, where, p, f, links);
        note("%s: links %g from 1 (0: random) come back to %.2g", name, eps[k], worst);
        if (eps[k] == 0)
            fact(worst <= most, "%s: random links come back to %.2g", name, most);
        else
            fact(worst <= most, "%s: links about %g from 1, or -1, come back to %.2g", name, eps[k], most);
        memory_free(links);
    }
    double *links = links_at_ends(l, promise[f].special), worst = off(l, where, p, f, links);
    note("%s: links at the ends come back to %.2g", name, worst);
    fact(worst <= most, "%s: so do those with elements and angles at their ends", name);
    memory_free(links);
}

/* Matrices of units and zeros. */
static void exact_ones(lattice *l, place where, precision p, link_format f)
{
    double *links = links_near_one(l, 0);
    double complex *m = (double complex *)links;
    for (size_t link = 0; link < 4 * (size_t)lattice_volume(l); link++, m += 9) {
        double sign = promise[f].special || link % 2 ? 1 : -1;
        for (int k = 0; k < 9; k++)
            m[k] = k % 4 ? 0 : sign;
    }
    fact_close(off(l, where, p, f, links), 0, 0x1p-58, "%s, %s, %s: 1%s come%s back to 2^-58", place_name(where),
               precision_words[p], link_format_names[f], promise[f].special ? "" : " and -1",
               promise[f].special ? "s" : "");
    memory_free(links);
}

static void memory(lattice *l, place where, precision p, link_format f)
{
    packed_links *kept = packed_links_create_precision(l, where, f, p);
    double links = 4.0 * (double)lattice_volume(l), width = p == PRECISION_DOUBLE ? 2 : 1;
    fact(kept->f.bytes == packed_links_bytes_precision(lattice_shape_of(l), f, p),
         "%s, %s: memory is what a plan of it says", precision_words[p], link_format_names[f]);
    fact_close((double)kept->f.bytes / links, (double)promise[f].bytes * width, 0, "%s, %s: %zu bytes a link",
               precision_words[p], link_format_names[f], promise[f].bytes * (size_t)width);
    packed_links_free(kept);
}

static void same_bytes_everywhere(lattice *l, precision p, link_format f)
{
    double *links = links_at_ends(l, promise[f].special), *got[PLACES] = { NULL };
    void *bytes[PLACES] = { NULL };
    size_t size = packed_links_bytes_precision(lattice_shape_of(l), f, p);
    FOR_EVERY_PLACE(where) {
        gauge *u = links_on(l, where, p, links);
        packed_links *kept = packed_links_create_precision(l, where, f, p);
        packed_links_set(kept, u, NULL);
        bytes[where] = memory_alloc(size, "bytes of links");
        if (where == PLACE_GPU)
            device_copy_from(bytes[where], kept->f.data, size);
        else
            memcpy(bytes[where], kept->f.data, size);
        packed_links_unpack(u, kept);
        got[where] = links_of(u);
        packed_links_free(kept);
        gauge_free(u);
    }
    if (got[PLACE_GPU])
        fact(memcmp(bytes[PLACE_CPU], bytes[PLACE_GPU], size) == 0 &&
             memcmp(got[PLACE_CPU], got[PLACE_GPU], link_numbers(l) * sizeof *links) == 0,
             "%s, %s: CPU and GPU store the same bytes and load the same numbers", precision_words[p],
             link_format_names[f]);
    for (int where = 0; where < PLACES; where++) {
        memory_free(bytes[where]);
        memory_free(got[where]);
    }
    memory_free(links);
}

/* Hops read links of sites that lie apart in memory; and what is loaded, if it is stored again, are the same words. */
static void at_sites_apart(lattice *l, const stored_in *s, precision p, link_format f)
{
    enum { COUNT = 4 * STORED_SITES * STORED_LINK };
    static double in[COUNT], along[COUNT], apart[COUNT];
    static unsigned char memory[COUNT * sizeof(double)] __attribute__((aligned(64))), before[sizeof memory];
    int order[STORED_SITES];
    double *links = links_near_one(l, 0), worst = 0;
    const bool points = f == LINK_FIXED16_8 || f == LINK_FIXED16_9 || f == LINK_FIXED32_9;
    const double one = !link_format_is_fixed(f) || points ? 1 : p == PRECISION_DOUBLE ? FIXED32_ONE : FIXED16_ONE;
    const double unit = f == LINK_FIXED16 ? 0x1p-16 : f == LINK_FIXED32 ? 0x1p-32
                      : promise[f].units * (p == PRECISION_DOUBLE ? DBL_EPSILON : FLT_EPSILON);
    if (!promise[f].special)
        turn_phases(l, links, 1);
    for (int i = 0; i < COUNT; i++)
        in[i] = one * links[i];
    for (int x = 0; x < STORED_SITES; x++)
        order[x] = x;
    s->links(f, memory, in, along, order);
    for (int x = 0; x < STORED_SITES; x++)
        order[x] = (x * 77 + 13) % STORED_SITES;
    s->links(f, memory, in, apart, order);
    for (int i = 0; i < COUNT; i++)
        worst = worse(worst, fabs(along[i] - in[i]) / one);
    fact(worst <= unit * 1.02, "%s, %s: links come back", precision_words[p], link_format_names[f]);
    fact(memcmp(along, apart, sizeof along) == 0, "%s, %s: the same at sites that lie apart", precision_words[p],
         link_format_names[f]);
    if (link_format_is_fixed(f) && promise[f].special) {
        memcpy(before, memory, sizeof memory);
        for (int x = 0; x < STORED_SITES; x++)
            order[x] = x;
        s->links(f, memory, along, apart, order);
        fact(memcmp(before, memory, sizeof memory) == 0, "%s, %s: what is loaded is stored as the same words",
             precision_words[p], link_format_names[f]);
    }
    memory_free(links);
}

static precision fixed_precision(link_format f)
{
    return f == LINK_FIXED32_13 || f == LINK_FIXED32_12 || f == LINK_FIXED32_9 ? PRECISION_DOUBLE : PRECISION_SINGLE;
}

int main(void)
{
    static const link_format in_single[] = { LINK_FIXED16, LINK_FIXED16_13, LINK_FIXED16_12, LINK_FIXED16_8,
                                             LINK_FIXED16_9, LINK_12, LINK_9 };
    static const link_format in_double[] = { LINK_FIXED32, LINK_FIXED32_13, LINK_FIXED32_12, LINK_FIXED32_9,
                                             LINK_12, LINK_9 };
    lattice *l = lattice_create_single(extents);
    for (link_format f = LINK_FIXED16_13; f < LINK_FORMATS; f++)
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            if (link_format_is_fixed(f) && p != fixed_precision(f))
                continue;
            FOR_EVERY_PLACE(where) {
                round_trips(l, where, p, f);
                exact_ones(l, where, p, f);
            }
            memory(l, PLACE_CPU, p, f);
            same_bytes_everywhere(l, p, f);
        }
    for (int i = 0; i < (int)(sizeof in_single / sizeof *in_single); i++)
        at_sites_apart(l, &stored_in_single, PRECISION_SINGLE, in_single[i]);
    for (int i = 0; i < (int)(sizeof in_double / sizeof *in_double); i++)
        at_sites_apart(l, &stored_in_double, PRECISION_DOUBLE, in_double[i]);
    lattice_free(l);
    return facts_end();
}
