/* fat_links.c - smeared links of one direction mu, from the innermost staples outwards.
 *
 *     ahead_s = S+_s[U_mu],  behind_s = S-_s[U_mu],  T_s = ahead_s + behind_s               fat_ahead_behind
 *     inner_s = three U_mu + sum_{r != s} S_r[five U_mu + seven T_q],  q the third          fat_inner
 *     out_mu  = one U_mu + sum_s ( S+_s[inner_s + lepage ahead_s] + S-_s[inner_s + lepage behind_s] )   fat_outer
 *
 * Each line is one launch, in which a site reads what its neighbors wrote in the launch before.  There are 24 staples
 * for a site and direction instead of 6 + 24 + 48 + 6 paths of 3, 5, 7 and 5 links. */
#include "src/kernels/fat_staples.h"
#include "src/site/site.h"

SITE_MAP(fat_ahead_behind, fat_args, a, x)
{
    const blend link = blend_of_link(a->u, 1);
    store_staples(a->t.ahead, a->t.behind, &a->l, &a->u, &link, a->mu, x);
}

SITE_MAP(fat_inner, fat_args, a, x)
{
    KEEP_LOOP
    for (int s = 0; s < SIDES; s++) {
        su3 inner = su3_axpy((scalar)a->c.three, load_link(&a->u, x, a->mu), su3_zero());
        KEEP_LOOP
        for (int r = 0; r < SIDES; r++) {
            if (r == s)
                continue;
            blend m = middle_blend(&a->u, &a->t, &a->c, third_side(s, r));
            add_both(&inner, &a->l, &a->u, &m, a->mu, side_axis(a->mu, r), x);
        }
        store_matrix(&a->t.inner[s], x, inner);
    }
}

SITE_MAP(fat_outer, fat_args, a, x)
{
    const scalar lepage = (scalar)a->c.lepage;
    su3 sum = su3_axpy((scalar)a->c.one, load_link(&a->u, x, a->mu), su3_zero());
    KEEP_LOOP
    for (int s = 0; s < SIDES; s++) {
        int axis = side_axis(a->mu, s);
        blend ahead = blend_of_two(a->t.inner[s], 1, a->t.ahead[s], lepage);
        blend behind = blend_of_two(a->t.inner[s], 1, a->t.behind[s], lepage);
        add_ahead(&sum, &a->l, &a->u, &ahead, a->mu, axis, x);
        add_behind(&sum, &a->l, &a->u, &behind, a->mu, axis, x);
    }
    store_link(&a->out, x, a->mu, sum);
}
