/* test_exact_sum.c - sums that do not depend on the order of their terms.
 *
 * The reference adds the same terms as 128-bit integers in units of bound 2^-108, cut towards zero. */
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define PER_BOUND (SUM_WORD / SUM_BOUND)
#define UNIT_EXPONENT (-84)                    /* SUM_BOUND 2^-108 = 2^-84 */

enum { TERMS = 1 << 15, CELLS = 7 };

static double value_of(const sum_cell *c)
{
    return sum_cell_value(c, SUM_BOUND);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Of both signs, of sizes from 2^-100 to 2^24 */
static double term(uint32_t n)
{
    philox_words w = rng_words(rng_key_for(31, 0, 0, RNG_TEST), n, 0);
    double size = ldexp(rng_uniform(w.v[0], w.v[1]), 24 - (int)(w.v[2] % 124));
    return w.v[3] & 1 ? size : -size;
}

static __int128 in_units(double v)
{
    return (__int128)ldexpl((long double)v, -UNIT_EXPONENT);            /* truncates */
}

static void order_of_terms(void)
{
    static double terms[TERMS];
    sum_cell whole = { 0 };
    __int128 want = 0;
    for (uint32_t n = 0; n < TERMS; n++) {
        terms[n] = term(n);
        sum_cell_add(&whole, terms[n], PER_BOUND);
        want += in_units(terms[n]);
    }
    double sum = value_of(&whole);
    sum_cell normal = whole;
    sum_cell_carry(&normal);
    fact(same_bits(sum, (double)want * ldexp(1, UNIT_EXPONENT)),
         "%d terms of sizes 2^-100 to 2^24: the bits of the 128-bit integer sum, rounded once (%.17g)", TERMS, sum);

    bool same = true, merged = true;
    for (uint32_t shuffle = 1; shuffle <= 20; shuffle++) {
        for (uint32_t n = TERMS - 1; n > 0; n--) {
            uint32_t other = rng_words(rng_key_for(32, 0, shuffle, RNG_TEST), n, 0).v[0] % (n + 1);
            double t = terms[n];
            terms[n] = terms[other];
            terms[other] = t;
        }
        sum_cell again = { 0 }, part[CELLS], total = { 0 };
        memset(part, 0, sizeof part);
        for (uint32_t n = 0; n < TERMS; n++) {
            sum_cell_add(&again, terms[n], PER_BOUND);
            sum_cell_add(&part[(n * n + shuffle) % CELLS], terms[n], PER_BOUND);
        }
        for (int c = 0; c < CELLS; c++)
            sum_cell_merge(&total, part[(c + (int)shuffle) % CELLS]);
        sum_cell_carry(&total);
        same &= same_bits(value_of(&again), sum) && memcmp(&again, &whole, sizeof whole) == 0;
        merged &= memcmp(&total, &normal, sizeof normal) == 0;
    }
    fact(same, "the same bits in 20 other orders");
    fact(merged, "and in %d partial sums merged in any order", CELLS);
}

static double sum_of(int count, const double *terms)
{
    sum_cell c = { 0 };
    for (int n = 0; n < count; n++)
        sum_cell_add(&c, terms[n], PER_BOUND);
    return value_of(&c);
}

static void carries_and_signs(void)
{
    double big = nextafter(SUM_BOUND, 0), tiny = ldexp(1, UNIT_EXPONENT);
    fact(sum_of(2, (double[]){ 1e7, -1e7 }) == 0, "a term and its negative cancel exactly");
    fact(sum_of(3, (double[]){ big, tiny, -big }) == tiny, "the last bit kept survives the largest"
         " terms that cancel");
    fact(sum_of(2, (double[]){ 1, -tiny }) == 1, "1 - 2^-84 rounds to 1");
    fact(sum_of(3, (double[]){ 1, -tiny, -1 }) == -tiny, "and holds the 2^-84 all the same");
    fact(sum_of(1, (double[]){ tiny / 2 }) == 0 && sum_of(1, (double[]){ -tiny / 2 }) == 0,
         "a term below the last bit is cut towards zero, whatever its sign");
    fact(sum_of(0, NULL) == 0, "no terms: zero");

    /* The low words overflow into the high ones, and borrow from them. */
    sum_cell c = { 0 };
    __int128 want = 0;
    double carrier = -ldexp(1 - ldexp(1, -50), -49), borrower = ldexp(1, -12) - ldexp(1, -60);
    for (int n = 0; n < 100000; n++) {
        sum_cell_add(&c, carrier, PER_BOUND);
        sum_cell_add(&c, borrower, PER_BOUND);
        want += in_units(carrier) + in_units(borrower);
    }
    fact(same_bits(value_of(&c), (double)want * ldexp(1, UNIT_EXPONENT)), "carries between the words, of both signs");

    sum_cell many = { 0 };
    sum_cell_add(&many, big, PER_BOUND);
    for (int n = 0; n < 26; n++)
        sum_cell_merge(&many, many);
    fact_close(value_of(&many) / ldexp(big, 26), 1, 2.3e-16, "2^26 terms as large as they may be, relative");
}

/* The words as one integer, rounded once by the compiler.  Above 2^126 the low word is too far below to be more than
 * a bit that says whether it is there. */
static double rounded_integer(const sum_cell *c, double bound)
{
    const __int128 word = (__int128)1 << 36;
    const __int128 two = c->word[0] * word + c->word[1] + (c->word[2] >> 36);
    const long long low = c->word[2] & (long long)(word - 1);
    const bool fits = c->word[0] > -(1LL << 54) && c->word[0] < 1LL << 54;
    return fits ? ldexp((double)(two * word + low), -108) * bound : ldexp((double)(two | (low != 0)), -72) * bound;
}

/* A whole number of at most `width` bits, of either sign. */
static long long random_word(uint32_t n, uint32_t draw, int width)
{
    philox_words w = rng_words(rng_key_for(33, 0, draw, RNG_TEST), n, 0);
    uint64_t size = ((uint64_t)w.v[0] << 32 | w.v[1]) >> (64 - width);
    return w.v[2] & 1 ? (long long)size : -(long long)size;
}

static const double bounds[] = { SUM_BOUND, 0x1p-900, 1, 0x1p+900 };
enum { BOUNDS = sizeof bounds / sizeof *bounds, CASES = 20000 };

static bool is_rounded_once(const sum_cell *c)
{
    bool is = true;
    for (int n = 0; n < BOUNDS; n++)
        is &= same_bits(sum_cell_value(c, bounds[n]), rounded_integer(c, bounds[n]));
    return is;
}

/* The number in three words, with carries left in them, and its negative. */
static bool both_signs_rounded_once(__int128 number, uint32_t n)
{
    const long long one = 1LL << 36, ones = one - 1, carry = random_word(n, 4, 20), another = random_word(n, 5, 20);
    sum_cell c = { { (long long)(number >> 72) + another, (long long)(number >> 36 & ones) + carry - another * one,
                     (long long)(number & ones) - carry * one }, 0 };
    sum_cell minus = { { -c.word[0], -c.word[1], -c.word[2] }, 0 };
    return is_rounded_once(&c) && is_rounded_once(&minus);
}

/* Words of any size against an integer that holds them all. */
static void word_values(void)
{
    bool any = true, ties = true, beside = true, tiny = true;
    for (uint32_t n = 0; n < CASES; n++) {
        const int width[3] = { 1 + (int)(n % 62), 1 + (int)(n / 3 % 62), 1 + (int)(n / 7 % 62) };
        sum_cell c = { { n % 5 ? random_word(n, 1, width[0]) : 0, n % 7 ? random_word(n, 2, width[1]) : 0,
                         n % 11 ? random_word(n, 3, width[2]) : 0 }, 0 };
        any &= is_rounded_once(&c);
        const __int128 half_way = (__int128)(llabs(random_word(n, 6, 53)) | 1LL << 53 | 1) << n % 70;
        ties &= both_signs_rounded_once(half_way, n);
        beside &= both_signs_rounded_once(half_way + 1, n) && both_signs_rounded_once(half_way - 1, n);
        tiny &= both_signs_rounded_once(n, n);
    }
    fact(any, "%d sums of words of any size and sign: rounded once from the whole integer", CASES);
    fact(ties, "%d half-way between two numbers: to the even one", CASES);
    fact(beside, "and one unit beside them: to the nearer one");
    fact(tiny, "the smallest, up to %d units, are exact", CASES);
    fact(same_bits(value_of(&(sum_cell){ { 1, -(1LL << 36), 0 }, 0 }), 0.0), "words that cancel are zero");
}

static void refused(void)
{
    static const double never[] = { SUM_BOUND, -SUM_BOUND, 1e300, INFINITY, -INFINITY, NAN };
    bool all = true;
    for (int n = 0; n < 6; n++)
        all &= isnan(sum_of(3, (double[]){ 1, never[n], 2 }));
    fact(all, "a term at the bound, infinite or not a number makes the sum NaN");
    fact(sum_of(1, (double[]){ nextafter(-SUM_BOUND, 0) }) == nextafter(-SUM_BOUND, 0),
         "one just below the bound does not");

    max_cell largest = { 0 }, other = { 0 };
    fact(max_cell_value(&largest) == 0, "the maximum of nothing is 0");
    max_cell_add(&largest, 5e-324);
    max_cell_add(&other, 3.5);
    max_cell_add(&other, 0);
    max_cell_add(&other, 3.4999);
    fact(max_cell_value(&largest) == 5e-324 && max_cell_value(&other) == 3.5, "maxima, of subnormal numbers too");
    max_cell_merge(&largest, other);
    fact(max_cell_value(&largest) == 3.5, "merged maxima");
    max_cell_add(&largest, NAN);
    max_cell_merge(&other, largest);
    fact(isnan(max_cell_value(&other)), "NaN in a maximum is carried through the merge");
    max_cell minus = { 0 };
    max_cell_add(&minus, -1);
    fact(isnan(max_cell_value(&minus)), "a negative number is none that a maximum is made of");
}

static const int extents[4] = { 4, 6, 2, 4 };

/* Momenta of one size: the sum is known, and passes from one bound to the other. */
static void bounds_of_fields(lattice *l, place where)
{
    size_t links = 4 * (size_t)lattice_volume(l);
    double *matrices = analytic_momenta(extents), sum = 0;
    for (size_t i = 0; i < links * 18; i++)
        sum += matrices[i] * matrices[i];
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE), *scaled = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_import(p, matrices);
    static const double factors[] = { 1e-6, 1, 1e3, 1e6, 1e11 };
    for (int n = 0; n < 5; n++) {
        momentum_zero(scaled);
        momentum_axpy(scaled, factors[n], p);
        momentum_size size = momentum_measure(scaled);
        fact_close(size.sum_norm2 / (factors[n] * factors[n] * sum), 1, n == 0 ? 1e-9 : 1e-14,
                   "%s: sum of Tr P^+P for P times %g, relative", place_name(where), factors[n]);
    }
    momentum_zero(scaled);
    momentum_axpy(scaled, 1e14, p);
    fact(isnan(momentum_kinetic(scaled)), "%s: terms beyond 2^84 make it NaN", place_name(where));
    matrices[18 * 37 + 3] = NAN;
    matrices[18 * 37 + 7] = NAN;
    momentum_import(p, matrices);
    fact(isnan(momentum_kinetic(p)), "%s: one momentum that is not a number does, too", place_name(where));
    momentum_free(scaled);
    momentum_free(p);
    memory_free(matrices);
}

typedef struct { double plaquette, rectangle, parallelogram, polyakov[2], trace, kinetic, even_odd; } sums;

SUM_KERNEL(momentum_norms, 1, 1);

static sums sums_of(const gauge *u, const momentum *p)
{
    lattice *l = u->links.lattice;
    place where = u->links.where;
    polyakov_mean line = gauge_polyakov(u, 3);
    sums s = { gauge_plaquette(u).average, gauge_rectangle(u), gauge_parallelogram(u), { line.re, line.im },
               gauge_link_quality(u).link_trace, momentum_kinetic(p), 0 };
    momentum_args args = { lattice_on(l, where), momentum_view_of(p), momentum_view_of(p), 0 };
    sum_array both = sums_create(l, where, 1, 1);
    sum_cell norm2;
    max_cell largest;
    for (int parity = 1; parity >= 0; parity--) {
        const sum_launch half = { .where = where, .precision = p->f.precision, .args = &args,
                                  .range = lattice_parity(l, parity) };
        run_sum_into(&momentum_norms, &half, both.cells);
    }
    sums_read((sum_cells){ &norm2, &largest }, &both);
    s.even_odd = 0.5 * sum_cell_value(&norm2, SUM_BOUND);
    sums_free(&both);
    return s;
}

static void threads_and_places(lattice *l)
{
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
        const char *bits = p == PRECISION_DOUBLE ? "double" : "single";
        sums first;
        FOR_EVERY_PLACE(where) {
            gauge *u = gauge_create(l, where, p);
            momentum *pi = momentum_create(l, where, p);
            gauge_set_random(u, rng_key_for(41, 0, 0, RNG_START_LINKS));
            momentum_set_gaussian(pi, rng_key_for(41, 0, 0, RNG_MOMENTA));
            sums s = sums_of(u, pi);
            fact(same_bits(s.even_odd, s.kinetic), "%s, %s: odd sites, then even sites: the bits of all sites",
                 place_name(where), bits);
            if (where == PLACE_CPU) {
                static const int threads[] = { 1, 2, 3, 7 };
                bool same = true;
                int before = omp_get_max_threads();
                first = s;
                for (int n = 0; n < 4; n++) {
                    omp_set_num_threads(threads[n]);
                    s = sums_of(u, pi);
                    same &= memcmp(&s, &first, sizeof s) == 0;
                }
                omp_set_num_threads(before);
                fact(same, "%s: every observable has the same bits with 1, 2, 3 and 7 threads", bits);
            } else
                fact(memcmp(&s, &first, sizeof s) == 0, "%s: every observable has the same bits on CPU and GPU", bits);
            momentum_free(pi);
            gauge_free(u);
        }
    }
}

int main(void)
{
    order_of_terms();
    carries_and_signs();
    word_values();
    refused();
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        bounds_of_fields(l, where);
    threads_and_places(l);
    lattice_free(l);
    return facts_end();
}
