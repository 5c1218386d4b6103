/* fat_force_sides.c - the chain rule of fat_links.c for the links at the sides of the staples.
 *
 * Two staples S+_s[m+] and S-_s[m-], which have g+ and g- as h, add to h of the link U_s(x)
 *       g+(x) U_s(x+mu) m+(x+s)^+  +  g+(x-mu)^+ U_s(x-mu) m+(x-mu+s)
 *     + m-(x) U_s(x+mu) g-(x+s)^+  +  m-(x-mu)^+ U_s(x-mu) g-(x-mu+s).
 * Each side s has four pairs, from the outermost staple to the innermost (r one of the other two sides, q the other):
 *     g = h_mu,                              m = inner_s + lepage (ahead_s, behind_s)
 *     g = ahead_r + behind_r of h, twice,    m = five U_mu + seven T_q
 *     g = (inner_s + lepage ahead_s, inner_s + lepage behind_s) of h,   m = U_mu */
#include "src/kernels/fat_staples.h"
#include "src/site/site.h"

typedef struct { blend g_ahead, m_ahead, g_behind, m_behind; } staple_pair;

/* Pair SIDES is the outermost staple, pair s is the innermost, and the other two are in the middle. */
SITE_FN staple_pair pair_of(const fat_force_args *a, int s, int number)
{
    const scalar lepage = (scalar)a->c.lepage;
    staple_pair p;
    if (number == SIDES) {
        p.g_ahead = p.g_behind = blend_of_link(a->smeared_h, 1);
        p.m_ahead = blend_of_two(a->t.inner[s], 1, a->t.ahead[s], lepage);
        p.m_behind = blend_of_two(a->t.inner[s], 1, a->t.behind[s], lepage);
    } else if (number == s) {
        p.g_ahead = blend_of_two(a->h.inner[s], 1, a->h.ahead[s], lepage);
        p.g_behind = blend_of_two(a->h.inner[s], 1, a->h.behind[s], lepage);
        p.m_ahead = p.m_behind = blend_of_link(a->u, 1);
    } else {
        p.g_ahead = p.g_behind = blend_of_two(a->h.ahead[number], 1, a->h.behind[number], 1);
        p.m_ahead = p.m_behind = middle_blend(&a->u, &a->t, &a->c, third_side(s, number));
    }
    return p;
}

SITE_MAP(fat_force_sides, fat_force_args, a, x)
{
    const int mu = a->mu;
    site ahead = site_up(&a->l, x, mu), behind = site_down(&a->l, x, mu);
    KEEP_LOOP
    for (int s = 0; s < SIDES; s++) {
        int axis = side_axis(mu, s);
        site x_s = site_up(&a->l, x, axis), behind_s = site_up(&a->l, behind, axis);
        su3 thin = load_link(&a->thin_h, x, axis);
        KEEP_LOOP
        for (int number = 0; number <= SIDES; number++) {
            const staple_pair p = pair_of(a, s, number);
            su3 u = load_link(&a->u, ahead, axis), g = load_blend(&p.g_ahead, mu, x);
            su3 m = load_blend(&p.m_ahead, mu, x_s);
            add_triple_dag(&thin, &g, &u, &m);
            m = load_blend(&p.m_behind, mu, x);
            g = load_blend(&p.g_behind, mu, x_s);
            add_triple_dag(&thin, &m, &u, &g);
            u = load_link(&a->u, behind, axis);
            g = load_blend(&p.g_ahead, mu, behind);
            m = load_blend(&p.m_ahead, mu, behind_s);
            add_dag_triple(&thin, &g, &u, &m);
            m = load_blend(&p.m_behind, mu, behind);
            g = load_blend(&p.g_behind, mu, behind_s);
            add_dag_triple(&thin, &m, &u, &g);
        }
        store_link(&a->thin_h, x, axis, thin);
    }
}
