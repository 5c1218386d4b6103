/* dwf_link_force.h - the force of domain-wall quarks on one link: the derivative of Re left^+ hop right.
 *
 * Half spinors are enough: (1 - gamma) / 2 is a hermitian projector of rank 2, and the lower spins of a projected
 * spinor are a unitary matrix times its upper spins.  So, with the upper spins of projected spinors on the right,
 *     sum over 4 spins of ((1 - gamma) a) b^+ = sum over 2 spins of ((1 - gamma) a) ((1 - gamma) b)^+,
 * and likewise with 1 + gamma.  A link reads its vectors for all pairs and slices and keeps the sum in registers. */
#ifndef KILN_KERNELS_DWF_LINK_FORCE_H
#define KILN_KERNELS_DWF_LINK_FORCE_H

#include "src/kernels/dwf_hops.h"
#include "src/kernels/link_multiple.h"

SITE_FN su3 half_outer_product(scalar f, half_spinor a, half_spinor b, su3 s)
{
    for (int i = 0; i < 2; i++)
        s = outer_product(f, a.s[i], b.s[i], s);
    return s;
}

/* h_mu(x) += sum over pairs and slices; mu and plus are literals.  Left and right differ only in which vector of a pair
 * is at x and which at x+mu. */
SITE_FN void add_to_direction(const dwf_force_args *a, site x, int mu, int plus)
{
    const vector_view *here = a->left_is_here ? a->left : a->right, *there = a->left_is_here ? a->right : a->left;
    site up = site_up(&a->l, x, mu);
    su3 sum = su3_zero();
    KEEP_LOOP
    for (int k = 0; k < a->count; k++)
        KEEP_LOOP
        for (int s = 0; s < a->Ls; s++) {
            spinor near = load_spinor_as(VECTOR_NATIVE, &here[k], x, s);
            spinor far = load_spinor_as(VECTOR_NATIVE, &there[k], up, s);
            sum = half_outer_product((scalar)a->a[k], spinor_project(mu, plus, near), spinor_project(mu, plus, far),
                                     sum);
        }
    /* The hop contains phase U, and d(phase U) = phase dU: h^+ gets the phase, h its conjugate. */
    if (a->phases.on)
        sum = su3_times_cplx(hop_phase(&a->phases, mu, true), sum);
    su3 h = load_link(&a->h, x, mu);
    real factor = mu == 3 ? boundary_factor(&a->l, a->boundary, x, false) : spread(1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            h.e[i][j].re = mad(factor, sum.e[i][j].re, h.e[i][j].re);
            h.e[i][j].im = mad(factor, sum.e[i][j].im, h.e[i][j].im);
        }
    store_link(&a->h, x, mu, h);
}

#endif
