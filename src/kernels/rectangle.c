/* rectangle.c - s0: the sum of the twelve 2x1 rectangles that start at one site. */
#include "src/kernels/loops_of_site.h"
#include "src/site/site.h"

SITE_SUM(rectangle, 1, 0, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 two = two_links(a, x, mu);
        KEEP_LOOP
        for (int nu = 0; nu < 4; nu++)
            if (nu != mu)
                s[0] = s[0] + rectangle_trace(a, x, mu, nu, two);
    }
}
