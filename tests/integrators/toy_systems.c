/* toy_systems.c - the forces of the toys.
 *
 *     anharmonic   S = 0.3 x^2 y z  +  (x^4 + y^4 + x^2 z^2)/4  +  (4 x^2 + 9 y^2 + 6 z^2)/2
 *     su3_matrix   S = -sum_k g_k(Re Tr U A_k),  g_k(s) = b_k s + c_k s^2 / 2,   F = -sum_k g_k' [U A_k]_TA
 *
 * The SU(3) toy has the project's own conventions: P antihermitian traceless, T = (1/2) Tr P^+ P, U' = P U. */
#include "tests/integrators/toy.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static toy_state anharmonic_start(int sample)
{
    toy_state z = { 0 };
    for (int k = 0; k < 3; k++) {
        z.q[k] = 0.8 * cos(1.0 + 2.3 * k + 1.7 * sample);
        z.p[k] = 1.4 * sin(0.4 + 1.9 * k + 2.9 * sample);
    }
    return z;
}

static void anharmonic_force(double f[TOY_REALS], int term, const double q[TOY_REALS])
{
    double x = q[0], y = q[1], z = q[2];
    const double force[TOY_TERMS][3] = {
        { -0.6 * x * y * z, -0.3 * x * x * z, -0.3 * x * x * y },
        { -x * x * x - x * z * z / 2, -y * y * y, -x * x * z / 2 },
        { -4 * x, -9 * y, -6 * z },
    };
    for (int k = 0; k < 3; k++)
        f[k] += force[term][k];
}

static void anharmonic_drift(double q[TOY_REALS], double dt, const double p[TOY_REALS])
{
    for (int k = 0; k < 3; k++)
        q[k] += dt * p[k];
}

static double anharmonic_energy(const toy_state *s)
{
    double x = s->q[0], y = s->q[1], z = s->q[2];
    return (s->p[0] * s->p[0] + s->p[1] * s->p[1] + s->p[2] * s->p[2]) / 2 + 0.3 * x * x * y * z +
           (x * x * x * x + y * y * y * y + x * x * z * z) / 4 + (4 * x * x + 9 * y * y + 6 * z * z) / 2;
}

const toy anharmonic = { "anharmonic", anharmonic_start, anharmonic_force, anharmonic_drift, anharmonic_energy };

/* 3x3 complex matrices; 18 reals, rows first */
typedef struct { double complex m[3][3]; } matrix;

static const double slope[TOY_TERMS] = { 0.3, 1.1, 4.0 }, curvature[TOY_TERMS] = { 0.2, -0.3, 0.5 };

static matrix load(const double r[TOY_REALS])
{
    matrix a;
    for (int k = 0; k < 9; k++)
        a.m[k / 3][k % 3] = r[2 * k] + I * r[2 * k + 1];
    return a;
}

static void store(double r[TOY_REALS], const matrix *a)
{
    for (int k = 0; k < 9; k++) {
        r[2 * k] = creal(a->m[k / 3][k % 3]);
        r[2 * k + 1] = cimag(a->m[k / 3][k % 3]);
    }
}

static matrix multiply(const matrix *a, const matrix *b)
{
    matrix c = { { { 0 } } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.m[i][j] += a->m[i][k] * b->m[k][j];
    return c;
}

static double complex trace(const matrix *a)
{
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

static matrix traceless_antihermitian(const matrix *a)
{
    matrix b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b.m[i][j] = (a->m[i][j] - conj(a->m[j][i])) / 2 - (i == j ? I * cimag(trace(a)) / 3 : 0);
    return b;
}

static matrix outside_field(int term)
{
    matrix a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] = cos(1.3 * i + 2.1 * j + 0.7 * term) + I * sin(0.9 * i - 1.7 * j + 2.5 * term + 1);
    return a;
}

static void su3_force(double f[TOY_REALS], int term, const double q[TOY_REALS])
{
    matrix u = load(q), a = outside_field(term), ua = multiply(&u, &a), force = traceless_antihermitian(&ua);
    double g = slope[term] + curvature[term] * creal(trace(&ua)), reals[TOY_REALS];
    store(reals, &force);
    for (int k = 0; k < TOY_REALS; k++)
        f[k] -= g * reals[k];
}

/* exp by its series: the arguments are of order one and less. */
static void su3_drift(double q[TOY_REALS], double dt, const double p[TOY_REALS])
{
    matrix u = load(q), generator = load(p), sum = u, term = u;
    for (int n = 1; n <= 30; n++) {
        term = multiply(&generator, &term);
        for (int k = 0; k < 9; k++) {
            term.m[k / 3][k % 3] *= dt / n;
            sum.m[k / 3][k % 3] += term.m[k / 3][k % 3];
        }
    }
    store(q, &sum);
}

static double su3_energy(const toy_state *z)
{
    double h = 0;
    for (int k = 0; k < TOY_REALS; k++)
        h += z->p[k] * z->p[k] / 2;
    matrix u = load(z->q);
    for (int term = 0; term < TOY_TERMS; term++) {
        matrix a = outside_field(term), ua = multiply(&u, &a);
        double s = creal(trace(&ua));
        h -= slope[term] * s + curvature[term] * s * s / 2;
    }
    return h;
}

static toy_state su3_start(int sample)
{
    toy_state z = { 0 };
    matrix a = outside_field(7 + sample), b = outside_field(11 + sample), algebra = traceless_antihermitian(&a),
           momentum = traceless_antihermitian(&b);
    double generator[TOY_REALS];
    store(generator, &algebra);
    for (int k = 0; k < 3; k++)
        z.q[8 * k] = 1;
    su3_drift(z.q, 1, generator);
    store(z.p, &momentum);
    return z;
}

const toy su3_matrix = { "su3", su3_start, su3_force, su3_drift, su3_energy };
