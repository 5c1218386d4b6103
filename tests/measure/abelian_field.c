/* abelian_field.c - links from angles, and angles from links. */
#include "tests/measure/abelian_field.h"

#include "src/base/memory.h"
#include "tests/facts.h"

#include <math.h>

typedef double angle_on_fn(const int n[4], const int x[4], int mu, const void *of);

static gauge *links_of(lattice *l, place where, angle_on_fn *angle, const void *of)
{
    const int *n = lattice_global(l);
    double *links = memory_alloc((size_t)lattice_volume(l) * GAUGE_REALS * sizeof *links, "abelian links");
    int x[4];
    size_t at = 0;
    for (x[3] = 0; x[3] < n[3]; x[3]++)
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++)
                    for (int mu = 0; mu < 4; mu++, at += MATRIX_REALS) {
                        const double theta = angle(n, x, mu, of);
                        links[at] = links[at + 8] = cos(theta);
                        links[at + 1] = sin(theta);
                        links[at + 9] = -sin(theta);
                        links[at + 16] = 1;
                    }
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    memory_free(links);
    return u;
}

typedef struct { angle_fn *angle; double parameter; } given_angle;

static double angle_given(const int n[4], const int x[4], int mu, const void *of)
{
    const given_angle *a = of;
    (void)n;
    return a->angle(x, mu, a->parameter);
}

gauge *abelian_gauge(lattice *l, place where, angle_fn *angle, double parameter)
{
    return links_of(l, where, angle_given, &(given_angle){ angle, parameter });
}

double abelian_flux(const int n[4], int mu)
{
    return 2 * M_PI / (n[2] * n[mu]);
}

static double angle_of_flux(const int n[4], const int x[4], int mu, const void *of)
{
    (void)of;
    switch (mu) {
    case 0:  return x[0] == n[0] - 1 ? -abelian_flux(n, 0) * n[0] * x[2] : 0;
    case 1:  return 0;
    case 2:  return abelian_flux(n, 0) * x[0] + (x[2] == n[2] - 1 ? -abelian_flux(n, 3) * n[2] * x[3] : 0);
    default: return abelian_flux(n, 3) * x[2];
    }
}

gauge *abelian_constant_flux(lattice *l, place where)
{
    return links_of(l, where, angle_of_flux, NULL);
}

double *abelian_angles(const gauge *u)
{
    const size_t links = 4 * (size_t)lattice_volume(u->links.lattice);
    double *all = memory_alloc(links * MATRIX_REALS * sizeof *all, "links");
    double *angle = memory_alloc(links * sizeof *angle, "angles");
    gauge_export(all, u);
    for (size_t i = 0; i < links; i++)
        angle[i] = atan2(all[i * MATRIX_REALS + 1], all[i * MATRIX_REALS]);
    memory_free(all);
    return angle;
}

double abelian_off_wave(const gauge *u, angle_fn *wave, double amplitude, double factor)
{
    const int *n = lattice_global(u->links.lattice);
    double *angle = abelian_angles(u), off = 0;
    int x[4];
    size_t at = 0;
    for (x[3] = 0; x[3] < n[3]; x[3]++)
        for (x[2] = 0; x[2] < n[2]; x[2]++)
            for (x[1] = 0; x[1] < n[1]; x[1]++)
                for (x[0] = 0; x[0] < n[0]; x[0]++)
                    for (int mu = 0; mu < 4; mu++)
                        off = worse(off, fabs(angle[at++] - factor * wave(x, mu, amplitude)) / amplitude);
    memory_free(angle);
    return off;
}
