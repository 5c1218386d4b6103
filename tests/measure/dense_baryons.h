/* dense_baryons.h - baryons of three quarks directly from Wick's theorem: determinants of propagators, summed over all
 * indices. */
#ifndef KILN_TESTS_MEASURE_DENSE_BARYONS_H
#define KILN_TESTS_MEASURE_DENSE_BARYONS_H

#include "src/measure/quark_columns.h"
#include "tests/measure/free_wilson.h"

#include <complex.h>
#include <stdbool.h>

enum { DENSE_SPINS = 4, DENSE_SPINOR = 12 };
typedef struct { double complex e[DENSE_SPINS][DENSE_SPINS]; } dense_spins;

dense_spins dense_gamma(int mu);                        /* gamma_x .. gamma_t, gamma5 = their product for mu = 4 */
dense_spins dense_product(dense_spins a, dense_spins b);

/* <q(s, a) qbar(s', a')> at [3 s + a][3 s' + a'] */
typedef double complex dense_propagator[DENSE_SPINOR][DENSE_SPINOR];

/* N+ and N- (or D+ and D-) of src/measure/baryons.h at one site, without the sum over sites. */
double dense_baryon(const dense_propagator s, bool delta, bool negative);

/* The same of src/measure/hyperons.h, with propagators of the light and the strange quark. */
typedef enum { DENSE_SIGMA, DENSE_XI, DENSE_LAMBDA } dense_hyperon_kind;
double dense_hyperon(const dense_propagator light, const dense_propagator strange, dense_hyperon_kind kind,
                     bool negative);

/* s <- the propagator of free Wilson quarks from the origin to a site of a time slice, on a lattice of these extents;
 * the site is x + 2 (y + 2 z). */
enum { DENSE_FREE_SPACE = 16, DENSE_FREE_TIMES = 6 };
extern const int dense_free_extents[4];
void dense_free_propagator(dense_propagator s, double mass, const free_smearing *by, int site, int t);

/* q <- random columns on a lattice of 2^4 sites, and s, which is zero before, their propagator at each site; v is
 * scratch. */
enum { DENSE_EDGE = 2, DENSE_SITES = DENSE_EDGE * DENSE_EDGE * DENSE_EDGE * DENSE_EDGE };
void dense_random_propagator(quark_columns *q, dense_propagator *s, spinor_field v, unsigned seed);

#endif
