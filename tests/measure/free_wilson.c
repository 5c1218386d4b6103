/* free_wilson.c - hadrons of free Wilson quarks as sums over momenta. */
#include "tests/measure/free_wilson.h"

#include <math.h>

/* The matrices of the parts are orthogonal under the trace. */
enum { PARTS = FREE_PARTS, TRACE = 12 };

/* S(p, t) = (1/T) sum over p_t of exp(i p_t t) (W - i gamma sin p) / (W^2 + sin^2 p), with the factors of smearing */
void free_wilson_quark(double complex part[PARTS], double mass, const free_smearing *s, const int wave[3],
                       const int n[4], int t)
{
    double square = 0, factor = 1;
    for (int i = 0; i < PARTS; i++)
        part[i] = 0;
    for (int i = 0; i < 3; i++)
        square += pow(2 * sin(M_PI * wave[i] / n[i]), 2);
    if (s->steps > 0)
        factor = pow(1 - s->width * s->width / (4.0 * s->steps) * square, s->steps * (s->source + s->sink));
    for (int k = 0; k < n[3]; k++) {
        const double pt = 2 * M_PI * (k + 0.5) / n[3];
        double of[PARTS] = { mass + 1 - cos(pt), 0, 0, 0, sin(pt) };
        for (int i = 0; i < 3; i++) {
            of[0] += 1 - cos(2 * M_PI * wave[i] / n[i]);
            of[1 + i] = sin(2 * M_PI * wave[i] / n[i]);
        }
        double norm = 0;
        for (int i = 0; i < PARTS; i++)
            norm += of[i] * of[i];
        for (int i = 0; i < PARTS; i++)
            part[i] += factor * cexp(I * pt * t) * of[i] / norm / n[3];
    }
}

double free_pion(double mass, double other, const free_smearing *s, const int n[3], const int extents[4], int t)
{
    const int space = extents[0] * extents[1] * extents[2];
    double complex sum = 0;
    for (int x = 0; x < space; x++) {
        const int p[3] = { x % extents[0], x / extents[0] % extents[1], x / extents[0] / extents[1] };
        const int q[3] = { p[0] + n[0], p[1] + n[1], p[2] + n[2] };
        double complex one[PARTS], two[PARTS];
        free_wilson_quark(one, other, s, p, extents, t);
        free_wilson_quark(two, mass, s, q, extents, t);
        for (int i = 0; i < PARTS; i++)
            sum += TRACE * conj(one[i]) * two[i] / space;
    }
    return creal(sum);
}
