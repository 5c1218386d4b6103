/* fat_force.c - the chain rule of fat_links.c: from h of the smeared links to h of the thin links.
 *
 * A link L has h if dS = 2 Re Tr dL h^+; S+_s and S-_s are adjoint to each other.  With h_mu of the smeared links of
 * one direction, H_s = ahead_s + behind_s, and q the third direction:
 *     ahead_s = S-_s[h_mu],  behind_s = S+_s[h_mu]                                          fat_force_outer
 *     inner_q = seven sum over (s, r) of S_r[H_s]
 *     thin_mu += one h_mu + three sum_s H_s + five sum over (s, r) of S_r[H_s]              fat_force_inner
 *     thin_mu += sum_s ( S-_s[inner_s + lepage ahead_s] + S+_s[inner_s + lepage behind_s] ) fat_force_middle
 * and the links at the sides of each staple (fat_force_sides.c). */
#include "src/kernels/fat_staples.h"
#include "src/site/site.h"

SITE_MAP(fat_force_outer, fat_force_args, a, x)
{
    const blend smeared = blend_of_link(a->smeared_h, 1);
    store_staples(a->h.behind, a->h.ahead, &a->l, &a->u, &smeared, a->mu, x);
}

SITE_MAP(fat_force_inner, fat_force_args, a, x)
{
    su3 thin = su3_axpy((scalar)a->c.one, load_link(&a->smeared_h, x, a->mu), load_link(&a->thin_h, x, a->mu));
    KEEP_LOOP
    for (int q = 0; q < SIDES; q++) {
        su3 paths = su3_zero();
        KEEP_LOOP
        for (int s = 0; s < SIDES; s++) {
            if (s == q)
                continue;
            blend both = blend_of_two(a->h.ahead[s], 1, a->h.behind[s], 1);
            add_both(&paths, &a->l, &a->u, &both, a->mu, side_axis(a->mu, third_side(s, q)), x);
        }
        store_matrix(&a->h.inner[q], x, su3_axpy((scalar)a->c.seven, paths, su3_zero()));
        thin = su3_axpy((scalar)a->c.five, paths, thin);
        thin = su3_axpy((scalar)a->c.three, load_matrix(&a->h.ahead[q], x), thin);
        thin = su3_axpy((scalar)a->c.three, load_matrix(&a->h.behind[q], x), thin);
    }
    store_link(&a->thin_h, x, a->mu, thin);
}

SITE_MAP(fat_force_middle, fat_force_args, a, x)
{
    const scalar lepage = (scalar)a->c.lepage;
    su3 thin = load_link(&a->thin_h, x, a->mu);
    KEEP_LOOP
    for (int s = 0; s < SIDES; s++) {
        int axis = side_axis(a->mu, s);
        blend ahead = blend_of_two(a->h.inner[s], 1, a->h.ahead[s], lepage);
        blend behind = blend_of_two(a->h.inner[s], 1, a->h.behind[s], lepage);
        add_behind(&thin, &a->l, &a->u, &ahead, a->mu, axis, x);
        add_ahead(&thin, &a->l, &a->u, &behind, a->mu, axis, x);
    }
    store_link(&a->thin_h, x, a->mu, thin);
}
