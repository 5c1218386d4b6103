/* su2.h - the SU(2) subgroups of SU(3), for updates of a link subgroup by subgroup.
 *
 *     a = a0 + i (a1 s1 + a2 s2 + a3 s3) = (  a0 + i a3   a2 + i a1 )      s: Pauli matrices
 *                                          ( -a2 + i a1   a0 - i a3 )
 *
 * in rows and columns (i, j) = (0,1), (0,2) or (1,2) of a 3x3 matrix, and 1 elsewhere.  Of a complex 2x2 matrix m only
 * its quaternion v matters for Re Tr (a m) = Re Tr (a v) = 2 (a0 v0 - a1 v1 - a2 v2 - a3 v3).
 * N. Cabibbo, E. Marinari, Phys. Lett. B 119 (1982) 387. */
#ifndef KILN_SITE_SU2_H
#define KILN_SITE_SU2_H

#include "src/site/su3.h"

enum { SU2_SUBGROUPS = 3 };
typedef struct { real c[4]; } su2;

/* The rows of subgroup 0, 1, 2 */
SITE_FN int su2_row(int subgroup) { return subgroup == 2; }
SITE_FN int su2_next_row(int subgroup) { return subgroup == 0 ? 1 : 2; }

/* The quaternion of rows and columns i, j of m */
SITE_FN su2 su2_part(su3 m, int i, int j)
{
    su2 v;
    real half = spread((scalar)0.5);
    v.c[0] = (m.e[i][i].re + m.e[j][j].re) * half;
    v.c[1] = (m.e[i][j].im + m.e[j][i].im) * half;
    v.c[2] = (m.e[i][j].re - m.e[j][i].re) * half;
    v.c[3] = (m.e[i][i].im - m.e[j][j].im) * half;
    return v;
}

SITE_FN real su2_norm(su2 v)
{
    return square_root(mad(v.c[3], v.c[3], mad(v.c[2], v.c[2], mad(v.c[1], v.c[1], v.c[0] * v.c[0]))));
}

/* v / norm; the unit element if norm is 0 */
SITE_FN su2 su2_direction(su2 v, real norm)
{
    mask some = is_above(norm, spread(0));
    real inverse = spread(1) / choose(some, norm, spread(1));
    for (int k = 0; k < 4; k++)
        v.c[k] = choose(some, v.c[k] * inverse, spread(k == 0));
    return v;
}

/* a b^+ */
SITE_FN su2 su2_mul_dag(su2 a, su2 b)
{
    su2 p;
    p.c[0] = mad(a.c[3], b.c[3], mad(a.c[2], b.c[2], mad(a.c[1], b.c[1], a.c[0] * b.c[0])));
    for (int k = 1; k < 4; k++) {
        int l = k % 3 + 1, m = l % 3 + 1;
        real along = mad_minus(a.c[0], b.c[k], a.c[k] * b.c[0]);
        p.c[k] = mad_minus(a.c[m], b.c[l], mad(a.c[l], b.c[m], along));
    }
    return p;
}

/* a m, a in rows i, j */
SITE_FN su3 su2_times(su2 a, su3 m, int i, int j)
{
    cplx ii, ij, ji, jj;
    ii.re = a.c[0];
    ii.im = a.c[3];
    ij.re = a.c[2];
    ij.im = a.c[1];
    ji.re = -a.c[2];
    ji.im = a.c[1];
    jj.re = a.c[0];
    jj.im = -a.c[3];
    for (int k = 0; k < 3; k++) {
        cplx up = m.e[i][k], low = m.e[j][k];
        m.e[i][k] = cplx_mad(ij, low, cplx_mad(ii, up, cplx_zero()));
        m.e[j][k] = cplx_mad(jj, low, cplx_mad(ji, up, cplx_zero()));
    }
    return m;
}

#endif
