/* outer_product.c - the first step of the force of staggered quarks: the derivative of the action with respect to fat
 * and long links (outer_args of staggered_args.h has the formulas).
 *
 * The sum over k for a link stays in registers, so that the fields h are read and written once in a launch. */
#define SITE_RESIDENT (sizeof(scalar) == sizeof(float) ? 8 : 5)
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

/* sum_k a_k here_k(x) there_k(to)^+ */
SITE_PART su3 sum_of_outer_products(const outer_args *a, const vector_view *here, const vector_view *there, site x,
                                    site to)
{
    su3 sum = su3_zero();
    KEEP_LOOP
    for (int k = 0; k < a->count; k++)
        sum = outer_product((scalar)a->a[k], load_vector(&here[k], x), load_vector(&there[k], to), sum);
    return sum;
}

SITE_FN void add_to_link(const gauge_view *h, site x, int mu, double factor, su3 sum)
{
    store_link(h, x, mu, su3_axpy((scalar)factor, sum, load_link(h, x, mu)));
}

SITE_MAP(outer_product, outer_args, a, x)
{
    bool odd = site_parity(&a->l, x.at[0]);                   /* sites of one call have one parity */
    const vector_view *here = odd ? a->y : a->x, *there = odd ? a->x : a->y;
    double sign = odd ? -1 : 1;
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 sum = sum_of_outer_products(a, here, there, x, site_up(&a->l, x, mu));
        add_to_link(&a->h1, x, mu, sign * a->fat, sum);
        if (a->extra != 0)
            add_to_link(&a->he, x, mu, sign * a->extra, sum);
        if (a->naik != 0)
            add_to_link(&a->h3, x, mu, sign * a->naik,
                        sum_of_outer_products(a, here, there, x, site_up3(&a->l, x, mu)));
    }
}
