/* clover_insertion.h - insertions of the force of a clover term: the factors of the field strengths.
 *
 * A = sum_k pauli_k h_k, where h_k contains two field strengths (clover_blocks.c).  For dS = 16 Re Tr sum W_k dh_k of
 * each chirality, and G_k = W_k + W_k^+:
 *     L_yz = G_x, L_xz = G_y, L_xy = G_z, L_xt = -+ G_x, L_yt = +- G_y, L_zt = -+ G_z   (upper sign: spins 0 and 1)
 * summed over chiralities. */
#ifndef KILN_KERNELS_CLOVER_INSERTION_H
#define KILN_KERNELS_CLOVER_INSERTION_H

#include "src/kernels/clover_force_args.h"
#include "src/site/clover_block.h"
#include "src/site/load.h"
#include "src/site/spinor.h"

/* Planes in memory: yz, xz, xy, xt, yt, zt. */
SITE_FN int plane_of(int mu, int nu)
{
    return mu == 3 || nu == 3 ? mu + nu : 3 - mu - nu;
}

/* A matrix: its diagonal, then the entries below it, row by row. */
SITE_FN su3 load_insertion(const planes_view *v, site x, int plane)
{
    su3 m;
    place_of o = find(x, PLANES_REALS);
    int at = PLANE_REALS * plane + 3;
    for (int i = 0; i < 3; i++) {
        m.e[i][i].re = load_real(v->data, &o, PLANE_REALS * plane + i);
        m.e[i][i].im = spread(0);
        for (int j = 0; j < i; j++) {
            m.e[i][j].re = load_real(v->data, &o, at++);
            m.e[i][j].im = load_real(v->data, &o, at++);
            m.e[j][i].re = m.e[i][j].re;
            m.e[j][i].im = -m.e[i][j].im;
        }
    }
    return m;
}

/* L <- L + w + w^+ */
SITE_FN void add_insertion(const planes_view *v, site x, int plane, su3 w)
{
    const su3 old = load_insertion(v, x, plane);
    place_of o = find(x, PLANES_REALS);
    int at = PLANE_REALS * plane + 3;
    for (int i = 0; i < 3; i++) {
        store_real(v->data, &o, PLANE_REALS * plane + i, old.e[i][i].re + (w.e[i][i].re + w.e[i][i].re));
        for (int j = 0; j < i; j++) {
            store_real(v->data, &o, at++, old.e[i][j].re + (w.e[i][j].re + w.e[j][i].re));
            store_real(v->data, &o, at++, old.e[i][j].im + (w.e[i][j].im - w.e[j][i].im));
        }
    }
}

/* Adds W_k of both chiralities. */
SITE_FN void add_pauli_insertion(const planes_view *v, site x, int k, su3 upper, su3 lower)
{
    add_insertion(v, x, k, su3_add(upper, lower));
    add_insertion(v, x, 3 + k, k == 1 ? su3_axpy(-1, lower, upper) : su3_axpy(-1, upper, lower));
}

SITE_FN half_spinor load_chirality(const vector_view *v, site x, int chirality)
{
    half_spinor h;
    for (int i = 0; i < 2; i++)
        h.s[i] = load_vector(v, site_in_slab(v, 2 * chirality + i, x));
    return h;
}

/* ---- hermitian blocks B:  W_k = the trace of B pauli_k over spins */

/* A matrix that has the same hermitian part as a W_k. */
SITE_FN su3 pauli_trace(clover_block b, int k, real a)
{
    su3 w = su3_zero();
    for (int i = 0; i < 3; i++) {
        w.e[i][i].re = k == 2 ? a * (b.d[i] - b.d[3 + i]) : w.e[i][i].re;
        for (int j = 0; j < 3; j++) {
            const cplx lower_left = b.below[block_at(3 + i, j)];             /* its adjoint is at the upper right */
            if (k != 2) {
                w.e[i][j].re = (a + a) * (k == 0 ? lower_left.re : lower_left.im);
                w.e[i][j].im = (a + a) * (k == 0 ? lower_left.im : -lower_left.re);
            } else if (j < i) {
                const cplx first = b.below[block_at(i, j)], second = b.below[block_at(3 + i, 3 + j)];
                w.e[i][j].re = (a + a) * (first.re - second.re);
                w.e[i][j].im = (a + a) * (first.im - second.im);
            }
        }
    }
    return w;
}

/* Adds the insertions of both chiralities, times a. */
SITE_FN void add_block_insertions(const planes_view *v, site x, real a, clover_block upper, clover_block lower)
{
    add_pauli_insertion(v, x, 0, pauli_trace(upper, 0, a), pauli_trace(lower, 0, a));
    add_pauli_insertion(v, x, 1, pauli_trace(upper, 1, a), pauli_trace(lower, 1, a));
    add_pauli_insertion(v, x, 2, pauli_trace(upper, 2, a), pauli_trace(lower, 2, a));
}

#endif
