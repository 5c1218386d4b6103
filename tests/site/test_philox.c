/* test_philox.c - random numbers: published answers of Philox, names of draws, normal numbers.
 *
 * Known answers: file kat_vectors of Random123 (Salmon, Moraes, Dror, Shaw, SC 2011), philox4x32, 10 rounds. */
#include "src/base/memory.h"
#include "src/gauge/gauge.h"
#include "src/lattice/rng.h"
#include "src/site/gaussian.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void known_answers(void)
{
    static const struct { const char *name; uint32_t counter[4], key[2], answer[4]; } known[] = {
        { "zero", { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { "all ones", { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { "digits of pi", { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    for (int n = 0; n < 3; n++) {
        philox_words c;
        memcpy(c.v, known[n].counter, sizeof c.v);
        philox_words w = philox(c, known[n].key[0], known[n].key[1]);
        fact(memcmp(w.v, known[n].answer, sizeof w.v) == 0, "Philox 4x32-10 gives the published answer: %s",
             known[n].name);
    }
}

/* 1/a modulo 2^32, a odd: Newton's iteration doubles the correct bits, three of them to begin with */
static uint32_t inverse_modulo(uint32_t a)
{
    uint32_t x = a;
    for (int i = 0; i < 4; i++)
        x *= 2 - a * x;
    return x;
}

/* The counter that Philox made `w` of: its rounds are invertible, so different counters give different words. */
static philox_words philox_backwards(philox_words w, uint32_t key0, uint32_t key1)
{
    for (int round = PHILOX_ROUNDS - 1; round >= 0; round--) {
        philox_words c;
        c.v[2] = w.v[1] * inverse_modulo(PHILOX_M1);
        c.v[0] = w.v[3] * inverse_modulo(PHILOX_M0);
        c.v[1] = w.v[0] ^ (uint32_t)((uint64_t)PHILOX_M1 * c.v[2] >> 32) ^ (key0 + (uint32_t)round * PHILOX_W0);
        c.v[3] = w.v[2] ^ (uint32_t)((uint64_t)PHILOX_M0 * c.v[0] >> 32) ^ (key1 + (uint32_t)round * PHILOX_W1);
        w = c;
    }
    return w;
}

static void names_of_draws(void)
{
    static const uint64_t seeds[] = { 0, 1, 0x123456789abcdef0, 0xffffffffffffffff };
    static const uint32_t streams[] = { 0, 1, 255, RNG_STREAMS - 1 };
    static const uint64_t trajectories[] = { 0, 1, 65536, RNG_TRAJECTORIES };
    static const unsigned purposes[] = { RNG_START_LINKS, RNG_MOMENTA, RNG_METROPOLIS, RNG_PSEUDOFERMION + 31, 65535 };
    static const uint64_t sites[] = { 0, 1, 0xffffffff, 0x100000000, 0xffffffffff };
    static const uint32_t draws[] = { 0, 1, 255, 256, 0xffffff };
    int names = 0, wrong = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++)
                for (int d = 0; d < 5; d++)
                    for (int e = 0; e < 5; e++)
                        for (int f = 0; f < 5; f++) {
                            rng_key k = rng_key_for(seeds[a], streams[b], trajectories[c], purposes[d]);
                            philox_words w = rng_words(k, sites[e], draws[f]);
                            w = philox_backwards(w, (uint32_t)seeds[a], (uint32_t)(seeds[a] >> 32));
                            names++;
                            wrong += ((uint64_t)(w.v[1] & 0xff) << 32 | w.v[0]) != sites[e] ||
                                     w.v[1] >> 8 != draws[f] || w.v[2] != trajectories[c] ||
                                     w.v[3] >> 16 != streams[b] ||
                                     (w.v[3] & 0xffff) != purposes[d];
                        }
    fact(wrong == 0, "seed, stream, trajectory, purpose, site and draw can be read back from %d draws: none shares "
         "its bits with another", names);
}

static void uniform(void)
{
    double lowest = rng_uniform(0, 0), highest = rng_uniform(0xffffffff, 0xffffffff);
    fact(lowest > 0 && lowest == ldexp(1, -53), "the smallest uniform number is 2^-53, not 0");
    fact(highest < 1 && 1 - highest == ldexp(1, -53), "the largest uniform number is 1 - 2^-53, not 1");
    fact(rng_uniform(0x80000000, 0) - rng_uniform(0x7fffffff, 0xffffffff) == ldexp(1, -52),
         "neighboring uniform numbers differ by 2^-52");

    enum { BINS = 256, DRAWS = 1 << 18 };
    static int bin[BINS];
    for (uint32_t n = 0; n < DRAWS; n++) {
        philox_words w = rng_words(rng_key_for(7, 0, n % 64, RNG_TEST), n / 64, 0);
        bin[(int)(BINS * rng_uniform(w.v[0], w.v[1]))]++;
        bin[(int)(BINS * rng_uniform(w.v[2], w.v[3]))]++;
    }
    double expected = 2.0 * DRAWS / BINS, chi2 = 0;
    for (int i = 0; i < BINS; i++)
        chi2 += (bin[i] - expected) * (bin[i] - expected) / expected;
    double q = gsl_cdf_chisq_Q(chi2, BINS - 1);
    fact(q > 1e-4 && q < 1 - 1e-4, "uniform numbers are uniform in %d bins (chi^2 %.1f, probability %.3g)", BINS,
         chi2, q);
}

/* Distance in units of the last place of a double of the size of `want` */
static double ulps(double got, long double want)
{
    int exponent;
    frexpl(want, &exponent);
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - 53));
}

#define TWO_PI 6.283185307179586476925286766559L

static void series(void)
{
    double worst_log = 0, worst_tiny = 0, worst_sin = 0, worst_circle = 0;
    for (uint32_t n = 0; n < 400000; n++) {
        philox_words w = rng_words(rng_key_for(3, 0, 0, RNG_TEST), n, 0);
        double u = rng_uniform(w.v[0], w.v[1]), v = rng_uniform(w.v[2], w.v[3]), c, s;
        if (n % 4 == 1)
            u = 1 - ldexp(u, -(int)(n % 52));                          /* close to 1, where the logarithm is small */
        if (u < 1)
            worst_log = worse(worst_log, ulps(series_log(u), logl((long double)u)));
        double tiny = ldexp(u, -(int)(n % 900));
        if (u < 1)
            worst_tiny = worse(worst_tiny, ulps(series_log(tiny), logl((long double)tiny)));
        if (n % 4 == 1)
            v = (n / 4 % 8) * 0.125 + ldexp(v, -3 - (int)(n % 45));    /* close to the multiples of pi/4 */
        series_cos_sin(v, &c, &s);
        long double nearest = floorl(4 * (long double)v + 0.5L), angle = TWO_PI * (v - nearest / 4);
        int quarter = (int)nearest & 3;
        long double near[4] = { cosl(angle), -sinl(angle), -cosl(angle), sinl(angle) };
        worst_sin = worse(worst_sin, worse(ulps(c, near[quarter]), ulps(s, near[(quarter + 3) & 3])));
        worst_circle = worse(worst_circle, fabs(c * c + s * s - 1));
    }
    fact(worst_log < 3, "the logarithm on (0, 1) is right to 3 units of the last place (worst %.2f)", worst_log);
    fact(worst_tiny < 3, "and down to 2^-900 (worst %.2f)", worst_tiny);
    fact(worst_sin < 3, "cosine and sine are right to 3 units of the last place (worst %.2f)", worst_sin);
    fact(worst_circle < 5e-16, "cos^2 + sin^2 = 1 (worst %.2g)", worst_circle);
    fact(isfinite(series_log(rng_uniform(0, 0))), "the logarithm of the smallest uniform number is finite");
}

/* Every pair against its definition in long double. */
static void pairs(void)
{
    rng_key key = rng_key_for(4, 1, 9, RNG_TEST);
    double worst = 0;
    for (uint32_t n = 0; n < 100000; n++) {
        double g[2];
        rng_gaussian_pair(key, n, n % 24, g);
        philox_words w = rng_words(key, n, n % 24);
        long double radius = sqrtl(-2 * logl((long double)rng_uniform(w.v[0], w.v[1])));
        long double angle = TWO_PI * rng_uniform(w.v[2], w.v[3]);
        worst = worse(worst, (double)fabsl(g[0] - radius * cosl(angle)));
        worst = worse(worst, (double)fabsl(g[1] - radius * sinl(angle)));
    }
    fact_close(worst, 0, 5e-15, "a pair is sqrt(-2 ln u) times cosine and sine of 2 pi v, u and v its draw");
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void normal(void)
{
    enum { PAIRS = 1 << 19, COUNT = 2 * PAIRS, BINS = 128 };
    double *g = memory_alloc(COUNT * sizeof *g, "normal numbers");
    for (uint32_t n = 0; n < PAIRS; n++)
        rng_gaussian_pair(rng_key_for(11, 0, 0, RNG_TEST), n / 16, n % 16, g + 2 * n);

    double moment[9] = { 0 }, pair = 0, squares = 0, next = 0;
    int bin[BINS] = { 0 }, beyond4 = 0;
    for (int n = 0; n < COUNT; n++) {
        double power = 1;
        for (int k = 1; k <= 8; k++)
            moment[k] += (power *= g[n]) / COUNT;
        int b = (int)(BINS * gsl_cdf_ugaussian_P(g[n]));
        bin[b < BINS ? b : BINS - 1]++;
        beyond4 += fabs(g[n]) > 4;
        if (n % 2) {
            pair += g[n] * g[n - 1] / PAIRS;
            squares += (g[n] * g[n] - 1) * (g[n - 1] * g[n - 1] - 1) / PAIRS;
        } else if (n)
            next += g[n] * g[n - 1] / PAIRS;
    }
    static const double want[9] = { 1, 0, 1, 0, 3, 0, 15, 0, 105 };
    static const double variance[9] = { 0, 1, 2, 15, 96, 945, 10170, 135135, 2016000 };   /* of g^k: <g^2k> - <g^k>^2 */
    for (int k = 1; k <= 8; k++)
        fact_close(moment[k], want[k], 4.5 * sqrt(variance[k] / COUNT), "moment %d of a million normal numbers", k);
    fact_close(pair, 0, 4.5 / sqrt(PAIRS), "the two numbers of a pair are uncorrelated");
    fact_close(squares, 0, 4.5 * 2 / sqrt(PAIRS), "so are their squares");
    fact_close(next, 0, 4.5 / sqrt(PAIRS), "and the numbers of successive draws and sites");

    double expected = (double)COUNT / BINS, chi2 = 0;
    for (int i = 0; i < BINS; i++)
        chi2 += (bin[i] - expected) * (bin[i] - expected) / expected;
    double q = gsl_cdf_chisq_Q(chi2, BINS - 1);
    fact(q > 1e-4 && q < 1 - 1e-4, "chi^2 in %d bins of equal probability: %.1f (probability %.3g)", BINS, chi2, q);
    double tail = COUNT * 2 * gsl_cdf_ugaussian_Q(4);
    fact_close(beyond4, tail, 5 * sqrt(tail), "numbers beyond 4 standard deviations, of a million");

    qsort(g, COUNT, sizeof *g, compare);
    double worst = 0;
    for (int n = 0; n < COUNT; n++) {
        double p = gsl_cdf_ugaussian_P(g[n]);
        worst = worse(worst, worse(fabs(p - (double)n / COUNT), fabs(p - (n + 1.0) / COUNT)));
    }
    /* Kolmogorov: sqrt(n) D is above 2.2 with probability 1e-4 */
    fact(sqrt(COUNT) * worst < 2.2, "Kolmogorov's distance from the normal distribution (sqrt(n) D = %.2f)",
         sqrt(COUNT) * worst);
    memory_free(g);
}

/* The momenta of the library are the normal numbers of their site's global rank, whatever draws them. */
static void fields(void)
{
    static const int extents[4] = { 6, 4, 2, 8 };
    lattice *l = lattice_create_single(extents);
    size_t volume = (size_t)lattice_volume(l);
    rng_key key = rng_key_for(5, 2, 17, RNG_MOMENTA);
    double *got = memory_alloc(volume * GAUGE_REALS * sizeof *got, "momenta");
    double *links = memory_alloc(volume * GAUGE_REALS * sizeof *links, "links");
    double *first = memory_alloc(volume * GAUGE_REALS * sizeof *first, "links");
    FOR_EVERY_PLACE(where)
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            const char *bits = p == PRECISION_DOUBLE ? "double" : "single";
            momentum *m = momentum_create(l, where, p);
            momentum_set_gaussian(m, key);
            momentum_export(got, m);
            int wrong = 0;
            for (size_t rank = 0; rank < volume; rank++)
                for (uint32_t mu = 0; mu < 4; mu++) {
                    double g[8];
                    for (uint32_t pair = 0; pair < 4; pair++)
                        rng_gaussian_pair(key, rank, 4 * mu + pair, g + 2 * pair);
                    const double *matrix = got + (rank * 4 + mu) * MATRIX_REALS;
                    double p00 = g[1] * sqrt(1.0 / 6) + g[0] * sqrt(0.5);
                    double re01 = g[2] * sqrt(0.5), im12 = g[7] * sqrt(0.5);
                    double tolerance = p == PRECISION_DOUBLE ? 1e-15 : 2e-7;
                    wrong += fabs(matrix[1] - p00) > 4 * tolerance || fabs(matrix[2] - re01) > 4 * tolerance ||
                             fabs(matrix[11] - im12) > 4 * tolerance;
                }
            fact(wrong == 0, "%s, %s: momenta are the normal numbers named by global site and draw", place_name(where),
                 bits);
            momentum_free(m);

            gauge *u = gauge_create(l, where, p);
            gauge_set_random(u, key);
            gauge_export(where == PLACE_CPU ? first : links, u);
            if (where == PLACE_GPU && p == PRECISION_DOUBLE)
                fact(memcmp(links, first, volume * GAUGE_REALS * sizeof *links) == 0,
                     "random links: the same bits on the GPU");
            gauge_free(u);
        }
    memory_free(first);
    memory_free(links);
    memory_free(got);
    lattice_free(l);
}

int main(void)
{
    known_answers();
    names_of_draws();
    uniform();
    series();
    pairs();
    normal();
    fields();
    return facts_end();
}
