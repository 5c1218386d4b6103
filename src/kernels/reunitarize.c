/* reunitarize.c - a link that has drifted off SU(3) by rounding is brought back.
 *
 *     row0 <- row0 / |row0|,   row1 <- orthogonal to row0, normalised,   row2 <- (row0 x row1)^*
 *
 * Used between trajectories only: inside one it would break reversibility. */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_MAP(reunitarize, gauge_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_link(&a->u, x, mu, su3_from_two_rows(load_link(&a->u, x, mu)));
}
