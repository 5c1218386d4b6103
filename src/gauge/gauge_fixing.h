/* gauge_fixing.h - Landau and Coulomb gauge by overrelaxation (kernels/gauge_fixing_sites.c).
 *
 *     F[g] = sum over x, mu of Re Tr U^g_mu(x) / 3, divided by the number of links: 1 for unit links
 *     theta = 1/(3 V) sum over x of Tr D(x)^+ D(x),   D(x) = sum over mu of A_mu(x) - A_mu(x-mu),
 *     A_mu(x) = (U^g_mu - U^g_mu^+)/(2i) - trace,   U^g_mu(x) = g(x) U_mu(x) g(x+mu)^+
 *
 * with mu over all four directions (Landau) or the three directions of space (Coulomb).  D = 0 at a maximum of F; theta
 * measures the distance from it (L. Giusti et al., Int. J. Mod. Phys. A 16 (2001) 3487, hep-lat/0104012).  In Coulomb
 * gauge F of each time slice is maximized separately.  The search then stops on theta_slice, the largest theta of a
 * slice, because the mean over slices would hide a slice that has not converged.  Coulomb gauge leaves one global
 * rotation of each time slice free, which this code does not fix.  The maximum is a local one (a Gribov copy), which
 * depends on the links and on the initial g.
 *
 * Results have the same bits on any grid of ranks, and on CPU and GPU. */
#ifndef KILN_GAUGE_GAUGE_FIXING_H
#define KILN_GAUGE_GAUGE_FIXING_H

#include "src/base/error.h"
#include "src/gauge/gauge.h"

typedef enum { GAUGE_LANDAU, GAUGE_COULOMB } gauge_condition;
extern const char *const gauge_condition_names[];       /* "landau", "coulomb", NULL */

typedef struct {
    int condition;                 /* gauge_condition */
    double quality;                /* stop when theta (Coulomb: theta_slice) is below this */
    double overrelaxation;         /* omega: at least 1, below 2 */
    int64_t sweeps;                /* maximum number */
} gauge_fixing_params;
#define GAUGE_FIXING_QUALITY 1e-14
#define GAUGE_FIXING_OVERRELAXATION 1.7
enum { GAUGE_FIXING_SWEEPS = 20000 };

typedef struct {
    double functional, theta;      /* F and theta after the last sweep; NaN if links are not finite */
    double theta_slice;            /* the largest theta of a time slice; Coulomb gauge only */
    double theta_largest;          /* the largest Tr D^+D / 3 of a site */
    int64_t sweeps;
    bool converged;
} gauge_fixing_result;

/* Starts from g and overwrites it with the g of the maximum.  Does not change u: gauge_rotate(u, g) fixes the gauge.
 * Both must be at the same place and in the same precision.  Collective. */
gauge_fixing_result gauge_fixing_search(gauge_rotation *g, const gauge *u, const gauge_fixing_params *p);

/* Bytes that gauge_fixing_search allocates during the call, for links in double precision. */
size_t gauge_fixing_bytes(gauge_condition condition, const lattice_shape *shape);

/* False with the numbers and what to do if the search did not converge. */
bool gauge_fixing_check(const gauge_fixing_result *r, const gauge_fixing_params *p, failure *f);

#endif
