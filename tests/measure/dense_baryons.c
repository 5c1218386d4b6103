/* dense_baryons.c - baryons by determinants.
 *
 *     <q_1 q_2 q_3 qbar_3 qbar_2 qbar_1> = det over k, l of <q_k qbar_l>,
 * where quarks of different flavors have no propagator between them. */
#include "tests/measure/dense_baryons.h"

#include "src/lattice/rng.h"

#include <math.h>
#include <string.h>

enum { SPINS = DENSE_SPINS, COLORS = 3, SPACE = 3, QUARKS = 3, PERMUTATIONS = 6 };

dense_spins dense_product(dense_spins a, dense_spins b)
{
    dense_spins c;
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++) {
            c.e[i][k] = 0;
            for (int n = 0; n < SPINS; n++)
                c.e[i][k] += a.e[i][n] * b.e[n][k];
        }
    return c;
}

/* As in src/site/spinor.h. */
dense_spins dense_gamma(int mu)
{
    static const dense_spins gammas[] = {
        { { { 0, 0, 0, I }, { 0, 0, I, 0 }, { 0, -I, 0, 0 }, { -I, 0, 0, 0 } } },
        { { { 0, 0, 0, -1 }, { 0, 0, 1, 0 }, { 0, 1, 0, 0 }, { -1, 0, 0, 0 } } },
        { { { 0, 0, I, 0 }, { 0, 0, 0, -I }, { -I, 0, 0, 0 }, { 0, I, 0, 0 } } },
        { { { 0, 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 } } },
    };
    if (mu < 4)
        return gammas[mu];
    return dense_product(dense_product(gammas[0], gammas[1]), dense_product(gammas[2], gammas[3]));
}

static dense_spins dagger(dense_spins a, bool conjugate)
{
    dense_spins c;
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++)
            c.e[i][k] = conjugate ? conj(a.e[k][i]) : a.e[k][i];
    return c;
}

/* C g; and gamma_t (C g)^+ gamma_t^T, which the conjugate baryon has */
static dense_spins diquark(dense_spins g)
{
    return dense_product(dense_product(dense_gamma(1), dense_gamma(3)), g);
}

static dense_spins diquark_bar(dense_spins g)
{
    return dense_product(dense_product(dense_gamma(3), dagger(diquark(g), true)), dagger(dense_gamma(3), false));
}

static const int permutation[PERMUTATIONS][QUARKS] = {
    { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 },
};
static double sign_of(int p)
{
    return p < 3 ? 1 : -1;
}

static double complex determinant(double complex m[QUARKS][QUARKS])
{
    double complex sum = 0;
    for (int p = 0; p < PERMUTATIONS; p++)
        sum += sign_of(p) * m[0][permutation[p][0]] * m[1][permutation[p][1]] * m[2][permutation[p][2]];
    return sum;
}

/* Spins and colors of the three quarks; the flavor of the second one may differ. */
typedef struct { int spin[QUARKS], color[QUARKS]; } quarks;

static double complex wick(const dense_propagator s, const quarks *sink, const quarks *source, bool one_flavor)
{
    double complex m[QUARKS][QUARKS];
    for (int k = 0; k < QUARKS; k++)
        for (int l = 0; l < QUARKS; l++)
            m[k][l] = !one_flavor && (k == 1) != (l == 1) ? 0
                    : s[3 * sink->spin[k] + sink->color[k]][3 * source->spin[l] + source->color[l]];
    return determinant(m);
}

/* sum eps_abc eps_a'b'c' left_(s1 s2) right_(s2' s1') project_(s3' s3) <q_1 q_2 q_3 qbar_3 qbar_2 qbar_1> */
static double complex contract(const dense_propagator s, dense_spins left, dense_spins right, dense_spins project,
                               bool one_flavor)
{
    double complex sum = 0;
    for (int spins = 0; spins < 4096; spins++) {
        const int of[6] = { spins % 4, spins / 4 % 4, spins / 16 % 4, spins / 64 % 4, spins / 256 % 4, spins / 1024 };
        const double complex factor = left.e[of[0]][of[1]] * right.e[of[4]][of[3]] * project.e[of[5]][of[2]];
        if (factor == 0)
            continue;
        for (int p = 0; p < PERMUTATIONS; p++)
            for (int q = 0; q < PERMUTATIONS; q++) {
                quarks sink = { .spin = { of[0], of[1], of[2] } }, source = { .spin = { of[3], of[4], of[5] } };
                memcpy(sink.color, permutation[p], sizeof sink.color);
                memcpy(source.color, permutation[q], sizeof source.color);
                sum += factor * sign_of(p) * sign_of(q) * wick(s, &sink, &source, one_flavor);
            }
    }
    return sum;
}

/* a + factor b */
static dense_spins sum_of(dense_spins a, double factor, dense_spins b)
{
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++)
            a.e[i][k] += factor * b.e[i][k];
    return a;
}

double dense_baryon(const dense_propagator s, bool delta, bool negative)
{
    const dense_spins zero = { { { 0 } } }, one = dense_product(dense_gamma(3), dense_gamma(3));
    const dense_spins parity = sum_of(sum_of(zero, negative ? -0.5 : 0.5, one), 0.5, dense_gamma(3));
    double complex sum = 0;
    if (!delta)
        return creal(contract(s, diquark(dense_gamma(4)), diquark_bar(dense_gamma(4)), parity, false));
    for (int i = 0; i < SPACE; i++)
        for (int k = 0; k < SPACE; k++) {
            dense_spins spin = sum_of(zero, i == k, one);
            spin = sum_of(spin, -1.0 / 3, dense_product(dense_gamma(k), dense_gamma(i)));
            sum += contract(s, diquark(dense_gamma(i)), diquark_bar(dense_gamma(k)), dense_product(parity, spin), true);
        }
    return creal(sum);
}

/* ---- quarks of two masses */

enum { UP, DOWN, STRANGE };

/* weight eps_abc (q_1a^T C gamma5 q_2b) q_3c of these flavors */
typedef struct { double weight; int flavor[QUARKS]; } operator_term;

/* sum as in contract, of a term at the sink and one at the source */
static double complex contract_terms(const dense_propagator *const s[QUARKS], const operator_term *sink,
                                     const operator_term *source, dense_spins project)
{
    const dense_spins left = diquark(dense_gamma(4)), right = diquark_bar(dense_gamma(4));
    double complex sum = 0;
    for (int spins = 0; spins < 4096; spins++) {
        const int of[6] = { spins % 4, spins / 4 % 4, spins / 16 % 4, spins / 64 % 4, spins / 256 % 4, spins / 1024 };
        const double complex factor = left.e[of[0]][of[1]] * right.e[of[4]][of[3]] * project.e[of[5]][of[2]];
        for (int p = 0; factor != 0 && p < PERMUTATIONS; p++)
            for (int q = 0; q < PERMUTATIONS; q++) {
                double complex m[QUARKS][QUARKS];
                for (int k = 0; k < QUARKS; k++)
                    for (int l = 0; l < QUARKS; l++) {
                        const int row = 3 * of[k] + permutation[p][k], column = 3 * of[3 + l] + permutation[q][l];
                        m[k][l] = sink->flavor[k] == source->flavor[l] ? (*s[sink->flavor[k]])[row][column] : 0;
                    }
                sum += factor * sign_of(p) * sign_of(q) * determinant(m);
            }
    }
    return sink->weight * source->weight * sum;
}

double dense_hyperon(const dense_propagator light, const dense_propagator strange, dense_hyperon_kind kind,
                     bool negative)
{
    static const operator_term sigma[] = { { 1, { UP, STRANGE, UP } } }, xi[] = { { 1, { STRANGE, UP, STRANGE } } };
    static const operator_term lambda[] = { { 2, { UP, DOWN, STRANGE } }, { 1, { UP, STRANGE, DOWN } },
                                            { -1, { DOWN, STRANGE, UP } } };
    static const operator_term *const terms[] = { sigma, xi, lambda };
    const int count = kind == DENSE_LAMBDA ? 3 : 1;
    const dense_propagator *const s[QUARKS] = { (const dense_propagator *)light, (const dense_propagator *)light,
                                                (const dense_propagator *)strange };
    const dense_spins zero = { { { 0 } } }, one = dense_product(dense_gamma(3), dense_gamma(3));
    const dense_spins parity = sum_of(sum_of(zero, negative ? -0.5 : 0.5, one), 0.5, dense_gamma(3));
    double complex sum = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            sum += contract_terms(s, &terms[kind][i], &terms[kind][k], parity);
    return creal(sum) / (kind == DENSE_LAMBDA ? 6 : 1);
}

/* ---- free quarks */

const int dense_free_extents[4] = { 2, 2, 4, 6 };

void dense_free_propagator(dense_propagator s, double mass, const free_smearing *by, int site, int t)
{
    memset(s, 0, sizeof(dense_propagator));
    for (int p = 0; p < DENSE_FREE_SPACE; p++) {
        const int wave[3] = { p % 2, p / 2 % 2, p / 4 }, x[3] = { site % 2, site / 2 % 2, site / 4 };
        double complex part[FREE_PARTS], phase = 0;
        free_wilson_quark(part, mass, by, wave, dense_free_extents, t);
        for (int i = 0; i < 3; i++)
            phase += 2 * M_PI * wave[i] * x[i] / dense_free_extents[i];
        phase = cexp(I * phase) / DENSE_FREE_SPACE;
        for (int i = 0; i < DENSE_SPINOR; i++)
            for (int k = i % 3; k < DENSE_SPINOR; k += 3) {
                s[i][k] += i == k ? phase * part[0] : 0;
                for (int mu = 0; mu < 4; mu++)
                    s[i][k] -= I * phase * part[1 + mu] * dense_gamma(mu).e[i / 3][k / 3];
            }
    }
}

void dense_random_propagator(quark_columns *q, dense_propagator *s, spinor_field v, unsigned seed)
{
    double complex half[DENSE_SITES * DENSE_SPINOR];
    for (int column = 0; column < DENSE_SPINOR; column++) {
        for (int parity = 0; parity < 2; parity++) {
            vec *part = parity ? v.odd : v.even;
            vec_set_gaussian(part, rng_key_for(seed, 0, 0, RNG_TEST), (uint32_t)column * SLAB_GROUP * VECTOR_DRAWS);
            vec_export((double *)half, part);
            for (int i = 0; i < DENSE_SITES * DENSE_SPINOR; i++)
                s[i / DENSE_SPINOR][i % DENSE_SPINOR][column] += half[i];
        }
        quark_columns_set(q, column, v);
    }
}
