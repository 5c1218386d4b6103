/* polyakov.c - the closed line through the lattice in one direction, from every site with coordinate 0.
 *
 *     s0 + i s1 = Tr prod_{n=0}^{L-1} U_mu(x + n mu)     for x_mu = 0, else 0
 *
 * If the direction is split, each process in turn multiplies the line of the process before by its own links: the same
 * products in the same order. */
#define ONE_LANE
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_SUM(polyakov, 2, 0, polyakov_args, a, x, s)
{
    int mu = a->direction, coordinate[4];
    s[0] = s[1] = spread(0);
    site_coordinates(&a->l, x.at[0], coordinate);
    if (coordinate[mu] != 0)
        return;
    su3 line = load_link(&a->u, x, mu);
    for (int n = 1; n < a->l.local[mu]; n++) {
        x = site_up(&a->l, x, mu);
        line = su3_mul(line, load_link(&a->u, x, mu));
    }
    for (int i = 0; i < 3; i++) {
        s[0] = s[0] + line.e[i][i].re;
        s[1] = s[1] + line.e[i][i].im;
    }
}

/* The line up to the last site of this process, stored there; it continues the line that ends at the ghost before. */
SITE_MAP(polyakov_part, polyakov_args, a, x)
{
    int mu = a->direction, coordinate[4];
    site_coordinates(&a->l, x.at[0], coordinate);
    if (coordinate[mu] != 0)
        return;
    su3 line = load_link(&a->u, x, mu);
    if (a->l.origin[mu] != 0)
        line = su3_mul(load_matrix(&a->line, site_down(&a->l, x, mu)), line);
    for (int n = 1; n < a->l.local[mu]; n++) {
        x = site_up(&a->l, x, mu);
        line = su3_mul(line, load_link(&a->u, x, mu));
    }
    store_matrix(&a->line, x, line);
}

/* s0 + i s1 = Tr line, at the sites where the line is complete */
SITE_SUM(polyakov_trace, 2, 0, polyakov_args, a, x, s)
{
    int coordinate[4];
    s[0] = s[1] = spread(0);
    site_global_coordinates(&a->l, x.at[0], coordinate);
    if (coordinate[a->direction] != a->l.global[a->direction] - 1)
        return;
    su3 line = load_matrix(&a->line, x);
    for (int i = 0; i < 3; i++) {
        s[0] = s[0] + line.e[i][i].re;
        s[1] = s[1] + line.e[i][i].im;
    }
}
