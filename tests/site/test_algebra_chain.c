/* test_algebra_chain.c - the derivative of the exponential (site/algebra_chain.h), on every lane, in double.
 *
 * With dS = Re Tr(dE E^+ F), E = exp(Y) and dE E^+ = sum_k ad_Y^k dY / (k+1)!, L is sum_k (-ad_Y)^k F / (k+1)!:
 * here in long double, without Cayley and Hamilton. */
#include "src/lattice/rng.h"
#include "src/site/algebra_chain.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"

static double uniform(uint32_t n)
{
    philox_words w = rng_words(rng_key_for(22, 0, 0, RNG_TEST), n, 0);
    return 2 * rng_uniform(w.v[0], w.v[1]) - 1;
}

static matrix3 lane_matrix(algebra p, int lane)
{
    su3 m = algebra_matrix(p);
    matrix3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.e[i][j] = (long double)lane_of(m.e[i][j].re, lane) + (long double)lane_of(m.e[i][j].im, lane) * (exact)I;
    return a;
}

static double norm_of(matrix3 a)
{
    return sqrt((double)creall(matrix3_trace(matrix3_mul(matrix3_dagger(a), a))));
}

static matrix3 times(long double f, matrix3 a)
{
    const matrix3 zero = { { { 0 } } };
    return matrix3_add(zero, f, a);
}

/* Y is split until its series converges fast: with Z = Y/2, L(Y) = (L(Z) + exp(-Z) L(Z) exp(Z)) / 2. */
static matrix3 exact_chain(matrix3 y, matrix3 f)
{
    if (norm_of(y) > 0.5) {
        const matrix3 z = times(0.5L, y), half = exact_chain(z, f), e = matrix3_exp(z);
        return times(0.5L, matrix3_add(half, 1, matrix3_mul(matrix3_dagger(e), matrix3_mul(half, e))));
    }
    matrix3 sum = { { { 0 } } }, term = f;
    for (int k = 0; k < 30; k++) {
        sum = matrix3_add(sum, 1, term);
        term = times(1.0L / (k + 2), matrix3_add(matrix3_mul(term, y), -1, matrix3_mul(y, term)));
    }
    return sum;
}

static algebra random_lanes(uint32_t first)
{
    algebra p;
    for (uint32_t i = 0; i < ALGEBRA_REALS; i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            set_lane(&p.c[i], (int)lane, uniform(first + 10 * lane + i));
    return p;
}

static algebra diagonal(double a, double b)
{
    algebra p;
    for (int i = 0; i < ALGEBRA_REALS; i++)
        p.c[i] = spread(0);
    p.c[0] = spread(a);
    p.c[1] = spread(b);
    return p;
}

/* g p g^+ for a random g, each lane times its own factor */
static algebra turned_and_scaled(algebra p, uint32_t draw, const double *factor)
{
    su3 g = algebra_exp(3, random_lanes(draw));
    p = algebra_part(su3_mul_dag(su3_mul(g, algebra_matrix(p)), g));
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < ALGEBRA_REALS; i++)
            set_lane(&p.c[i], lane, lane_of(p.c[i], lane) * (scalar)factor[lane]);
    return p;
}

typedef struct { double chain, turned; } worst_of;

static void compare(worst_of *worst, algebra y, uint32_t seed)
{
    algebra force = random_lanes(seed), back, got = algebra_exp_chain(y, force, &back);
    for (int lane = 0; lane < LANES; lane++) {
        const matrix3 exact_y = lane_matrix(y, lane), f = lane_matrix(force, lane), e = matrix3_exp(exact_y);
        const double allowed = norm_of(f) * (1 + norm_of(exact_y));
        const matrix3 want = matrix3_mul(matrix3_dagger(e), matrix3_mul(f, e));
        worst->chain = worse(worst->chain, matrix3_distance(lane_matrix(got, lane), exact_chain(exact_y, f)) / allowed);
        worst->turned = worse(worst->turned, matrix3_distance(lane_matrix(back, lane), want) / allowed);
    }
}

/* Y of size 1e-9 to 30, different on every lane: any; with two equal eigenvalues, where the formulas of Morningstar
 * and Peardon divide by nothing, of either sign of det Q; with an eigenvalue 0, where det Q = 0. */
static void facts_of(const char *name, double a, double b)
{
    enum { CASES = 120 };
    worst_of worst = { 0, 0 };
    for (uint32_t n = 0; n < CASES; n++) {
        double factor[LANES];
        for (uint32_t lane = 0; lane < LANES; lane++)
            factor[lane] = pow(10, -9 + (log10(30) + 9) * ((n + 37 * lane) % CASES) / (CASES - 1.0));
        algebra y = a == 0 && b == 0 ? random_lanes(1000 * n) : diagonal(a, b);
        compare(&worst, turned_and_scaled(y, 500000 + 1000 * n, factor), 900000 + 1000 * n);
    }
    fact_close(worst.chain, 0, 1e-15, "%s: the derivative of exp(Y), over 1 + |Y|", name);
    fact_close(worst.turned, 0, 1e-15, "%s: E^+ F E, over 1 + |Y|", name);
}

int main(void)
{
    facts_of("any Y", 0, 0);
    facts_of("two equal eigenvalues", 0.5, 0.5);
    facts_of("two equal eigenvalues, the other sign", -0.5, -0.5);
    facts_of("eigenvalues nearly equal", 0.5, 0.5 + 1e-9);
    facts_of("an eigenvalue 0", 0.7, 0);
    worst_of at_zero = { 0, 0 };
    compare(&at_zero, diagonal(0, 0), 77);
    fact(at_zero.chain == 0 && at_zero.turned == 0, "Y = 0 leaves the force exactly as it is");
    return facts_end();
}
