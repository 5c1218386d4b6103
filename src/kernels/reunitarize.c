/* reunitarize.c - brings links that rounding has moved off SU(3) back to it.
 *
 *     row0 <- row0 / |row0|,   row1 <- orthogonal to row0, normalized,   row2 <- (row0 x row1)^*
 *
 * Used between trajectories only: inside one it would break reversibility.
 *
 *     reunitarize_change   the same; s0 = the largest change of a real part or imaginary part of an element */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_MAP(reunitarize, gauge_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_link(&a->u, x, mu, su3_from_two_rows(load_link(&a->u, x, mu)));
}

/* The largest of |a - b|, |b - a| and s; a NaN stays. */
SITE_FN real larger_change(real s, real a, real b)
{
    return larger_or_nan(s, larger_or_nan(a - b, b - a));
}

SITE_SUM(reunitarize_change, 0, 1, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 before = load_link(&a->u, x, mu), after = su3_from_two_rows(before);
        store_link(&a->u, x, mu, after);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                s[0] = larger_change(s[0], after.e[i][j].re, before.e[i][j].re);
                s[0] = larger_change(s[0], after.e[i][j].im, before.e[i][j].im);
            }
    }
}
