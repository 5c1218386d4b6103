/* unitarize_force.c - the derivative of the projection W = V (V^+V)^(-1/2), from h of W to h of V.
 *
 * With V = A sigma B^+, E = A^+ dV B, H = A^+ h_W B and q_i^2 = sigma_i^2 + delta:
 *     (A^+ dW B)_ij = c1_ij E_ij + c2_ij E_ji^*,    h_V = A H' B^+,  H'_ij = c1_ij H_ij + c2_ij H_ji^*,
 *     c1_ij = (q_i q_j + delta) / (q_i q_j (q_i + q_j)),    c2_ij = -sigma_i sigma_j / (q_i q_j (q_i + q_j)),
 * which has no differences of small numbers.  delta = 0 is exact; if the smallest eigenvalue of V^+V is below `filter`,
 * delta = filter: the derivative of V (V^+V + filter)^(-1/2), bounded for any sigma (MILC's force filter).
 *
 * SU(3): W' = z W, z = exp(-i arg(det W)/3), so that h_W = z^* h' + i c W with c = Im(z tr h'^+W) / 3.
 *
 * s0..s4  links whose smallest eigenvalue is below 1e-2, 1e-3, 1e-4, 1e-5, 1e-6;  s5  links filtered
 * s6  the largest 1 / smallest eigenvalue
 * s7  volume - lexicographic rank of the first site with a filtered link, 0 if none; a number of 24 bits in single
 *     precision, so that beyond 2^24 sites the rank is rounded */
#include "src/kernels/projection.h"
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

enum { BINS = 5, FILTERED = BINS, LARGEST_INVERSE, FIRST, COUNTS };

/* h of W in the basis of the singular vectors, A^+ h_W B, in which W is 1 */
SITE_FN su3 rotated_h(const svd *v, su3 h, bool special)
{
    su3 rotated = su3_mul(su3_dag_mul(v->a, h), v->b);
    if (special) {
        cplx z = special_phase(su3_mul_dag(v->a, v->b)), trace = cplx_zero();
        for (int i = 0; i < 3; i++) {
            trace.re = trace.re + rotated.e[i][i].re;
            trace.im = trace.im - rotated.e[i][i].im;                     /* of h'^+ W */
        }
        real c = cplx_mad(z, trace, cplx_zero()).im * spread((scalar)(1.0 / 3));
        z.im = -z.im;
        rotated = su3_times_cplx(z, rotated);
        for (int i = 0; i < 3; i++)
            rotated.e[i][i].im = rotated.e[i][i].im + c;
    }
    return rotated;
}

/* h of V; `smallest` is the smallest eigenvalue of V^+V */
SITE_PART su3 h_before_projection(const unitarize_force_args *a, su3 v, su3 h, real *smallest)
{
    svd s = svd_of(v);
    real filter = spread((scalar)a->filter), q[3];
    *smallest = s.sigma[2] * s.sigma[2];
    real delta = choose(is_above(filter, *smallest), filter, spread(0));
    for (int i = 0; i < 3; i++)
        q[i] = choose(is_above(delta, spread(0)), square_root(mad(s.sigma[i], s.sigma[i], delta)), s.sigma[i]);
    su3 in = rotated_h(&s, h, a->special), out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real qq = q[i] * q[j], inverse = spread(1) / (qq * (q[i] + q[j]));
            real c1 = (qq + delta) * inverse, c2 = -(s.sigma[i] * s.sigma[j] * inverse);
            out.e[i][j].re = mad(c1, in.e[i][j].re, c2 * in.e[j][i].re);
            out.e[i][j].im = mad(c1, in.e[i][j].im, -(c2 * in.e[j][i].im));
        }
    return su3_mul_dag(su3_mul(s.a, out), s.b);
}

/* volume - rank of the site of each lane with `counted` > 0, else 0 */
SITE_FN real rank_from_the_end(const lattice_view *l, site x, real counted)
{
    real result = spread(0);
    uint64_t volume = (uint64_t)l->global[0] * (uint64_t)l->global[1] * (uint64_t)l->global[2] * (uint64_t)l->global[3];
    for (int lane = 0; lane < LANES; lane++)
        if (lane_of(counted, lane) > 0)
            set_lane(&result, lane, (scalar)(volume - site_global_rank(l, x.at[lane])));
    return result;
}

SITE_SUM(unitarize_force, 6, 2, unitarize_force_args, a, x, s)
{
    real zero = spread(0), one = spread(1), filter = spread((scalar)a->filter);
    for (int n = 0; n < COUNTS; n++)
        s[n] = zero;
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        real smallest;
        su3 h = h_before_projection(a, load_link(&a->v, x, mu), load_link(&a->in, x, mu), &smallest);
        store_link(&a->out, x, mu, h);
        scalar edge = (scalar)1e-2;
        for (int n = 0; n < BINS; n++, edge = edge * (scalar)0.1)
            s[n] = s[n] + choose(is_above(spread(edge), smallest), one, zero);
        s[FILTERED] = s[FILTERED] + choose(is_above(filter, smallest), one, zero);
        s[LARGEST_INVERSE] = larger_or_nan(inverse_eigenvalue(smallest), s[LARGEST_INVERSE]);
    }
    s[FIRST] = rank_from_the_end(&a->l, x, s[FILTERED]);
}
