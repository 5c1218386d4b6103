/* long_matrix.h - complex 3x3 matrices in long double: what projections are compared with. */
#ifndef KILN_TESTS_OPERATORS_LONG_MATRIX_H
#define KILN_TESTS_OPERATORS_LONG_MATRIX_H

#include <complex.h>
#include <math.h>

typedef struct { long double complex e[3][3]; } long_matrix;

static inline long_matrix long_from(const double *reals)
{
    long_matrix m;
    for (int i = 0; i < 9; i++)
        m.e[i / 3][i % 3] = reals[2 * i] + reals[2 * i + 1] * I;
    return m;
}

static inline void long_to(double *reals, long_matrix m)
{
    for (int i = 0; i < 9; i++) {
        reals[2 * i] = (double)creall(m.e[i / 3][i % 3]);
        reals[2 * i + 1] = (double)cimagl(m.e[i / 3][i % 3]);
    }
}

static inline long_matrix long_unit(void)
{
    long_matrix m = { { { 0 } } };
    for (int i = 0; i < 3; i++)
        m.e[i][i] = 1;
    return m;
}

static inline long_matrix long_dagger(long_matrix a)
{
    long_matrix b;
    for (int i = 0; i < 9; i++)
        b.e[i / 3][i % 3] = conjl(a.e[i % 3][i / 3]);
    return b;
}

static inline long_matrix long_product(long_matrix a, long_matrix b)
{
    long_matrix c = { { { 0 } } };
    for (int i = 0; i < 27; i++)
        c.e[i / 9][i % 3] += a.e[i / 9][i / 3 % 3] * b.e[i / 3 % 3][i % 3];
    return c;
}

/* a + f b */
static inline long_matrix long_sum(long_matrix a, long double complex f, long_matrix b)
{
    for (int i = 0; i < 9; i++)
        a.e[i / 3][i % 3] += f * b.e[i / 3][i % 3];
    return a;
}

static inline long_matrix long_scaled(long double complex f, long_matrix a)
{
    return long_sum(a, f - 1, a);
}

/* The minor of row i, column j with its sign */
static inline long double complex long_cofactor(long_matrix a, int i, int j)
{
    int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return a.e[r][c] * a.e[s][d] - a.e[r][d] * a.e[s][c];
}

static inline long double complex long_determinant(long_matrix a)
{
    long double complex d = 0;
    for (int j = 0; j < 3; j++)
        d += a.e[0][j] * long_cofactor(a, 0, j);
    return d;
}

static inline long_matrix long_inverse(long_matrix a)
{
    long_matrix b;
    long double complex d = long_determinant(a);
    for (int i = 0; i < 9; i++)
        b.e[i / 3][i % 3] = long_cofactor(a, i % 3, i / 3) / d;
    return b;
}

/* Re Tr a b^+ */
static inline long double long_scalar_product(long_matrix a, long_matrix b)
{
    long double s = 0;
    for (int i = 0; i < 9; i++)
        s += creall(a.e[i / 3][i % 3] * conjl(b.e[i / 3][i % 3]));
    return s;
}

static inline double larger_or_nan(double a, double b) { return a > b || isnan(a) ? a : b; }

/* |a - b| of the elements farthest apart */
static inline double long_apart(long_matrix a, long_matrix b)
{
    double worst = 0;
    for (int i = 0; i < 9; i++)
        worst = larger_or_nan(worst, (double)cabsl(a.e[i / 3][i % 3] - b.e[i / 3][i % 3]));
    return worst;
}

static inline long double complex long_phase(long double complex z) { return z / cabsl(z); }
static inline long double complex long_cube_root(long double complex phase) { return cexpl(I * cargl(phase) / 3); }

/* V (V^+V + delta)^(-1/2), the root by the iteration of E. D. Denman and A. N. Beavers, Appl. Math. Comput. 2 (1976)
 * 63: Y and Z converge to M^(1/2) and M^(-1/2). */
static inline long_matrix long_projected(long_matrix v, long double delta)
{
    long_matrix y = long_sum(long_product(long_dagger(v), v), delta, long_unit()), z = long_unit();
    for (int step = 0; step < 30; step++) {
        long_matrix next = long_scaled(0.5L, long_sum(y, 1, long_inverse(z)));
        z = long_scaled(0.5L, long_sum(z, 1, long_inverse(y)));
        y = next;
    }
    return long_product(v, z);
}

#endif
