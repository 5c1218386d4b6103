/* test_algebra.c - antihermitian traceless matrices, their exponential, and the way back to SU(3).
 *
 * The formulas of site/algebra.h are checked here on every lane; the same through the library's verbs, at
 * every place and in both precisions.  The reference is tests/exact_su3.h. */
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "src/site/algebra.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/on_every_backend.h"

static matrix3 lane_matrix(su3 m, int lane)
{
    matrix3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.e[i][j] = (long double)lane_of(m.e[i][j].re, lane) + (long double)lane_of(m.e[i][j].im, lane) * (exact)I;
    return a;
}

static double uniform(uint32_t n)
{
    philox_words w = rng_words(rng_key_for(21, 0, 0, RNG_TEST), n, 0);
    return 2 * rng_uniform(w.v[0], w.v[1]) - 1;
}

static double norm_of(matrix3 a)
{
    return sqrt((double)creall(matrix3_trace(matrix3_mul(matrix3_dagger(a), a))));
}

/* A random matrix on every lane, a different one each */
static su3 random_lanes(uint32_t first)
{
    su3 m = su3_zero();
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t k = 0; k < 9; k++) {
            set_lane(&m.e[k / 3][k % 3].re, (int)lane, uniform(first + 100 * lane + 2 * k));
            set_lane(&m.e[k / 3][k % 3].im, (int)lane, uniform(first + 100 * lane + 2 * k + 1));
        }
    return m;
}

static void projection(void)
{
    double worst = 0, again = 0, norm = 0, orthogonal = 0, hermitian = 0;
    for (uint32_t n = 0; n < 200; n++) {
        su3 m = random_lanes(10000 * n), other = random_lanes(10000 * n + 5000);
        algebra p = algebra_part(m), q = algebra_part(algebra_matrix(p));
        su3 h = su3_axpy(1, su3_dagger(m), m);
        algebra none = algebra_part(h);
        real norm2 = algebra_norm2(p);
        for (int lane = 0; lane < LANES; lane++) {
            matrix3 exact_m = lane_matrix(m, lane), part = matrix3_algebra_part(exact_m);
            worst = worse(worst, matrix3_distance(lane_matrix(algebra_matrix(p), lane), part));
            norm = worse(norm, fabs(lane_of(norm2, lane) / pow(norm_of(part), 2) - 1));
            for (int i = 0; i < 8; i++) {
                again = worse(again, fabs(lane_of(q.c[i], lane) - lane_of(p.c[i], lane)));
                hermitian = worse(hermitian, fabs(lane_of(none.c[i], lane)));
            }
            matrix3 a = matrix3_algebra_part(lane_matrix(other, lane)), rest = matrix3_add(exact_m, -1, part);
            orthogonal = worse(orthogonal, fabs((double)creall(matrix3_trace(matrix3_mul(matrix3_dagger(a), rest)))));
        }
    }
    fact_close(worst, 0, 4e-16, "[M]_TA = (M - M^+)/2 - Tr(M - M^+)/6 on every lane");
    fact_close(norm, 0, 1e-15, "its norm is Tr P^+P");
    fact_close(again, 0, 2e-16, "the projection of a projection is the projection");
    fact_close(hermitian, 0, 1e-16, "a hermitian matrix has no such part");
    fact_close(orthogonal, 0, 1e-18, "and M - [M]_TA is orthogonal to all of them (of the reference)");
}

/* On every lane, whichever of two numbers it is that is not finite. */
static void larger(void)
{
    static const double odd[] = { NAN, INFINITY, -INFINITY };
    bool largest = true, kept = true;
    for (int i = 0; i < 3; i++)
        for (int lane = 0; lane < LANES; lane++) {
            real a = spread(3), b = spread(2);
            largest = largest && lane_of(larger_or_nan(a, b), lane) == 3 && lane_of(larger_or_nan(b, a), lane) == 3;
            set_lane(&a, lane, (scalar)odd[i]);
            real first = larger_or_nan(a, b), second = larger_or_nan(b, a), both = larger_or_nan(a, a);
            for (int other = 0; other < LANES; other++) {
                const bool is_odd = other == lane;
                kept = kept && (isnan(lane_of(first, other)) != 0) == is_odd
                       && (isnan(lane_of(second, other)) != 0) == is_odd
                       && (isnan(lane_of(both, other)) != 0) == is_odd;
            }
        }
    fact(largest, "of two numbers the larger one is found on every lane");
    fact(kept, "where one of them is not finite NaN is found, on that lane alone");
}

static algebra scaled(algebra p, real factor)
{
    for (int i = 0; i < 8; i++)
        p.c[i] = p.c[i] * factor;
    return p;
}

/* Norms 1e-8 ... 30, a different one on every lane, so that lanes need different numbers of halvings */
static double norm_of_case(int n)
{
    return pow(10, -8 + (log10(30) + 8) * (n % 60) / 59.0);
}

static void exponential_on_lanes(void)
{
    double worst = 0, back = 0, determinant = 0, unitary = 0;
    for (int n = 0; n < 240; n++) {
        algebra p = algebra_part(random_lanes(7000000 + 10000 * (uint32_t)n));
        real factor = spread(0), sizes = algebra_norm2(p);
        for (int lane = 0; lane < LANES; lane++)
            set_lane(&factor, lane, norm_of_case(n + 37 * lane) / sqrt(lane_of(sizes, lane)));
        p = scaled(p, factor);
        su3 e = algebra_exp(1, p), f = algebra_exp(-1, p);
        for (int lane = 0; lane < LANES; lane++) {
            matrix3 x = lane_matrix(algebra_matrix(p), lane), a = lane_matrix(e, lane), b = lane_matrix(f, lane);
            double allowed = 1 + norm_of(x);
            worst = worse(worst, matrix3_distance(a, matrix3_exp(x)) / allowed);
            back = worse(back, matrix3_distance(matrix3_mul(a, b), matrix3_unit()) / allowed);
            unitary = worse(unitary, matrix3_distance(matrix3_mul(matrix3_dagger(a), a), matrix3_unit()) / allowed);
            determinant = worse(determinant, (double)cabsl(matrix3_determinant(a) - 1) / allowed);
        }
    }
    fact_close(worst, 0, 1e-15, "exp(X), |X| from 1e-8 to 30, over 1 + |X|: the reference exponential");
    fact_close(back, 0, 1e-15, "exp(X) exp(-X) = 1, over 1 + |X|");
    fact_close(unitary, 0, 1e-15, "exp(X)^+ exp(X) = 1, over 1 + |X|");
    fact_close(determinant, 0, 1e-15, "det exp(X) = 1, over 1 + |X|");
}

static const int extents[4] = { 6, 2, 4, 6 };

static void exponential_of_fields(lattice *l, place where, precision p)
{
    const char *wide = p == PRECISION_DOUBLE ? "double" : "single";
    double unit = p == PRECISION_DOUBLE ? 1.2e-16 : 6e-8, dt = 0.75;
    size_t links = 4 * (size_t)lattice_volume(l);
    double *momenta = analytic_momenta(extents), *out = memory_alloc(links * 18 * sizeof *out, "links");
    for (size_t link = 0; link < links; link++) {
        matrix3 m = matrix3_load(momenta + link * 18), zero = { { { 0 } } };
        matrix3_store(momenta + link * 18, matrix3_add(zero, norm_of_case((int)link) / norm_of(m) / dt, m));
    }
    momentum *pi = momentum_create(l, where, p);
    gauge *u = gauge_create(l, where, p);
    momentum_import(pi, momenta);
    momentum_export(momenta, pi);                    /* as the precision of the field holds them */
    gauge_set_unit(u);
    gauge_drift(u, dt, pi);
    gauge_export(out, u);
    double worst = 0;
    for (size_t link = 0; link < links; link++) {
        matrix3 zero = { { { 0 } } }, x = matrix3_add(zero, dt, matrix3_load(momenta + link * 18));
        worst = worse(worst, matrix3_distance(matrix3_load(out + link * 18), matrix3_exp(x)) / (1 + norm_of(x)));
    }
    fact_close(worst, 0, 10 * unit, "%s, %s: a drift from unit links is exp(dt P), over 1 + |dt P|", place_name(where),
               wide);
    fact_close(gauge_link_quality(u).unitarity, 0, 300 * unit, "%s, %s: in SU(3), |dt P| up to 30",
               place_name(where), wide);
    gauge_drift(u, -dt, pi);
    gauge_export(out, u);
    double back = 0;
    for (size_t link = 0; link < links; link++)
        back = worse(back, matrix3_distance(matrix3_load(out + link * 18), matrix3_unit()));
    fact_close(back, 0, 300 * unit, "%s, %s: the opposite drift brings unit links back", place_name(where), wide);
    gauge_free(u);
    momentum_free(pi);
    memory_free(out);
    memory_free(momenta);
}

/* Rows in order made orthonormal; the third from them. */
static matrix3 gram_schmidt(matrix3 a)
{
    for (int row = 0; row < 2; row++) {
        exact along = 0;
        long double norm2 = 0;
        for (int j = 0; j < 3; j++)
            along += row ? conjl(a.e[0][j]) * a.e[1][j] : 0;
        for (int j = 0; j < 3; j++) {
            a.e[row][j] -= row ? along * a.e[0][j] : 0;
            norm2 += creall(a.e[row][j] * conjl(a.e[row][j]));
        }
        for (int j = 0; j < 3; j++)
            a.e[row][j] /= sqrtl(norm2);
    }
    for (int j = 0; j < 3; j++)
        a.e[2][j] = conjl(a.e[0][(j + 1) % 3] * a.e[1][(j + 2) % 3] - a.e[0][(j + 2) % 3] * a.e[1][(j + 1) % 3]);
    return a;
}

static double largest_difference(const double *a, const double *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++)
        worst = worse(worst, fabs(a[i] - b[i]));
    return worst;
}

static void reunitarization(lattice *l, place where, precision p)
{
    const char *wide = p == PRECISION_DOUBLE ? "double" : "single", *name = place_name(where);
    double unit = p == PRECISION_DOUBLE ? 1.2e-16 : 6e-8, off = 1e-3;
    size_t links = 4 * (size_t)lattice_volume(l), count = links * 18;
    double *good = analytic_links(extents, 3), *bad = memory_alloc(count * sizeof *bad, "links");
    double *out = memory_alloc(count * sizeof *out, "links"), *twice = memory_alloc(count * sizeof *twice, "links");
    gauge *u = gauge_create(l, where, p);

    gauge_import(u, good);
    gauge_reunitarize(u);
    gauge_export(out, u);
    fact_close(largest_difference(out, good, count), 0, 20 * unit, "%s, %s: links in SU(3) stay what they are", name,
               wide);

    for (size_t i = 0; i < count; i++)
        bad[i] = good[i] + off * uniform((uint32_t)i);
    gauge_import(u, bad);
    gauge_export(bad, u);
    fact(gauge_link_quality(u).unitarity > off, "%s, %s: links moved off SU(3) are seen to be", name, wide);
    gauge_reunitarize(u);
    gauge_export(out, u);
    double worst = 0;
    for (size_t link = 0; link < links; link++) {
        matrix3 want = gram_schmidt(matrix3_load(bad + link * 18));
        worst = worse(worst, matrix3_distance(matrix3_load(out + link * 18), want));
    }
    fact_close(worst, 0, 12 * unit, "%s, %s: they get their first two rows made orthonormal, and the third of them",
               name, wide);
    fact_close(gauge_link_quality(u).unitarity, 0, 12 * unit, "%s, %s: and are in SU(3)", name, wide);
    fact(largest_difference(out, good, count) < 8 * off, "%s, %s: not farther off than they were moved", name, wide);
    gauge_reunitarize(u);
    gauge_export(twice, u);
    fact_close(largest_difference(out, twice, count), 0, 8 * unit, "%s, %s: a second time changes nothing", name, wide);
    gauge_free(u);
    memory_free(twice);
    memory_free(out);
    memory_free(bad);
    memory_free(good);
}

/* Wherever in the field it is: every direction, every lane. */
static void largest_of_fields(lattice *l, place where, precision p)
{
    size_t links = 4 * (size_t)lattice_volume(l), lost = 0;
    double *momenta = analytic_momenta(extents);
    momentum *pi = momentum_create(l, where, p);
    momentum_import(pi, momenta);
    const bool finite = isfinite(momentum_measure(pi).max_norm2);
    for (size_t link = 0; link < links; link += 7) {
        double *element = momenta + link * 18 + 3, kept = *element;
        *element = NAN;
        momentum_import(pi, momenta);
        *element = kept;
        lost += !isnan(momentum_measure(pi).max_norm2);
    }
    fact(finite && lost == 0, "%s, %s: the largest of all momenta is NaN where one of them is, whichever (%zu were "
         "lost)", place_name(where), p == PRECISION_DOUBLE ? "double" : "single", lost);
    momentum_free(pi);
    memory_free(momenta);
}

int main(void)
{
    projection();
    larger();
    exponential_on_lanes();
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            exponential_of_fields(l, where, p);
            reunitarization(l, where, p);
            largest_of_fields(l, where, p);
        }
    lattice_free(l);
    return facts_end();
}
