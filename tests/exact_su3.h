/* exact_su3.h - 3x3 complex matrices of long doubles for tests: independent of Kiln's arithmetic, with more digits. */
#ifndef KILN_TESTS_EXACT_SU3_H
#define KILN_TESTS_EXACT_SU3_H

#include <complex.h>
#include <math.h>
#include <string.h>

#define EXACT_FN static inline __attribute__((unused))

typedef long double complex exact;
typedef struct { exact e[3][3]; } matrix3;

EXACT_FN matrix3 matrix3_unit(void)
{
    return (matrix3){ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

EXACT_FN matrix3 matrix3_mul(matrix3 a, matrix3 b)
{
    matrix3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.e[i][j] = a.e[i][0] * b.e[0][j] + a.e[i][1] * b.e[1][j] + a.e[i][2] * b.e[2][j];
    return c;
}

/* a + f b */
EXACT_FN matrix3 matrix3_add(matrix3 a, exact f, matrix3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.e[i][j] += f * b.e[i][j];
    return a;
}

EXACT_FN matrix3 matrix3_dagger(matrix3 a)
{
    matrix3 b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b.e[i][j] = conjl(a.e[j][i]);
    return b;
}

EXACT_FN exact matrix3_trace(matrix3 a)
{
    return a.e[0][0] + a.e[1][1] + a.e[2][2];
}

EXACT_FN exact matrix3_determinant(matrix3 a)
{
    return a.e[0][0] * (a.e[1][1] * a.e[2][2] - a.e[1][2] * a.e[2][1]) +
           a.e[0][1] * (a.e[1][2] * a.e[2][0] - a.e[1][0] * a.e[2][2]) +
           a.e[0][2] * (a.e[1][0] * a.e[2][1] - a.e[1][1] * a.e[2][0]);
}

/* The antihermitian traceless part (M - M^+)/2 - Tr(M - M^+)/6 */
EXACT_FN matrix3 matrix3_algebra_part(matrix3 m)
{
    matrix3 d = matrix3_add(m, -1, matrix3_dagger(m)), half = { { { 0 } } };
    half = matrix3_add(half, 0.5L, d);
    return matrix3_add(half, -matrix3_trace(d) / 6, matrix3_unit());
}

/* The largest |a_ij - b_ij|, real and imaginary parts apart */
EXACT_FN double matrix3_distance(matrix3 a, matrix3 b)
{
    long double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmaxl(worst, fmaxl(fabsl(creall(a.e[i][j] - b.e[i][j])), fabsl(cimagl(a.e[i][j] - b.e[i][j]))));
    return (double)worst;
}

/* exp(a): Taylor series of a / 2^k, of norm below 1/16, squared k times */
EXACT_FN matrix3 matrix3_exp(matrix3 a)
{
    int squarings = 0;
    long double norm = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            norm += cabsl(a.e[i][j]);
    for (; norm > 1.0L / 16; norm /= 2)
        squarings++;
    matrix3 zero = { { { 0 } } }, y = matrix3_add(zero, ldexpl(1, -squarings), a);
    matrix3 sum = matrix3_unit();
    for (int n = 20; n > 0; n--)                              /* 1 + y/1 (1 + y/2 (1 + ...)) */
        sum = matrix3_add(matrix3_unit(), 1.0L / n, matrix3_mul(y, sum));
    for (int k = 0; k < squarings; k++)
        sum = matrix3_mul(sum, sum);
    return sum;
}

/* From and to [row][col][re,im] */
EXACT_FN matrix3 matrix3_load(const double *m)
{
    matrix3 a;
    for (int i = 0; i < 9; i++)
        a.e[i / 3][i % 3] = (long double)m[2 * i] + (long double)m[2 * i + 1] * (exact)I;
    return a;
}

EXACT_FN void matrix3_store(double *m, matrix3 a)
{
    for (int i = 0; i < 9; i++) {
        m[2 * i] = (double)creall(a.e[i / 3][i % 3]);
        m[2 * i + 1] = (double)cimagl(a.e[i / 3][i % 3]);
    }
}

#endif
