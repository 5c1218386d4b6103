/* analytic_field.c - links and momenta from a hash; own arithmetic, none of Kiln's. */
#include "tests/analytic_field.h"

#include "src/base/memory.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

typedef double complex matrix[3][3];

static double uniform(uint64_t n)
{
    uint64_t z = (n + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return 2 * ((double)(z >> 11) / 9007199254740992.0) - 1;
}

/* sum_a theta_a lambda_a / 2 */
static void generator(matrix h, uint64_t first, double w)
{
    double t[8];
    for (int a = 0; a < 8; a++)
        t[a] = 0.5 * w * uniform(first + (uint64_t)a);
    h[0][0] = t[2] + t[7] / sqrt(3);
    h[1][1] = -t[2] + t[7] / sqrt(3);
    h[2][2] = -2 * t[7] / sqrt(3);
    h[0][1] = t[0] - I * t[1];
    h[0][2] = t[3] - I * t[4];
    h[1][2] = t[5] - I * t[6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            h[i][j] = conj(h[j][i]);
}

static void product(matrix c, matrix a, matrix b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* exp(i h) by its Taylor series, h of norm about 1 */
static void exponential(matrix e, matrix h)
{
    matrix term = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, next;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            e[i][j] = term[i][j];
    for (int n = 1; n < 40; n++) {
        product(next, term, h);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                e[i][j] += term[i][j] = next[i][j] * I / n;
    }
}

static double *fill(const int extents[4], double w, int links)
{
    size_t count = 4 * (size_t)extents[0] * (size_t)extents[1] * (size_t)extents[2] * (size_t)extents[3];
    double *field = memory_alloc(count * 18 * sizeof *field, "the analytic field");
    for (size_t link = 0; link < count; link++) {
        matrix h, m;
        generator(h, 8 * link, w);
        if (links)
            exponential(m, h);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double complex z = links ? m[i][j] : I * h[i][j];
                field[link * 18 + (size_t)(6 * i + 2 * j)] = creal(z);
                field[link * 18 + (size_t)(6 * i + 2 * j + 1)] = cimag(z);
            }
    }
    return field;
}

double *analytic_links(const int extents[4], double w)
{
    return fill(extents, w, 1);
}

double *analytic_momenta(const int extents[4])
{
    return fill(extents, 2, 0);
}
