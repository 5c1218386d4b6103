/* neighbor_sum.h - the Wilson hop: the sum over the neighbors of a site, in literal formats of vectors and links.
 *
 *     (S v)(x) = sum_mu (1 - gamma_mu) U_mu(x) v(x+mu) + (1 + gamma_mu) U_mu(x-mu)^+ v(x-mu)
 *
 * This file fixes the order of the terms, and so the bits of a result: directions x, y, z, t, and in each forward, then
 * backward.  For links in fixed point, the sum is in their unit.  Phases (hop_phases.h) multiply the half spinors that
 * links transport. */
#ifndef KILN_KERNELS_NEIGHBOR_SUM_H
#define KILN_KERNELS_NEIGHBOR_SUM_H

#include "src/kernels/hop_phases.h"
#include "src/site/link_storage.h"
#include "src/site/site.h"
#include "src/site/spinor.h"
#include "src/site/storage.h"

SITE_FN spinor load_spinor_as(vector_format f, const vector_view *v, site x, int slice)
{
    spinor a;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        a.s[spin] = load_vector_as(f, v, site_in_slab(v, SPINS * slice + spin, x));
    return a;
}

/* gamma5 a */
SITE_FN spinor spinor_gamma5(spinor a)
{
    for (int i = 2; i < SPINS; i++)
        a.s[i] = vector_scale(-1, a.s[i]);
    return a;
}

/* `boundary` if a hop in t from x crosses the end of the lattice, else 1. */
SITE_FN real boundary_factor(const lattice_view *l, double boundary, site x, bool backward)
{
    real factor = spread(1);
    for (int lane = 0; lane < LANES; lane++)
        if (hop_goes_around(l, x.at[lane], backward))
            set_lane(&factor, lane, (scalar)boundary);
    return factor;
}

SITE_FN half_spinor half_spinor_times(real factor, half_spinor h)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            h.s[i].c[j].re = factor * h.s[i].c[j].re;
            h.s[i].c[j].im = factor * h.s[i].c[j].im;
        }
    return h;
}

/* phase_mu, or its conjugate */
SITE_FN cplx hop_phase(const hop_phases *p, int mu, bool backward)
{
    cplx z;
    z.re = spread((scalar)p->phase[mu][0]);
    z.im = spread((scalar)(backward ? -p->phase[mu][1] : p->phase[mu][1]));
    return z;
}

SITE_FN half_spinor half_spinor_times_phase(cplx phase, half_spinor h)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            h.s[i].c[j] = cplx_mad(phase, h.s[i].c[j], cplx_zero());
    return h;
}

/* (1 - gamma_mu) a, or (1 + gamma_mu) a if the literal `plus` is 1; mu need not be a literal */
SITE_FN half_spinor projected(int mu, int plus, spinor a)
{
    return mu == 0 ? spinor_project(0, plus, a) : mu == 1 ? spinor_project(1, plus, a)
         : mu == 2 ? spinor_project(2, plus, a) : spinor_project(3, plus, a);
}
SITE_FN spinor expanded(int mu, int plus, half_spinor h, spinor s)
{
    return mu == 0 ? spinor_expand(0, plus, h, s) : mu == 1 ? spinor_expand(1, plus, h, s)
         : mu == 2 ? spinor_expand(2, plus, h, s) : spinor_expand(3, plus, h, s);
}

/* (S v)(x) in a slice.  S^+ = gamma5 S gamma5. */
SITE_FN spinor sum_of_neighbors(vector_format f, link_format links, const lattice_view *l, const gauge_view *u,
                                double boundary, const hop_phases *phases, bool dagger, const vector_view *v, site x,
                                int slice)
{
    spinor sum = spinor_zero();
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site up = site_up(l, x, mu), down = site_down(l, x, mu);
        spinor ahead = load_spinor_as(f, v, up, slice);
        half_spinor h = projected(mu, 0, dagger ? spinor_gamma5(ahead) : ahead);
        h = half_spinor_carried(load_link_as(links, u, x, mu), h);
        if (phases->on)
            h = half_spinor_times_phase(hop_phase(phases, mu, false), h);
        sum = expanded(mu, 0, mu == 3 ? half_spinor_times(boundary_factor(l, boundary, x, false), h) : h, sum);
        spinor behind = load_spinor_as(f, v, down, slice);
        h = projected(mu, 1, dagger ? spinor_gamma5(behind) : behind);
        h = half_spinor_carried_back(load_link_as(links, u, down, mu), h);
        if (phases->on)
            h = half_spinor_times_phase(hop_phase(phases, mu, true), h);
        sum = expanded(mu, 1, mu == 3 ? half_spinor_times(boundary_factor(l, boundary, x, true), h) : h, sum);
    }
    return dagger ? spinor_gamma5(sum) : sum;
}

#endif
