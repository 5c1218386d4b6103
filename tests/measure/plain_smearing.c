/* plain_smearing.c - the formula of quark_smearing.h, site by site. */
#include "tests/measure/plain_smearing.h"

#include "src/base/memory.h"

#include <string.h>

enum { SPINOR = 12 };

static int neighbor(const int *extents, int site, int mu, int step)
{
    int x[4], rest = site;
    for (int i = 0; i < 4; i++) {
        x[i] = rest % extents[i];
        rest /= extents[i];
    }
    x[mu] = (x[mu] + step + extents[mu]) % extents[mu];
    return x[0] + extents[0] * (x[1] + extents[1] * (x[2] + extents[2] * x[3]));
}

void plain_add_product(double complex *out, const double complex *m, bool dagger, const double complex *in)
{
    for (int spin = 0; spin < 4; spin++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                out[3 * spin + a] += (dagger ? conj(m[3 * b + a]) : m[3 * a + b]) * in[3 * spin + b];
}

static void step(double complex *psi, const double complex *old, const plain_smearing *s, int site)
{
    double complex laplace[SPINOR] = { 0 };
    for (int mu = 0; mu < 3; mu++) {
        const int up = neighbor(s->extents, site, mu, 1), down = neighbor(s->extents, site, mu, -1);
        plain_add_product(laplace, s->links + 9 * (4 * site + mu), false, old + SPINOR * up);
        plain_add_product(laplace, s->links + 9 * (4 * down + mu), true, old + SPINOR * down);
        for (int i = 0; i < SPINOR; i++)
            laplace[i] -= 2 * old[SPINOR * site + i];
    }
    for (int i = 0; i < SPINOR; i++)
        psi[SPINOR * site + i] = old[SPINOR * site + i] + s->width * s->width / (4 * s->steps) * laplace[i];
}

void plain_smear(double complex *psi, const plain_smearing *s)
{
    const int sites = s->extents[0] * s->extents[1] * s->extents[2] * s->extents[3];
    const size_t bytes = (size_t)(sites * SPINOR) * sizeof *psi;
    double complex *old = memory_alloc(bytes, "a spinor");
    for (int n = 0; n < s->steps; n++) {
        memcpy(old, psi, bytes);
        for (int site = 0; site < sites; site++)
            step(psi, old, s, site);
    }
    memory_free(old);
}
