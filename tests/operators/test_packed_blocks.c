/* test_packed_blocks.c - blocks of the clover term in 16 bits: each number is the nearest multiple of the unit that
 * site/block_storage.h defines, products are those of these numbers, and have the same bits on every place. */
#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_terms.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/wilson_workplace.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 6 };
static const vec_storage half = { VECTOR_HALF, PRECISION_SINGLE };

#define MASS 0.1
#define C_SW 1.7
#define MU 0.2

/* The same term in double and in 16 bits. */
typedef struct { wilson_workplace w; clover_term *exact, *packed; } workplace;

static clover_term *term_of(const wilson_workplace *w, vec_storage in, clover_kind kind, double mu)
{
    clover_term *t = clover_term_create_for(w->l, w->where, in, kind, C_SW);
    clover_term_twist(t, mu);
    return t;
}

static workplace begin(place where, clover_kind kind, double mu)
{
    workplace p = { .w = wilson_begin(where, extents, 1.2, -1) };
    failure why;
    p.exact = term_of(&p.w, (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE }, kind, mu);
    p.packed = term_of(&p.w, half, kind, mu);
    require(clover_term_update(p.exact, p.w.u, MASS, &why), "%s", why.why);
    clover_term_convert(p.packed, p.exact);
    return p;
}

static void end(workplace *p)
{
    clover_term_free(p->packed);
    clover_term_free(p->exact);
    wilson_end(&p->w);
}

/* ---- the numbers, on the CPU */

enum { DIAGONAL = 6, NUMBER_WORDS = BLOCK_REALS / 2 };

/* Word `w` of a chirality at site x, in units of four words. */
static uint32_t word_at(const field *f, int x, int chirality, int w)
{
    const uint32_t *tile = (const uint32_t *)field_view_of(f).data
                           + ((ptrdiff_t)(x / SITE_TILE) * 2 + chirality) * BLOCK_WORDS * SITE_TILE;
    return tile[w / 4 * 4 * SITE_TILE + 4 * (x % SITE_TILE) + w % 4];
}

static double exact_at(const field *f, int x, int chirality, int k)
{
    const double *tile = (const double *)field_view_of(f).data + (ptrdiff_t)(x / SITE_TILE) * CLOVER_REALS * SITE_TILE;
    return tile[(BLOCK_REALS * chirality + k) * SITE_TILE + x % SITE_TILE];
}

/* The largest |x - n unit| / unit, and |32767 unit / largest absolute value - 1|. */
typedef struct { double off, off_unit; } deviations;

static deviations deviations_of(const field *packed, const field *exact, site_range sites)
{
    deviations d = { 0, 0 };
    for (int i = 0; i < range_size(sites); i++)
        for (int chirality = 0; chirality < 2; chirality++) {
            const int x = sites.first + i / sites.sites * sites.step + i % sites.sites;
            double largest[2] = { 0, 0 };
            float unit[2];
            for (int below = 0; below < 2; below++) {
                const uint32_t w = word_at(packed, x, chirality, NUMBER_WORDS + below);
                memcpy(&unit[below], &w, sizeof w);
            }
            for (int k = 0; k < BLOCK_REALS; k++) {
                const int n = (int)(word_at(packed, x, chirality, k / 2) >> k % 2 * 16 & 0xffff) - 32768;
                const double number = exact_at(exact, x, chirality, k), u = (double)unit[k >= DIAGONAL];
                largest[k >= DIAGONAL] = fmax(largest[k >= DIAGONAL], fabs(number));
                d.off = worse(d.off, fabs(number - n * u) / u);
            }
            for (int below = 0; below < 2; below++)
                d.off_unit = worse(d.off_unit, fabs(32767 * (double)unit[below] / largest[below] - 1));
        }
    return d;
}

static void check_numbers(const char *name, const field *packed, const field *exact)
{
    const deviations d = deviations_of(packed, exact, lattice_range(exact->lattice, exact->on));
    fact(d.off > 0.49 && d.off < 0.505, "%s: numbers are the nearest multiples of their unit (off by %.4f of it)", name,
         d.off);
    fact_close(d.off_unit, 0, 3e-7, "%s: the unit is the largest number of its kind in a block / 32767", name);
}

static void numbers(void)
{
    workplace p = begin(PLACE_CPU, CLOVER_EXPONENTIAL, MU);
    check_numbers("c_sw A", &p.packed->blocks->f, &p.exact->blocks->f);
    check_numbers("T", &p.packed->exponential, &p.exact->exponential);
    check_numbers("T S", &p.packed->inverse, &p.exact->inverse);
    check_numbers("-mu S", &p.packed->twisted, &p.exact->twisted);
    end(&p);
}

/* A block of zeros, as unit links have, and a block with one number that is not finite. */
static void zeros_and_nan(void)
{
    workplace p = begin(PLACE_CPU, CLOVER_LINEAR, 0);
    const field *exact = &p.exact->blocks->f, *packed = &p.packed->blocks->f;
    const int x = lattice_parity(p.w.l, 0).first;
    double *tile = (double *)field_view_of(exact).data + (ptrdiff_t)(x / SITE_TILE) * CLOVER_REALS * SITE_TILE;
    for (int k = 0; k < BLOCK_REALS; k++)
        tile[k * SITE_TILE + x % SITE_TILE] = 0;
    tile[(BLOCK_REALS + DIAGONAL + 4) * SITE_TILE + x % SITE_TILE] = NAN;
    p.exact->blocks->version++;
    clover_term_convert(p.packed, p.exact);
    bool zero = word_at(packed, x, 0, NUMBER_WORDS) == 0 && word_at(packed, x, 0, NUMBER_WORDS + 1) == 0;
    for (int w = 0; w < NUMBER_WORDS; w++)
        zero = zero && word_at(packed, x, 0, w) == 0x80008000u;
    fact(zero, "numbers and units of a block of zeros are 0");
    float unit[2];
    for (int below = 0; below < 2; below++) {
        const uint32_t w = word_at(packed, x, 1, NUMBER_WORDS + below);
        memcpy(&unit[below], &w, sizeof w);
    }
    fact(isfinite(unit[0]) && isnan(unit[1]), "a number below the diagonal that is not finite makes its unit NaN");
    end(&p);
}

/* ---- products */

/* T v or T^-1 v in half, and its relative distance from that in double with the same v. */
static vec *product(const workplace *p, int which, double *distance)
{
    vec *v = spinor_vec_create_format(p->w.l, ON_EVEN, p->w.where, VECTOR_HALF, 1), *out = vec_create_like(v);
    vec *exact = vec_create_native(v, PRECISION_DOUBLE), *rounded = vec_create_like(exact);
    wilson_set_random(p->w.v, 3);
    vec_convert(v, p->w.v.even);
    vec_convert(exact, v);
    clover_multiply(out, p->packed, which, v, 0, NULL);
    clover_multiply(exact, p->exact, which, exact, 0, NULL);
    vec_convert(rounded, out);
    vec_axpy(rounded, -1, exact);
    *distance = sqrt(vec_norm2(rounded) / vec_norm2(exact));
    vec_free(rounded);
    vec_free(exact);
    vec_free(v);
    return out;
}

static void products(place where, double **on_cpu)
{
    static const struct { const char *name; int which; } of[] = {
        { "T v", CLOVER_T }, { "T^-1 v", CLOVER_INVERSE }, { "(T^-1)^+ v", CLOVER_INVERSE | CLOVER_ADJOINT },
    };
    enum { PRODUCTS = sizeof of / sizeof *of };
    static const char *const names[] = { "linear", "exponential", "twisted" };
    for (int row = 0; row < 3; row++) {
        workplace p = begin(where, row == 1 ? CLOVER_EXPONENTIAL : CLOVER_LINEAR, row == 2 ? MU : 0);
        for (int k = 0; k < PRODUCTS; k++) {
            double distance;
            vec *out = product(&p, of[k].which, &distance);
            fact(distance > 1e-6 && distance < 3e-5, "%s, %s: %s in half is near that in double (%.2e)",
                 place_name(where), names[row], of[k].name, distance);
            fact(same_as_on_cpu(out, &on_cpu[PRODUCTS * row + k]), "and has the same bits on every place");
            vec_free(out);
        }
        end(&p);
    }
}

/* A block takes 80 bytes, 144 in single precision. */
static void memory(void)
{
    const lattice_shape shape = lattice_shape_single(extents);
    const size_t packed = clover_blocks_bytes(&shape, half, ON_EVEN),
                 single = clover_blocks_bytes(&shape, (vec_storage){ VECTOR_INT20, PRECISION_SINGLE }, ON_EVEN);
    fact(9 * packed == 5 * single, "blocks in 16 bits take 160 of 288 bytes: %zu, %zu", packed, single);
    fact(clover_set_for(half) == CLOVER_FIXED16
             && clover_set_for((vec_storage){ VECTOR_INT20, PRECISION_SINGLE }) == CLOVER_SINGLE
             && clover_set_for((vec_storage){ VECTOR_INT30, PRECISION_DOUBLE }) == CLOVER_DOUBLE,
         "they are for half alone");
}

int main(void)
{
    static double *on_cpu[9];
    memory();
    numbers();
    zeros_and_nan();
    FOR_EVERY_PLACE(where)
        products(where, on_cpu);
    for (size_t k = 0; k < sizeof on_cpu / sizeof *on_cpu; k++)
        memory_free(on_cpu[k]);
    return facts_end();
}
