/* plaquette.c - the plaquettes that start at one site.
 *
 *     Re Tr U_mu(x) U_nu(x+mu) [U_nu(x) U_mu(x+nu)]^+
 *     s0 = sum over the 3 spatial planes, s1 = over the 3 temporal ones
 */
#define SITE_RESIDENT (sizeof(scalar) == sizeof(float) ? 4 : 2)
#include "src/kernels/loops_of_site.h"
#include "src/site/site.h"

SITE_SUM(plaquette, 2, 0, gauge_args, a, x, s) { plane_traces(a, x, s); }
